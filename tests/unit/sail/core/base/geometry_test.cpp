#include "sail/core/base/geometry.h"

#include <gtest/gtest.h>

#include <vector>

namespace sail {
namespace {

TEST(Rect, IsHalfOpen) {
  const Rect rect{10, 20, 30, 40};
  EXPECT_EQ(rect.right(), 40);
  EXPECT_EQ(rect.bottom(), 60);
  EXPECT_TRUE(rect.contains(10, 20));
  EXPECT_TRUE(rect.contains(39, 59));
  EXPECT_FALSE(rect.contains(40, 59));
  EXPECT_FALSE(rect.contains(39, 60));
  EXPECT_FALSE(rect.contains(9, 20));
  EXPECT_EQ(Rect::from_edges(10, 20, 40, 60), rect);
}

TEST(Rect, IsEmptyWithoutASide) {
  EXPECT_TRUE(Rect{}.empty());
  EXPECT_TRUE((Rect{1, 1, 0, 5}).empty());
  EXPECT_TRUE((Rect{1, 1, 5, -1}).empty());
  EXPECT_FALSE((Rect{-1, -1, 1, 1}).empty());
}

TEST(Intersect, TouchingRectanglesShareNothing) {
  const Rect rect{0, 0, 10, 10};
  EXPECT_EQ(intersect(rect, {10, 0, 5, 5}), Rect{});
  EXPECT_EQ(intersect(rect, {0, -5, 10, 5}), Rect{});
  EXPECT_EQ(intersect(rect, {9, 9, 5, 5}), (Rect{9, 9, 1, 1}));
  EXPECT_EQ(intersect(rect, {-100, 3, 300, 2}), (Rect{0, 3, 10, 2}));
  EXPECT_EQ(intersect(rect, Rect{}), Rect{});
}

// Compares all pairs of small rectangles with counting points.
TEST(Intersect, HoldsExactlyTheSharedPixels) {
  std::vector<Rect> rects;
  for (int x = -1; x <= 2; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int width = 0; width <= 3; ++width) {
        for (int height = 1; height <= 2; ++height) rects.push_back({x, y, width, height});
      }
    }
  }
  for (const Rect& a : rects) {
    for (const Rect& b : rects) {
      const Rect both = intersect(a, b);
      EXPECT_EQ(both, intersect(b, a));
      for (int x = -2; x <= 6; ++x) {
        for (int y = -2; y <= 4; ++y) {
          ASSERT_EQ(both.contains(x, y), a.contains(x, y) && b.contains(x, y));
        }
      }
    }
  }
}

}  // namespace
}  // namespace sail
