#include "codecs/picture/block_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace codecs {
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

}  // namespace
}  // namespace codecs
