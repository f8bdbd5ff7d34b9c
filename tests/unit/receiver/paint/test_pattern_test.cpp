#include "receiver/paint/test_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace receiver {
namespace {

using sail::Rect;
using sail::TestPattern;

constexpr sail::Size kPatternWall{512, 300};

Bitmap pattern_on(TestPattern pattern, const Rect& wall_rect, sail::Size upright) {
  return test_pattern_bitmap(pattern, {wall_rect, upright}, kPatternWall);
}
const uint8_t* pixel_of(const Bitmap& bitmap, int x, int y) {
  return &bitmap.pixels[static_cast<size_t>(y * bitmap.size.width + x) * 4];
}
Bitmap whole_pattern(TestPattern pattern) {
  return pattern_on(pattern, {0, 0, kPatternWall.width, kPatternWall.height}, kPatternWall);
}

TEST(TestPattern, ContinuesBehindMullions) {
  for (const TestPattern pattern : {TestPattern::kRamp, TestPattern::kGrid}) {
    const Bitmap whole = whole_pattern(pattern);
    const Rect part{270, 40, 200, 260};
    const Bitmap tile = pattern_on(pattern, part, {part.width, part.height});
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        ASSERT_TRUE(std::equal(pixel_of(tile, x, y), pixel_of(tile, x, y) + 4,
                               pixel_of(whole, part.x + x, part.y + y)))
            << x << ", " << y;
      }
    }
  }
}

TEST(TestPattern, ARampGoesFromBlackToWhite) {
  const Bitmap whole = whole_pattern(TestPattern::kRamp);
  std::set<int> coarse;
  for (int x = 0; x < kPatternWall.width; ++x) {
    EXPECT_EQ(pixel_of(whole, x, 0)[0], x / 2);
    EXPECT_EQ(pixel_of(whole, x, 0)[0], pixel_of(whole, x, 0)[2]);
    coarse.insert(pixel_of(whole, x, kPatternWall.height - 1)[1]);
  }
  EXPECT_EQ(coarse.size(), 17U);
  EXPECT_EQ(*coarse.begin(), 0);
  EXPECT_EQ(*coarse.rbegin(), 255);
}

// Tiles whose pixels are larger than the wall's still show the edges of the wall.
TEST(TestPattern, AGridHasLinesAlongTheEdgesAndDiagonals) {
  const Bitmap half = pattern_on(TestPattern::kGrid, {0, 0, 512, 300}, {256, 150});
  const auto lit = [&](int x, int y) { return pixel_of(half, x, y)[1] == 255; };
  for (int y = 0; y < 150; ++y) {
    EXPECT_EQ(pixel_of(half, 0, y)[0], 255) << y;
    EXPECT_EQ(pixel_of(half, 255, y)[0], 255) << y;
    const int x = y * 256 / 150;
    EXPECT_TRUE(lit(x, y) || lit(x + 1, y)) << y;
    EXPECT_TRUE(lit(255 - x, y) || lit(254 - x, y)) << y;
  }
  EXPECT_EQ(pixel_of(half, 100, 4)[1], 0) << "black between the lines";
}

// Lines of 2 wall pixels lie between the centres of pixels that are 4 wall pixels wide.
TEST(TestPattern, AGridHasAllLinesOnCoarseTiles) {
  const Bitmap coarse = pattern_on(TestPattern::kGrid, {0, 0, 512, 300}, {128, 75});
  for (int x = 0; x < 512; x += 16) EXPECT_EQ(pixel_of(coarse, x / 4, 2)[0], 255) << x;
  for (int y = 0; y < 300; y += 16) EXPECT_EQ(pixel_of(coarse, 2, y / 4)[0], 255) << y;
}

TEST(TestPattern, ColoursAreWholeTiles) {
  const Bitmap red = pattern_on(TestPattern::kRed, {0, 0, 8, 8}, {4, 4});
  EXPECT_EQ(red.pixels.size(), 64U);
  const uint8_t expected[4] = {0, 0, 255, 255};
  EXPECT_TRUE(std::equal(expected, expected + 4, pixel_of(red, 3, 3)));
}

}  // namespace
}  // namespace receiver
