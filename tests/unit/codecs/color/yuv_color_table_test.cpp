// The table of YUV colours: every level against the reference, and the reference against the exact
// transform.
#include "codecs/color/yuv_color_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "codecs/simd/sample_kernels.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr SourceColor kPqFilm = {Primaries::kBt2020, Transfer::kPq, 1000};

struct Shown {
  Bytes planes[3];
  bool operator==(const Shown&) const = default;
};

// Converts bands of `rows` rows one by one.
Shown show(const YuvColorTable& table, const ImageView& frame, CpuLevel cpu, int rows = 1 << 20) {
  Shown shown;
  PlaneTarget target;
  for (int i = 0; i < 3; ++i) {
    const bool chroma = i > 0;
    const bool full = frame.format == PixelFormat::kI444 || frame.format == PixelFormat::kI444Deep;
    const int width = chroma && !full ? (frame.width + 1) / 2 : frame.width;
    const int step = chroma ? chroma_rows_step(frame.format) : 1;
    target.strides[i] = width;
    shown.planes[i].resize(static_cast<size_t>(target.strides[i]) *
                           static_cast<size_t>((frame.height + step - 1) / step));
    target.planes[i] = shown.planes[i].data();
  }
  for (int first = 0; first < frame.height; first += rows) {
    ImageView band = frame;
    PlaneTarget band_target = target;
    band.height = std::min(rows, frame.height - first);
    for (int i = 0; i < 3; ++i) {
      const int row = i > 0 ? first / chroma_rows_step(frame.format) : first;
      band.planes[i] += frame.strides[i] * row;
      band_target.planes[i] += target.strides[i] * row;
    }
    table.convert(band, band_target, cpu);
  }
  return shown;
}

TEST(YuvColorTable, EveryLevelGivesTheSameBits) {
  const YuvColorTable table(kPqFilm, {}, ColorMatrix::kBt2020);
  for (const PixelFormat format : {PixelFormat::kI444, PixelFormat::kI420Deep,
                                   PixelFormat::kI422Deep, PixelFormat::kI444Deep}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {15, 3}, {16, 2}, {33, 5}, {531, 3}}) {
      for (const ColorRange range : {ColorRange::kLimited, ColorRange::kFull}) {
        const DeepFrame frame =
            make_deep_frame(format, 10, width, height, ColorMatrix::kBt2020, range);
        const Shown expected = show(table, frame.view, CpuLevel::kReference);
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_TRUE(show(table, frame.view, cpu) == expected)
              << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << ", " << width;
        }
      }
    }
  }
}

// Rows of whole groups are written into the target, others by way of a buffer.
TEST(YuvColorTable, WritesNothingBesideThePicture) {
  constexpr uint8_t kUntouched = 7;  // no level of limited range
  constexpr int kMargin = 64, kFewRows = 4;
  const YuvColorTable table(kPqFilm, {}, ColorMatrix::kBt2020);
  for (const int width : {64, 100, 128, 512, 640, 700, 1152}) {
    const DeepFrame frame =
        make_deep_frame(PixelFormat::kI420Deep, 10, width, kFewRows, ColorMatrix::kBt2020);
    const Shown expected = show(table, frame.view, CpuLevel::kReference);
    for (const CpuLevel cpu : available_levels()) {
      Bytes planes[3];
      PlaneTarget target;
      for (int i = 0; i < 3; ++i) {
        target.strides[i] = (i == 0 ? width : width / 2) + kMargin;
        planes[i].resize(static_cast<size_t>(target.strides[i] * kFewRows), kUntouched);
        target.planes[i] = planes[i].data();
      }
      table.convert(frame.view, target, cpu);
      for (int i = 0; i < 3; ++i) {
        const ptrdiff_t columns = target.strides[i] - kMargin;
        const int rows = i == 0 ? kFewRows : kFewRows / 2;
        for (int y = 0; y < kFewRows; ++y) {
          const auto row = planes[i].begin() + y * target.strides[i];
          const bool written = y < rows;
          EXPECT_TRUE(!written ||
                      std::equal(row, row + columns, expected.planes[i].begin() + y * columns))
              << cpu_level_name(cpu) << ", " << width;
          EXPECT_EQ(std::count(row + (written ? columns : 0), row + target.strides[i], kUntouched),
                    target.strides[i] - (written ? columns : 0))
              << cpu_level_name(cpu) << ", " << width;
        }
      }
    }
  }
}

TEST(YuvColorTable, BandsOfAPictureAreAsTheWhole) {
  const YuvColorTable table(kPqFilm, {}, ColorMatrix::kBt2020);
  for (const PixelFormat format : {PixelFormat::kI420Deep, PixelFormat::kI444Deep}) {
    const DeepFrame frame = make_deep_frame(format, 10, 40, 53, ColorMatrix::kBt2020);
    const Shown whole = show(table, frame.view, CpuLevel::kReference);
    EXPECT_TRUE(show(table, frame.view, CpuLevel::kReference, YuvColorTable::kRows) == whole);
    EXPECT_FALSE(show(table, frame.view, CpuLevel::kReference, 2) == whole);
  }
}

// Noise of any 16 bits is within the table's memory at every level.
TEST(YuvColorTable, AnySampleIsInTheTable) {
  for (const Transfer transfer : {Transfer::kPq, Transfer::kHlg}) {
    const YuvColorTable table({Primaries::kBt2020, transfer, 100}, {}, ColorMatrix::kBt601);
    const DeepFrame noise = make_deep_frame(PixelFormat::kI444Deep, 16, 64, 64);
    for (const int bits : {9, 12, 16}) {
      ImageView frame = noise.view;
      frame.bits = bits;
      const Shown expected = show(table, frame, CpuLevel::kReference);
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_TRUE(show(table, frame, cpu) == expected) << cpu_level_name(cpu) << ", " << bits;
      }
      for (const uint8_t luma : expected.planes[0]) EXPECT_TRUE(luma >= 16 && luma <= 235);
    }
  }
}

// Rows of 16-bit samples of full range, and what the exact transform makes of them.
struct YuvRow {
  std::vector<uint16_t> samples[3];
  std::vector<Rgb> exact;  // levels: Y, Cb, Cr
};
// kr, kb: the weights of red and blue in luma.
YuvRow color_grid(const ColorTransform& transform, const DeepYuvMatrix& m, double kr = 0.2627,
                  double kb = 0.0593) {
  constexpr int kSteps = 23;
  YuvRow row;
  for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
    const auto signal = [&](int step) { return transform.brightest_signal() * step / 22.0; };
    const Rgb rgb = {signal(i / (kSteps * kSteps)), signal(i / kSteps % kSteps),
                     signal(i % kSteps)};
    const double luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
    const double values[3] = {255 * luma / m.y, m.middle + 255 * (rgb[2] - luma) / m.cb_to_blue,
                              m.middle + 255 * (rgb[0] - luma) / m.cr_to_red};
    for (int c = 0; c < 3; ++c) {
      row.samples[c].push_back(static_cast<uint16_t>(std::lround(std::min(values[c], 65535.0))));
    }
    const Rgb shown = transform.show(rgb);
    const double shown_luma = 0.2126 * shown[0] + 0.7152 * shown[1] + 0.0722 * shown[2];
    row.exact.push_back({16 + 219 * shown_luma, 128 + 224 * (shown[2] - shown_luma) / 1.8556,
                         128 + 224 * (shown[0] - shown_luma) / 1.5748});
  }
  return row;
}

// Expects samples close to the exact ones: `percent` of them within two levels.
void expect_close(const YuvColorTable& table, const YuvRow& row, size_t percent) {
  const int count = static_cast<int>(row.exact.size());
  ImageView frame{.format = PixelFormat::kI444Deep, .width = count, .height = 1};
  frame.range = ColorRange::kFull;
  frame.bits = 16;
  for (int i = 0; i < 3; ++i) {
    frame.planes[i] = reinterpret_cast<const uint8_t*>(row.samples[i].data());
    frame.strides[i] = ptrdiff_t{2} * count;
  }
  const Shown shown = show(table, frame, CpuLevel::kReference);
  for (size_t c = 0; c < 3; ++c) {
    std::vector<double> errors;
    for (size_t i = 0; i < row.exact.size(); ++i) {
      errors.push_back(std::abs(shown.planes[c][i] - row.exact[i][c]));
    }
    std::ranges::sort(errors);
    EXPECT_LT(errors[errors.size() / 2], 0.6);  // half of it is dithering
    EXPECT_LT(errors[errors.size() * percent / 100], 2.0);
  }
}

TEST(YuvColorTable, IsCloseToTheExactTransform) {
  for (const Transfer transfer : {Transfer::kPq, Transfer::kHlg, Transfer::kSdr}) {
    const SourceColor source = {Primaries::kBt2020, transfer, 1000};
    const YuvRow row = color_grid(ColorTransform(source, {}),
                                  deep_matrix({ColorMatrix::kBt2020, ColorRange::kFull}, 16));
    const YuvColorTable table(source, {}, ColorMatrix::kBt2020);
    expect_close(table, row, 95);  // the rest is at the edge of the primaries
  }
}

TEST(YuvColorTable, OrdinaryColoursOnWiderDisplaysAreWithinTwoLevels) {
  const SourceColor source = {Primaries::kBt709, Transfer::kSdr};
  for (const Primaries primaries : {Primaries::kP3, Primaries::kBt2020}) {
    const DisplayColor display = {primaries, 300, 2.2};
    const YuvRow row =
        color_grid(ColorTransform(source, display),
                   deep_matrix({ColorMatrix::kBt709, ColorRange::kFull}, 16), 0.2126, 0.0722);
    expect_close(YuvColorTable(source, display, ColorMatrix::kBt709), row,
                 99);  // the rest is dark and saturated
  }
}

// The four pixels of a square have one chroma sample, which is that of their mean luma.
TEST(YuvColorTable, ChromaIsThatOfTheMeanLuma) {
  const YuvColorTable table(kPqFilm, {}, ColorMatrix::kBt2020);
  const auto chroma_of = [&](uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
    const uint16_t luma[4] = {a, b, c, d}, cb = 480, cr = 600;
    ImageView frame{.format = PixelFormat::kI420Deep, .width = 2, .height = 2};
    frame.bits = 10;
    const uint16_t* const planes[3] = {luma, &cb, &cr};
    for (int i = 0; i < 3; ++i) {
      frame.planes[i] = reinterpret_cast<const uint8_t*>(planes[i]);
      frame.strides[i] = i == 0 ? 4 : 2;
    }
    const Shown shown = show(table, frame, CpuLevel::kReference);
    return std::pair(shown.planes[1], shown.planes[2]);
  };
  EXPECT_EQ(chroma_of(300, 400, 500, 600), chroma_of(450, 450, 450, 450));
  EXPECT_NE(chroma_of(300, 400, 500, 600), chroma_of(300, 300, 300, 300));
}

TEST(YuvColorTable, GreysAreExactlyGrey) {
  constexpr int kCodes = 1024;
  const YuvColorTable table(kPqFilm, {}, ColorMatrix::kBt2020);
  const ColorTransform transform(kPqFilm, {});
  std::vector<uint16_t> luma(kCodes), chroma(kCodes, 512);
  for (size_t i = 0; i < luma.size(); ++i) luma[i] = static_cast<uint16_t>(i);
  ImageView frame{.format = PixelFormat::kI444Deep, .width = kCodes, .height = 1};
  frame.matrix = ColorMatrix::kBt2020;
  frame.bits = 10;
  for (int i = 0; i < 3; ++i) {
    frame.planes[i] = reinterpret_cast<const uint8_t*>(i == 0 ? luma.data() : chroma.data());
    frame.strides[i] = ptrdiff_t{2} * kCodes;
  }
  const Shown shown = show(table, frame, CpuLevel::kReference);
  for (int code = 0; code < kCodes; ++code) {
    const auto at = static_cast<size_t>(code);
    EXPECT_EQ(shown.planes[1][at], 128);
    EXPECT_EQ(shown.planes[2][at], 128);
    const double signal = std::clamp((code - 64) / 876.0, 0.0, 1.0);
    const Rgb exact = transform.show({signal, signal, signal});
    EXPECT_NEAR(shown.planes[0][at], 16 + 219 * exact[0], 1.3) << code;
  }
}

}  // namespace
}  // namespace codecs::test
