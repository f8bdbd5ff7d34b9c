#include "sail/core/wall/visibility.h"

#include <gtest/gtest.h>

#include "sail/core/text/limits.h"
#include "tests/unit/sail/core/wall/random_wall.h"

namespace sail {
namespace {

bool same_tap(const codecs::Tap& a, const codecs::Tap& b) {
  return a.first == b.first && a.second == b.second && a.weight == b.weight;
}

// Number of rectangles of the region that contain the point: 1 or 0 if they are disjoint.
int covers(const Region& region, int x, int y) {
  int count = 0;
  for (const Rect& rect : region) count += rect.contains(x, y) ? 1 : 0;
  return count;
}

PictureMap map_of(const Rect& window, Size frame) {
  return picture_map(window, {}, frame, frame, Stereo::kOff);
}

TEST(Subtract, LeavesWhatTheRectangleDoesNotCover) {
  const Region ring = subtract({{0, 0, 10, 10}}, {3, 4, 2, 1});
  for (int y = -1; y < 11; ++y) {
    for (int x = -1; x < 11; ++x) {
      const bool kept = Rect{0, 0, 10, 10}.contains(x, y) && !Rect{3, 4, 2, 1}.contains(x, y);
      EXPECT_EQ(covers(ring, x, y), kept ? 1 : 0) << x << ", " << y;
    }
  }
}

TEST(Subtract, KeepsARegionThatIsNotTouched) {
  const Region region{{0, 0, 4, 4}, {8, 0, 4, 4}};
  EXPECT_EQ(subtract(region, {4, 0, 4, 4}), region);
  EXPECT_EQ(subtract(region, {2, 2, 0, 0}), region);
}

TEST(Subtract, LeavesNothingUnderACover) {
  EXPECT_TRUE(subtract({{0, 0, 4, 4}, {8, 0, 4, 4}}, {-1, -1, 20, 20}).empty());
  EXPECT_TRUE(subtract({{0, 0, 4, 4}}, {0, 0, 4, 4}).empty());
}

TEST(VisiblePart, IsWhatNoOpaqueWindowHides) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Size wall{24, 20};
    const Rect clip{3, 2, 17, 15};
    std::vector<StackedWindow> windows;
    for (int i = random.between(1, 9); i > 0; --i) {
      windows.push_back({random.window_rect(wall), random.between(0, 3) == 0});
    }
    std::vector<Region> parts;
    for (size_t i = 0; i < windows.size(); ++i) parts.push_back(visible_part(windows, i, clip));
    for (int y = -2; y < wall.height + 2; ++y) {
      for (int x = -2; x < wall.width + 2; ++x) {
        size_t topmost_opaque = 0;
        for (size_t i = 0; i < windows.size(); ++i) {
          if (windows[i].wall_rect.contains(x, y) && !windows[i].blended) topmost_opaque = i;
        }
        for (size_t i = 0; i < windows.size(); ++i) {
          const bool here = windows[i].wall_rect.contains(x, y) && clip.contains(x, y);
          ASSERT_EQ(covers(parts[i], x, y), here && i >= topmost_opaque ? 1 : 0) << x << ", " << y;
        }
      }
    }
  }
}

TEST(VisiblePart, IsEmptyOffTheClip) {
  const std::vector<StackedWindow> windows{{{100, 100, 5, 5}}, {{0, 0, 5, 5}}};
  EXPECT_TRUE(visible_part(windows, 0, {0, 0, 50, 50}).empty());
  EXPECT_EQ(visible_part(windows, 1, {2, 2, 50, 50}), (Region{{2, 2, 3, 3}}));
}

TEST(TilePixels, AreTheWallsPixelsOnATileOfTheSameSize) {
  const TileView tile{{100, 50, 640, 360}, {640, 360}};
  EXPECT_EQ(tile.tile_pixels({100, 50, 640, 360}), (Rect{0, 0, 640, 360}));
  EXPECT_EQ(tile.tile_pixels({110, 55, 7, 1}), (Rect{10, 5, 7, 1}));
  EXPECT_EQ(tile.tile_pixels({0, 0, 101, 51}), (Rect{0, 0, 1, 1}));
  EXPECT_EQ(tile.tile_pixels({739, 409, 500, 500}), (Rect{639, 359, 1, 1}));
}

TEST(TilePixels, AreNoneOffTheTile) {
  const TileView tile{{100, 50, 640, 360}, {1280, 720}};
  EXPECT_EQ(tile.tile_pixels({0, 0, 100, 50}), Rect{});
  EXPECT_EQ(tile.tile_pixels({740, 50, 10, 10}), Rect{});
  EXPECT_EQ(tile.tile_pixels({200, 100, 0, 10}), Rect{});
}

TEST(TilePixels, ShowTheirCentre) {
  // Three tile pixels on two wall pixels: centres at 1/3, 1, 5/3.
  const TileView fine{{0, 0, 2, 2}, {3, 3}};
  EXPECT_EQ(fine.tile_pixels({0, 0, 1, 2}), (Rect{0, 0, 1, 3}));
  EXPECT_EQ(fine.tile_pixels({1, 0, 1, 2}), (Rect{1, 0, 2, 3}));
  // One tile pixel on three wall pixels: its centre is in the middle one.
  const TileView coarse{{0, 0, 3, 3}, {1, 1}};
  EXPECT_EQ(coarse.tile_pixels({0, 0, 1, 3}), Rect{});
  EXPECT_EQ(coarse.tile_pixels({1, 1, 1, 1}), (Rect{0, 0, 1, 1}));
}

TEST(TilePixels, OfAPartitionOfTheWallAreAPartitionOfTheTile) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const TileView tile{{random.between(0, 50), random.between(0, 50), random.between(1, 60),
                         random.between(1, 60)},
                        {random.between(1, 60), random.between(1, 60)}};
    // Nine parts from two cuts on each axis.
    const Rect all{-10, -10, 200, 200};
    const auto cuts = [&](int low, int high) {
      const int cut = random.between(low, high);
      return std::vector<int>{low, cut, random.between(cut, high), high};
    };
    const std::vector<int> x = cuts(all.x, all.right());
    const std::vector<int> y = cuts(all.y, all.bottom());
    Region pixels;
    for (size_t row = 0; row < 3; ++row) {
      for (size_t column = 0; column < 3; ++column) {
        pixels.push_back(
            tile.tile_pixels(Rect::from_edges(x[column], y[row], x[column + 1], y[row + 1])));
      }
    }
    for (int py = -1; py <= tile.upright.height; ++py) {
      for (int px = -1; px <= tile.upright.width; ++px) {
        const bool inside = Rect{0, 0, tile.upright.width, tile.upright.height}.contains(px, py);
        ASSERT_EQ(covers(pixels, px, py), inside ? 1 : 0) << px << ", " << py;
      }
    }
  }
}

TEST(SampleTaps, AreExactWhenNothingIsScaled) {
  // A window of its frame's size on a tile with one pixel for each wall pixel: plain copies.
  const auto taps = sample_taps({1940, 1920, 1920}, {1900, 3840, SourceSpan::all(3840)}, 0, 1920);
  ASSERT_EQ(taps.size(), 1920u);
  for (int i = 0; i < 1920; ++i) {
    const codecs::Tap& tap = taps[static_cast<size_t>(i)];
    ASSERT_EQ(tap.first, 40 + i);
    ASSERT_EQ(tap.second, 40 + i);
    ASSERT_EQ(tap.weight, 0);
  }
}

TEST(SampleTaps, AreExactAtTheLimits) {
  const auto taps =
      sample_taps({kMaxWallSide - kMaxTileSide, kMaxTileSide, kMaxTileSide},
                  {kMaxWallSide - kMaxTileSide, kMaxFrameSide, SourceSpan::all(kMaxFrameSide)}, 0,
                  kMaxTileSide);
  for (int i = 0; i < kMaxTileSide; ++i) {
    ASSERT_TRUE(same_tap(taps[static_cast<size_t>(i)], {i, i, 0})) << i;
  }
}

TEST(SampleTaps, DoubleAFrameByQuarters) {
  // Twice as large: centres at 1/4, 3/4, 5/4 … of the frame minus a half, clamped at both ends.
  const auto taps = sample_taps({0, 8, 8}, {0, 8, SourceSpan::all(4)}, 0, 8);
  const codecs::Tap expected[] = {{0, 0, 0},   {0, 1, 64}, {0, 1, 192}, {1, 2, 64},
                                  {1, 2, 192}, {2, 3, 64}, {2, 3, 192}, {3, 3, 0}};
  for (size_t i = 0; i < 8; ++i) EXPECT_TRUE(same_tap(taps[i], expected[i])) << i;
}

TEST(SampleTaps, HalveAFrameBetweenPixels) {
  const auto taps = sample_taps({0, 4, 4}, {0, 4, SourceSpan::all(8)}, 1, 2);
  ASSERT_EQ(taps.size(), 2u);
  EXPECT_TRUE(same_tap(taps[0], {2, 3, 128}));
  EXPECT_TRUE(same_tap(taps[1], {4, 5, 128}));
}

TEST(SampleTaps, DoNotDependOnWhereARunStarts) {
  const auto whole = sample_taps({7, 31, 45}, {-3, 50, SourceSpan::all(77)}, 0, 45);
  for (int first = 0; first < 45; ++first) {
    const auto rest = sample_taps({7, 31, 45}, {-3, 50, SourceSpan::all(77)}, first, 45 - first);
    for (size_t i = 0; i < rest.size(); ++i) {
      ASSERT_TRUE(same_tap(rest[i], whole[static_cast<size_t>(first) + i]));
    }
  }
}

// Compares the shown pixels of a window, the taps and the range they read with the reference.
void check_against_reference(const Tile& tile, const Rect& window, Size frame, const Rect& pixels) {
  const TileView view{tile.wall_rect, tile.upright()};
  const auto columns = column_taps(view, pixels, map_of(window, frame));
  const auto rows = row_taps(view, pixels, map_of(window, frame));
  const std::vector<reference::Placement> placement{{window, frame}};
  int left = frame.width, top = frame.height, right = 0, bottom = 0;
  const auto check_pixel = [&](int x, int y) {
    const auto sample = reference::sample_of(tile, x, y, placement);
    ASSERT_TRUE(sample.has_value());
    const codecs::Tap& column = columns[static_cast<size_t>(x - pixels.x)];
    const codecs::Tap& row = rows[static_cast<size_t>(y - pixels.y)];
    ASSERT_TRUE(
        same_tap(column, {sample->x[0], sample->x[1], static_cast<uint16_t>(sample->x_weight)}));
    ASSERT_TRUE(
        same_tap(row, {sample->y[0], sample->y[1], static_cast<uint16_t>(sample->y_weight)}));
    left = std::min(left, sample->x[0]);
    right = std::max(right, sample->x[1] + 1);
    top = std::min(top, sample->y[0]);
    bottom = std::max(bottom, sample->y[1] + 1);
  };
  for (int x = pixels.x; x < pixels.right(); ++x) check_pixel(x, pixels.y);
  for (int y = pixels.y; y < pixels.bottom(); ++y) check_pixel(pixels.x, y);
  check_pixel(pixels.right() - 1, pixels.bottom() - 1);
  EXPECT_EQ(source_rect(view, pixels, map_of(window, frame)),
            Rect::from_edges(left, top, right, bottom));
}

TEST(SourceRect, IsExactlyWhatTheTapsRead) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Wall wall = random.wall(40);
    const auto windows = random.windows(wall.size, 3, 300);
    for (const Tile& tile : wall.tiles) {
      const TileView view{tile.wall_rect, tile.upright()};
      for (const reference::Placement& window : windows) {
        const Rect pixels = view.tile_pixels(window.wall_rect);
        if (pixels.empty()) continue;
        ASSERT_NO_FATAL_FAILURE(
            check_against_reference(tile, window.wall_rect, window.frame_size, pixels));
      }
    }
  }
}

// Sizes and offsets at and near the limits of limits.h; sanitizers detect overflows.
TEST(SourceRect, HoldsAtTheLimits) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const auto near = [&](int limit) {
      return random.one_in(2) ? limit : random.between(1, limit);
    };
    Tile tile;
    tile.resolution = {near(kMaxTileSide), near(64)};
    if (random.one_in(2)) {
      tile.resolution = {tile.resolution.height, tile.resolution.width};
      tile.rotation = random.one_in(2) ? 90 : 0;
    }
    tile.wall_rect = {0, 0, near(kMaxWallSide), near(kMaxWallSide)};
    if (random.one_in(2)) {
      tile.wall_rect.x = kMaxWallSide - tile.wall_rect.width;
      tile.wall_rect.y = kMaxWallSide - tile.wall_rect.height;
    }
    const Rect window{random.between(-kMaxWindowSide, kMaxWallSide),
                      random.between(-kMaxWindowSide, kMaxWallSide), near(kMaxWindowSide),
                      near(kMaxWindowSide)};
    const Size frame{near(kMaxFrameSide), near(kMaxFrameSide)};
    const Rect pixels = TileView{tile.wall_rect, tile.upright()}.tile_pixels(window);
    if (pixels.empty()) continue;
    ASSERT_NO_FATAL_FAILURE(check_against_reference(tile, window, frame, pixels));
  }
}

TEST(SampleTaps, StayInTheFrameForWindowsAtTheFarthestOffsets) {
  for (const int offset : {-kMaxWindowOffset, kMaxWindowOffset}) {
    const auto taps = sample_taps({kMaxWallSide - 1, kMaxWallSide, kMaxTileSide},
                                  {offset, 1, SourceSpan::all(kMaxFrameSide)}, kMaxTileSide - 2, 2);
    const int expected = offset < 0 ? kMaxFrameSide - 1 : 0;
    for (const codecs::Tap& tap : taps) {
      EXPECT_TRUE(same_tap(tap, {expected, expected, 0}));
    }
  }
  const TileView tile{{0, 0, kMaxWallSide, kMaxWallSide}, {kMaxTileSide, kMaxTileSide}};
  EXPECT_EQ(tile.tile_pixels({-kMaxWindowOffset, kMaxWindowOffset, kMaxWindowSide, kMaxWindowSide}),
            Rect{});
}

}  // namespace
}  // namespace sail
