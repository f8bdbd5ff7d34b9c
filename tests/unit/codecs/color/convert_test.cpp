#include "codecs/color/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

uint8_t sample_of(const ImageView& frame, int plane, int y, int offset) {
  return frame.planes[plane][frame.strides[plane] * y + offset];
}

// Red, green, blue computed from the text of BT.601 and BT.709.
void exact_colour(const ImageView& frame, int x, int y, double* rgb) {
  const bool packed = has_interleaved_chroma(frame.format);
  const int row = y / chroma_rows_step(frame.format);
  const bool limited = frame.range == ColorRange::kLimited;
  const double luma = sample_of(frame, 0, y, x);
  const double cb = packed ? sample_of(frame, 1, row, x / 2 * 2) : sample_of(frame, 1, row, x / 2);
  const double cr =
      packed ? sample_of(frame, 1, row, x / 2 * 2 + 1) : sample_of(frame, 2, row, x / 2);
  const double e_y = limited ? (luma - 16) / 219 : luma / 255;
  const double e_cb = (cb - 128) / (limited ? 224 : 255);
  const double e_cr = (cr - 128) / (limited ? 224 : 255);
  const bool bt601 = frame.matrix == ColorMatrix::kBt601;
  const double kr = bt601 ? 0.299 : 0.2126, kb = bt601 ? 0.114 : 0.0722;
  rgb[0] = e_y + 2 * (1 - kr) * e_cr;
  rgb[2] = e_y + 2 * (1 - kb) * e_cb;
  rgb[1] = (e_y - kr * rgb[0] - kb * rgb[2]) / (1 - kr - kb);
  for (int c = 0; c < 3; ++c) rgb[c] = std::clamp(rgb[c] * 255, 0.0, 255.0);
}

Frame noise_frame(PixelFormat format, int width, int height, int padding = 0) {
  Frame frame = make_frame(make_picture(Content::kNoise, width, height), format, padding);
  uint32_t state = 99;
  for (Bytes& plane : frame.planes) {
    for (uint8_t& byte : plane)
      byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  }
  return frame;
}

TEST(Convert, YuvIsWithinHalfALevelOfTheStandards) {
  for (const PixelFormat format :
       {PixelFormat::kNv12, PixelFormat::kI420, PixelFormat::kNv16, PixelFormat::kI422}) {
    Frame frame = noise_frame(format, 512, 256);
    for (const ColorMatrix matrix : {ColorMatrix::kBt601, ColorMatrix::kBt709}) {
      for (const ColorRange range : {ColorRange::kLimited, ColorRange::kFull}) {
        frame.view.matrix = matrix;
        frame.view.range = range;
        GuardedPixels out(512, 256);
        convert_to_bgra(frame.view, 0, 0, 512, 256, out.target(), CpuLevel::kReference);
        double worst = 0;
        for (int y = 0; y < 256; ++y) {
          for (int x = 0; x < 512; ++x) {
            double rgb[3];
            exact_colour(frame.view, x, y, rgb);
            for (int c = 0; c < 3; ++c) {
              worst = std::max(worst, std::abs(out.at(x, y)[2 - c] - rgb[c]));
            }
            ASSERT_EQ(out.at(x, y)[3], 255);
          }
        }
        EXPECT_LT(worst, 0.55) << static_cast<int>(matrix) << static_cast<int>(range);
      }
    }
  }
}

TEST(Convert, PackedFormatsKeepTheirColours) {
  const Picture picture = make_picture(Content::kNoise, 61, 7);
  for (const PixelFormat format : {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb}) {
    const Frame frame = make_frame(picture, format, 3);
    for (const CpuLevel cpu : available_levels()) {
      GuardedPixels out(61, 7);
      convert_to_bgra(frame.view, 0, 0, 61, 7, out.target(), cpu);
      for (int y = 0; y < 7; ++y) {
        for (int x = 0; x < 61; ++x) {
          const uint8_t* rgb = picture.at(x, y);
          const uint8_t expected[] = {rgb[2], rgb[1], rgb[0], 255};
          ASSERT_TRUE(std::equal(expected, expected + 4, out.at(x, y)))
              << cpu_level_name(cpu) << ", format " << static_cast<int>(format);
        }
      }
    }
  }
}

TEST(Convert, EveryLevelGivesTheBitsOfTheReference) {
  for (const PixelFormat format : kAllFormats) {
    for (int size = 1; size <= 37; ++size) {
      for (const auto& [width, height] : {std::array{size, 5}, std::array{size * 7, 3}}) {
        Frame frame = noise_frame(format, width, height, size % 5);
        for (const ColorMatrix matrix : {ColorMatrix::kBt601, ColorMatrix::kBt709}) {
          for (const ColorRange range : {ColorRange::kLimited, ColorRange::kFull}) {
            frame.view.matrix = matrix;
            frame.view.range = range;
            GuardedPixels expected(width, height);
            convert_to_bgra(frame.view, 0, 0, width, height, expected.target(),
                            CpuLevel::kReference);
            for (const CpuLevel cpu : available_levels()) {
              GuardedPixels out(width, height);
              convert_to_bgra(frame.view, 0, 0, width, height, out.target(), cpu);
              ASSERT_EQ(out.pixels(), expected.pixels())
                  << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << ", width "
                  << width;
              ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
            }
          }
        }
      }
    }
  }
}

TEST(Convert, ARectangleIsThatPartOfTheFrame) {
  const int width = 83, height = 9;
  for (const PixelFormat format : kAllFormats) {
    const Frame frame = noise_frame(format, width, height);
    for (const CpuLevel cpu : available_levels()) {
      GuardedPixels whole(width, height);
      convert_to_bgra(frame.view, 0, 0, width, height, whole.target(), cpu);
      for (int x = 0; x < width; x += 3) {
        for (int y = 0; y < height; ++y) {
          const int w = (width - x + 1) / 2 + x % 2, h = height - y;
          if (x + w > width) continue;
          GuardedPixels part(w, h);
          convert_to_bgra(frame.view, x, y, w, h, part.target(), cpu);
          for (int row = 0; row < h; ++row) {
            ASSERT_TRUE(std::equal(part.at(0, row), part.at(w, row), whole.at(x, y + row)))
                << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << " at " << x
                << "," << y;
          }
          ASSERT_TRUE(part.guards_untouched());
        }
      }
    }
  }
}

// Wider than the pieces in which rows are converted.
TEST(Convert, StreamingGivesTheSamePixels) {
  const int width = 1203, height = 7;
  for (const PixelFormat format : kAllFormats) {
    const Frame frame = noise_frame(format, width, height, 3);
    for (const CpuLevel cpu : available_levels()) {
      for (const auto& [x, y, w, h] :
           {std::array{0, 0, width, height}, std::array{1, 1, width - 1, height - 1},
            std::array{2, 3, 511, 1}, std::array{7, 2, 2, 5}, std::array{5, 0, 1, 2}}) {
        GuardedPixels expected(w, h), streamed(w, h);
        convert_to_bgra(frame.view, x, y, w, h, expected.target(), cpu);
        stream_to_bgra(frame.view, x, y, w, h, streamed.target(), cpu);
        ASSERT_EQ(streamed.pixels(), expected.pixels())
            << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << " at " << x << ","
            << y;
        ASSERT_TRUE(streamed.guards_untouched());
      }
    }
  }
}

}  // namespace
}  // namespace codecs::test
