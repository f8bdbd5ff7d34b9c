#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "codecs/picture/jpeg.h"
#include "codecs/picture/sampled_picture.h"
#include "tests/support/jpeg_reader.h"

namespace codecs {
namespace {

// A frame of one colour; the components are stored values.
struct FlatFrame {
  FlatFrame(PixelFormat format, int c0, int c1, int c2, int bits = 8) {
    constexpr int kWidth = 61;
    constexpr int kHeight = 33;
    constexpr int kStride = 62;  // even: each row of interleaved chroma starts with Cb
    view.format = format;
    view.width = kWidth;
    view.height = kHeight;
    view.bits = bits;
    const bool planar = format >= PixelFormat::kNv12 && format != PixelFormat::kRgbDeep;
    const int components[3] = {c0, c1, c2};
    for (int plane = 0; plane < 3; ++plane) {
      std::vector<uint8_t>& bytes = planes[plane];
      for (int i = 0; i < 4 * kStride * kHeight; ++i) {
        int value = components[plane];
        if (!planar) value = i % pixel_samples() < 3 ? components[order(i % pixel_samples())] : 9;
        if (planar && plane == 1 && has_interleaved_chroma(format)) value = components[1 + i % 2];
        bytes.push_back(static_cast<uint8_t>(value));
        if (is_deep(format)) bytes.push_back(static_cast<uint8_t>(value >> 8));
      }
      view.planes[plane] = bytes.data();
      view.strides[plane] = ptrdiff_t{planar ? kStride : kWidth} * (planar ? 1 : pixel_samples()) *
                            (is_deep(format) ? 2 : 1);
    }
  }
  int pixel_samples() const {
    return view.format == PixelFormat::kRgb || view.format == PixelFormat::kRgbDeep ? 3 : 4;
  }
  int order(int i) const { return view.format == PixelFormat::kBgra ? 2 - i : i; }

  ImageView view;
  std::vector<uint8_t> planes[3];
};

void expect_colour(const FlatFrame& frame, int red, int green, int blue) {
  constexpr int kWidth = 16;
  constexpr int kHeight = 8;
  std::vector<uint8_t> rgb(3 * kWidth * kHeight);
  sample_to_rgb(frame.view, kWidth, kHeight, rgb);
  for (size_t i = 0; i < rgb.size(); i += 3) {
    ASSERT_NEAR(rgb[i], red, 2) << "format " << static_cast<int>(frame.view.format);
    ASSERT_NEAR(rgb[i + 1], green, 2) << "format " << static_cast<int>(frame.view.format);
    ASSERT_NEAR(rgb[i + 2], blue, 2) << "format " << static_cast<int>(frame.view.format);
  }
}

TEST(SampledPicture, TakesRgbFormats) {
  for (const auto format : {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb}) {
    expect_colour({format, 200, 100, 50}, 200, 100, 50);
  }
  expect_colour({PixelFormat::kRgbDeep, 200 << 4, 100 << 4, 50 << 4, 12}, 200, 100, 50);
}

// Pure red in BT.709, limited range: Y 63, Cb 102, Cr 240.
TEST(SampledPicture, TakesYuvFormats) {
  for (const auto format : {PixelFormat::kNv12, PixelFormat::kI420, PixelFormat::kNv16,
                            PixelFormat::kI422, PixelFormat::kI444}) {
    expect_colour({format, 63, 102, 240}, 255, 0, 0);
  }
  for (const auto format :
       {PixelFormat::kI420Deep, PixelFormat::kI422Deep, PixelFormat::kI444Deep}) {
    expect_colour({format, 63 << 2, 102 << 2, 240 << 2, 10}, 255, 0, 0);
  }
}

TEST(SampledPicture, KnowsMatrixAndRange) {
  FlatFrame of_601(PixelFormat::kI420, 81, 90, 240);  // red of BT.601
  of_601.view.matrix = ColorMatrix::kBt601;
  expect_colour(of_601, 255, 0, 0);
  FlatFrame full(PixelFormat::kI420, 255, 128, 128);
  full.view.range = ColorRange::kFull;
  expect_colour(full, 255, 255, 255);
  expect_colour({PixelFormat::kI420, 235, 128, 128}, 255, 255, 255);
}

TEST(SampledPicture, EachPixelIsTheMeanOfItsPart) {
  FlatFrame frame(PixelFormat::kRgb, 0, 0, 0);
  for (int y = 0; y < frame.view.height; ++y) {  // the right half is white
    uint8_t* row = frame.planes[0].data() + frame.view.strides[0] * y;
    std::memset(row + 3 * 30, 255, 3 * 31);
  }
  uint8_t rgb[3 * 2];
  sample_to_rgb(frame.view, 2, 1, rgb);
  EXPECT_EQ(rgb[0], 0);
  EXPECT_EQ(rgb[3], 255);
  uint8_t one[3];
  sample_to_rgb(frame.view, 1, 1, one);
  EXPECT_NEAR(one[1], 128, 2);
}

TEST(Jpeg, ComesBackAsItWas) {
  constexpr int kWidth = 48;
  constexpr int kHeight = 20;
  std::vector<uint8_t> rgb;
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const bool left = i % kWidth < kWidth / 2;
    rgb.insert(rgb.end(), {static_cast<uint8_t>(left ? 220 : 20), 60, 120});
  }
  const auto jpeg = encode_jpeg(rgb, kWidth, kHeight, 90);
  ASSERT_GT(jpeg.size(), 100u);
  const auto back = sail::test::read_jpeg(jpeg);
  EXPECT_EQ(back.width, kWidth);
  EXPECT_EQ(back.height, kHeight);
  EXPECT_NEAR(back.at(4, 10)[0], 220, 6);
  EXPECT_NEAR(back.at(44, 10)[0], 20, 6);
  EXPECT_NEAR(back.at(44, 10)[2], 120, 6);
  EXPECT_TRUE(encode_jpeg(rgb, 0, kHeight, 90).empty());
}

TEST(Jpeg, TheBestQualityThatFitsIsTaken) {
  constexpr int kSide = 64;
  std::vector<uint8_t> noise;
  uint32_t state = 1;
  for (int i = 0; i < 3 * kSide * kSide; ++i) {
    state = state * 1664525 + 1013904223;
    noise.push_back(static_cast<uint8_t>(state >> 24));
  }
  const auto best = encode_jpeg(noise, kSide, kSide, 75);
  const auto next = encode_jpeg(noise, kSide, kSide, 50);
  ASSERT_LT(next.size(), best.size());
  EXPECT_EQ(encode_jpeg_within(noise, kSide, kSide, best.size()), best);
  EXPECT_EQ(encode_jpeg_within(noise, kSide, kSide, best.size() - 1), next);
  EXPECT_TRUE(encode_jpeg_within(noise, kSide, kSide, 10).empty());
  EXPECT_TRUE(encode_jpeg_within(noise, 0, kSide, 1000).empty());
}

}  // namespace
namespace {

constexpr int kWidth = 40;
constexpr int kHeight = 28;
constexpr int kSide = 16;  // block size

uint8_t blue_of(int x) {
  return static_cast<uint8_t>(x * 6);
}
uint8_t green_of(int y) {
  return static_cast<uint8_t>(y * 9);
}

// Raw blocks of a picture whose colours encode row and column.
class RampBlocks {
 public:
  RampBlocks() {
    for (int top = 0; top < kHeight; top += kSide) {
      for (int left = 0; left < kWidth; left += kSide) {
        std::vector<uint8_t>& bytes = blocks_[{left / kSide, top / kSide}];
        for (int y = top; y < std::min(top + kSide, kHeight); ++y) {
          for (int x = left; x < std::min(left + kSide, kWidth); ++x) {
            bytes.insert(bytes.end(), {blue_of(x), green_of(y), 7, 255});
          }
        }
      }
    }
  }
  std::vector<uint8_t> sample(int width, int height) const {
    std::vector<uint8_t> rgb(size_t{3} * static_cast<size_t>(width) * static_cast<size_t>(height));
    sample_blocks({.codec = CodecId::kRaw,
                   .compression = Compression::kNone,
                   .color = {},
                   .width = kWidth,
                   .height = kHeight,
                   .block_width = kSide,
                   .block_height = kSide,
                   .block = [this](int column, int row) -> std::span<const uint8_t> {
                     return blocks_.at({column, row});
                   }},
                  width, height, rgb);
    return rgb;
  }

 private:
  std::map<std::pair<int, int>, std::vector<uint8_t>> blocks_;
};

TEST(BlockPicture, OfTheSameSizeIsThePicture) {
  const std::vector<uint8_t> rgb = RampBlocks().sample(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const uint8_t* pixel = &rgb[static_cast<size_t>(3 * (y * kWidth + x))];
      ASSERT_EQ(pixel[0], 7);
      ASSERT_EQ(pixel[1], green_of(y)) << x << ", " << y;
      ASSERT_EQ(pixel[2], blue_of(x)) << x << ", " << y;
    }
  }
}

// Each output row is computed from its own source rows only, however they are split into strips.
TEST(BlockPicture, RowsAreMadeOfTheirOwnRows) {
  for (int height = 1; height <= kHeight; ++height) {
    const std::vector<uint8_t> rgb = RampBlocks().sample(kWidth / 2, height);
    for (int row = 0; row < height; ++row) {
      const int green = rgb[static_cast<size_t>(3 * row * (kWidth / 2)) + 1];
      EXPECT_GE(green, green_of(row * kHeight / height)) << row << " of " << height;
      EXPECT_LE(green, green_of(((row + 1) * kHeight - 1) / height)) << row << " of " << height;
    }
  }
}

// Films can name any matrix. Only blocks without a second stage are then planes.
TEST(BlockPicture, CompressedRawBlocksAreNeverPlanes) {
  constexpr int kOfPlanes = 16 * 16 * 3 / 2;
  const std::vector<uint8_t> block(kOfPlanes, 255);
  std::vector<uint8_t> rgb(size_t{3} * 16 * 16);
  sample_blocks({.codec = CodecId::kRaw,
                 .compression = Compression::kLz4,
                 .color = {ColorMatrix::kBt709, ColorRange::kLimited},
                 .width = 16,
                 .height = 16,
                 .block_width = 16,
                 .block_height = 16,
                 .block = [&](int, int) { return std::span(block); }},
                16, 16, rgb);
  EXPECT_EQ(std::ranges::count(rgb, rgb[0]), std::ssize(rgb)) << "an unreadable block is grey";
}

}  // namespace
}  // namespace codecs
