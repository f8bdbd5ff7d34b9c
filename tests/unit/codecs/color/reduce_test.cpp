#include "codecs/color/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "codecs/color/convert.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

// The frame as BGRA, with its alpha if the format has one.
Bytes pixels_of(const ImageView& frame) {
  Bytes bgra(static_cast<size_t>(frame.width) * static_cast<size_t>(frame.height) * 4);
  convert_to_bgra(frame, 0, 0, frame.width, frame.height, {bgra.data(), frame.width * 4},
                  CpuLevel::kReference);
  if (frame.format != PixelFormat::kRgba && frame.format != PixelFormat::kBgra) return bgra;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      bgra[static_cast<size_t>(y * frame.width + x) * 4 + 3] =
          frame.planes[0][frame.strides[0] * y + x * 4 + 3];
    }
  }
  return bgra;
}

double mean(const Bytes& bgra, int width, int height, int reduction, int x, int y, int channel) {
  const int right = std::min((x + 1) << reduction, width);
  const int bottom = std::min((y + 1) << reduction, height);
  double sum = 0;
  int count = 0;
  for (int v = y << reduction; v < bottom; ++v) {
    for (int u = x << reduction; u < right; ++u, ++count) {
      sum += bgra[static_cast<size_t>(v * width + u) * 4 + static_cast<size_t>(channel)];
    }
  }
  return sum / count;
}

TEST(Reduce, EveryPixelIsTheMeanOfItsSquare) {
  for (const PixelFormat format : kAllFormats) {
    for (const auto& [width, height] : {std::array{64, 16}, std::array{333, 37}, std::array{61, 9},
                                        std::array{5, 3}, std::array{1, 1}, std::array{529, 8}}) {
      const Frame frame = make_frame(make_picture(Content::kNoise, width, height), format, 3);
      const Bytes bgra = pixels_of(frame.view);
      for (int reduction = 1; reduction <= kMaxReduction; ++reduction) {
        const int w = reduced_side(width, reduction), h = reduced_side(height, reduction);
        for (const CpuLevel cpu : available_levels()) {
          GuardedPixels out(w, h);
          reduce_to_bgra(frame.view, reduction, 0, 0, w, h, out.target(), cpu);
          ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
          for (int i = 0; i < w * h * 4; ++i) {
            const int x = i / 4 % w, y = i / 4 / w;
            const double exact = mean(bgra, width, height, reduction, x, y, i % 4);
            ASSERT_EQ(out.at(x, y)[i % 4], static_cast<int>(std::floor(exact + 0.5)))
                << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << ", " << width
                << "×" << height << " by 2^" << reduction << " at " << x << "," << y;
          }
        }
      }
    }
  }
}

TEST(Reduce, ARectangleIsThatPartOfTheReducedFrame) {
  const int width = 1201, height = 83;
  for (const PixelFormat format : kAllFormats) {
    const Frame frame = make_frame(make_picture(Content::kNoise, width, height), format);
    for (int reduction = 1; reduction <= kMaxReduction; ++reduction) {
      const int whole_width = reduced_side(width, reduction);
      const int whole_height = reduced_side(height, reduction);
      GuardedPixels whole(whole_width, whole_height);
      reduce_to_bgra(frame.view, reduction, 0, 0, whole_width, whole_height, whole.target(),
                     CpuLevel::kReference);
      for (const CpuLevel cpu : available_levels()) {
        for (const auto& [x, y] : {std::array{0, 0}, std::array{4, 8}, std::array{68, 4}}) {
          for (const int w : {1, 7, 33, whole_width - x}) {
            const int h = whole_height - y;
            GuardedPixels part(w, h);
            reduce_to_bgra(frame.view, reduction, x, y, w, h, part.target(), cpu);
            for (int row = 0; row < h; ++row) {
              ASSERT_TRUE(std::equal(part.at(0, row), part.at(w, row), whole.at(x, y + row)))
                  << cpu_level_name(cpu) << ", format " << static_cast<int>(format) << " by 2^"
                  << reduction << " at " << x << "," << y;
            }
            ASSERT_TRUE(part.guards_untouched());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace codecs::test
