#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "codecs/color/convert.h"
#include "codecs/color/scaling.h"
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
namespace {

// Taps as a compositor makes them: pixel centres in 1/256, clamped at the picture's edges.
std::vector<Tap> make_taps(int source, int target, int first, int count) {
  std::vector<Tap> taps;
  for (int i = first; i < first + count; ++i) {
    const int64_t position = (int64_t{2 * i + 1} * source * 256 / target - 256) / 2;
    const int64_t clamped = std::clamp<int64_t>(position, 0, int64_t{source - 1} * 256);
    const auto at = static_cast<int32_t>(clamped / 256);
    taps.push_back({at, std::min(at + 1, source - 1), static_cast<uint16_t>(clamped % 256)});
  }
  return taps;
}

struct PaddedPicture {
  PaddedPicture(int width, int height, size_t padding)
      : stride(static_cast<size_t>(width) * 4 + padding),
        bytes(stride * static_cast<size_t>(height - 1) + static_cast<size_t>(width) * 4) {
    const Picture noise = make_picture(Content::kNoise, static_cast<int>(bytes.size() / 3 + 1), 1);
    std::copy_n(noise.rgb.begin(), bytes.size(), bytes.begin());
  }
  size_t stride;
  Bytes bytes;
};

uint8_t mix(int a, int b, int weight) {
  return static_cast<uint8_t>((a * (256 - weight) + b * weight + 128) / 256);
}

Bytes plain_resample(const PaddedPicture& source, const std::vector<Tap>& columns,
                     const std::vector<Tap>& rows) {
  Bytes out;
  const auto horizontal = [&](int y, const Tap& tap, size_t c) {
    const uint8_t* row = source.bytes.data() + source.stride * static_cast<size_t>(y);
    return mix(row[static_cast<size_t>(tap.first) * 4 + c],
               row[static_cast<size_t>(tap.second) * 4 + c], tap.weight);
  };
  for (const Tap& row : rows) {
    for (const Tap& column : columns) {
      for (size_t c = 0; c < 4; ++c) {
        out.push_back(
            mix(horizontal(row.first, column, c), horizontal(row.second, column, c), row.weight));
      }
    }
  }
  return out;
}

void expect_equal(const PaddedPicture& source, const std::vector<Tap>& columns,
                  const std::vector<Tap>& rows) {
  const Bytes expected = plain_resample(source, columns, rows);
  for (const CpuLevel cpu : available_levels()) {
    GuardedPixels out(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
    Bytes scratch(columns.size() * 8);
    resample_bilinear(source.bytes.data(), static_cast<ptrdiff_t>(source.stride), columns, rows,
                      scratch, out.target(), cpu);
    ASSERT_EQ(out.pixels(), expected)
        << cpu_level_name(cpu) << ", " << columns.size() << "×" << rows.size();
    ASSERT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
  }
}

TEST(Resample, EveryScaleOfASmallPicture) {
  for (int size = 1; size <= 37; ++size) {
    const PaddedPicture source(size, 5, static_cast<size_t>(size % 3));
    for (const int width :
         {1, 2, 7, size, size + 1, 2 * size, 5 * size, (size + 1) / 2, (size + 4) / 5}) {
      for (const int height : {1, 4, 5, 12}) {
        expect_equal(source, make_taps(size, width, 0, width), make_taps(5, height, 0, height));
      }
    }
  }
}

TEST(Resample, ScalesOfAWideRow) {
  const PaddedPicture source(1000, 3, 0);
  for (const int width :
       {130, 251, 333, 400, 499, 500, 501, 640, 750, 999, 1000, 1001, 1500, 3000}) {
    expect_equal(source, make_taps(1000, width, 0, width), make_taps(3, 5, 0, 5));
  }
}

TEST(Resample, APartIsThatPartOfTheWhole) {
  const PaddedPicture source(100, 60, 0);
  const auto columns = make_taps(100, 171, 0, 171);
  const auto rows = make_taps(60, 91, 0, 91);
  const Bytes whole = plain_resample(source, columns, rows);
  for (const CpuLevel cpu : available_levels()) {
    GuardedPixels out(59, 40);
    Bytes scratch(59 * 8);
    resample_bilinear(source.bytes.data(), static_cast<ptrdiff_t>(source.stride),
                      make_taps(100, 171, 83, 59), make_taps(60, 91, 37, 40), scratch, out.target(),
                      cpu);
    for (int y = 0; y < 40; ++y) {
      ASSERT_TRUE(
          std::equal(out.at(0, y), out.at(59, y), whole.begin() + ((37 + y) * 171 + 83) * 4))
          << cpu_level_name(cpu) << ", row " << y;
    }
  }
}

// Taps may be in any order, as for mirrored pictures.
TEST(Resample, TapsInAnyOrderAndWithAnyWeight) {
  const PaddedPicture source(300, 40, 0);
  std::vector<Tap> columns, rows;
  uint32_t state = 7;
  const auto random = [&state](uint32_t end) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % end;
  };
  for (int i = 0; i < 200; ++i) {
    const auto first = static_cast<int32_t>(random(299));
    columns.push_back(
        {first, first + static_cast<int32_t>(random(2)), static_cast<uint16_t>(random(257))});
  }
  for (int i = 0; i < 50; ++i) {
    const auto first = static_cast<int32_t>(random(39));
    rows.push_back({first, first + static_cast<int32_t>(random(2)),
                    static_cast<uint16_t>(i % 5 == 0 ? 256 : random(257))});
  }
  expect_equal(source, columns, rows);
  std::reverse(columns.begin(), columns.end());
  expect_equal(source, columns, rows);
}

TEST(Resample, NothingToWrite) {
  const PaddedPicture source(4, 4, 0);
  const auto taps = make_taps(4, 4, 0, 4);
  GuardedPixels out(4, 4);
  const Bytes before = out.pixels();
  Bytes scratch(32);
  for (const CpuLevel cpu : available_levels()) {
    resample_bilinear(source.bytes.data(), 16, {}, taps, scratch, out.target(), cpu);
    resample_bilinear(source.bytes.data(), 16, taps, {}, scratch, out.target(), cpu);
  }
  EXPECT_EQ(out.pixels(), before);
}

}  // namespace
}  // namespace codecs::test
