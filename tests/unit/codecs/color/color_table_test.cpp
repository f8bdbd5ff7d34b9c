// The table of colours: every level against the reference, and the reference against the exact
// transform.
#include "codecs/color/color_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr SourceColor kPqFilm = {Primaries::kBt2020, Transfer::kPq, 1000};

struct Shown {
  Bytes planes[3];
  bool operator==(const Shown&) const = default;
};

Shown show(const ColorTable& table, const ImageView& frame, CpuLevel cpu) {
  Shown shown;
  PlaneTarget target;
  const bool rgb = frame.format == PixelFormat::kRgbDeep;
  for (int i = 0; i < (rgb ? 1 : 3); ++i) {
    const bool chroma = i > 0;
    const bool full = frame.format == PixelFormat::kI444 || frame.format == PixelFormat::kI444Deep;
    const int width = chroma && !full ? (frame.width + 1) / 2 : frame.width;
    const int step = chroma ? chroma_rows_step(frame.format) : 1;
    target.strides[i] = ptrdiff_t{width} * (rgb ? 4 : 1);
    shown.planes[i].resize(static_cast<size_t>(target.strides[i]) *
                           static_cast<size_t>((frame.height + step - 1) / step));
    target.planes[i] = shown.planes[i].data();
  }
  table.convert(frame, target, cpu);
  return shown;
}

TEST(ColorTable, EveryLevelGivesTheSameBits) {
  const ColorTable yuv(kPqFilm, {}, ColorTable::Output::kYuv);
  const ColorTable bgra(kPqFilm, {}, ColorTable::Output::kBgra);
  for (const PixelFormat format : kDeepFormats) {
    const ColorTable& table = format == PixelFormat::kRgbDeep ? bgra : yuv;
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

// Noise of any 16 bits is within the table's memory at every level.
TEST(ColorTable, AnySampleIsInTheTable) {
  const ColorTable table(kPqFilm, {}, ColorTable::Output::kYuv);
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

// A row of 16-bit R, G, B, and what the exact transform makes of it.
struct RgbRow {
  Bytes samples;
  std::vector<Rgb> exact;
};
void add_color(RgbRow& row, const ColorTransform& transform, const Rgb& signal) {
  constexpr double kMost = 65535;
  Rgb rounded{};
  for (size_t i = 0; i < 3; ++i) {
    const auto sample = static_cast<uint16_t>(std::lround(signal[i] * kMost));
    uint8_t bytes[2];
    std::memcpy(bytes, &sample, sizeof sample);
    row.samples.insert(row.samples.end(), bytes, bytes + 2);
    rounded[i] = sample / kMost;
  }
  row.exact.push_back(transform.show(rounded));
}

TEST(ColorTable, IsCloseToTheExactTransform) {
  for (const Transfer transfer : {Transfer::kPq, Transfer::kHlg, Transfer::kSdr}) {
    const SourceColor source = {Primaries::kBt2020, transfer, 1000};
    const ColorTransform transform(source, {});
    RgbRow row;
    constexpr int kSteps = 23;
    for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
      const auto signal = [&](int step) { return transform.brightest_signal() * step / 22.0; };
      add_color(row, transform,
                {signal(i / (kSteps * kSteps)), signal(i / kSteps % kSteps), signal(i % kSteps)});
    }
    ImageView frame{
        .format = PixelFormat::kRgbDeep, .width = static_cast<int>(row.exact.size()), .height = 1};
    frame.bits = 16;
    frame.planes[0] = row.samples.data();
    frame.strides[0] = static_cast<ptrdiff_t>(row.samples.size());
    const ColorTable table(source, {}, ColorTable::Output::kBgra);
    const Shown shown = show(table, frame, CpuLevel::kReference);
    std::vector<double> errors;
    for (size_t i = 0; i < row.exact.size(); ++i) {
      for (size_t c = 0; c < 3; ++c) {
        errors.push_back(std::abs(shown.planes[0][4 * i + 2 - c] - 255 * row.exact[i][c]));
      }
    }
    std::ranges::sort(errors);
    EXPECT_LT(errors[errors.size() / 2], 0.6);         // half of it is dithering
    EXPECT_LT(errors[errors.size() * 95 / 100], 2.0);  // the rest is at the edge of the primaries
  }
}

TEST(ColorTable, GreysAreExactlyGrey) {
  constexpr int kCodes = 1024;
  const ColorTable table(kPqFilm, {}, ColorTable::Output::kYuv);
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
