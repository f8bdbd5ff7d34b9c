// The reference compositor on pictures that can be verified by eye, and the receivers' painting
// (visible regions, tile pixels, taps) against it.
#include "tests/support/reference_wall.h"

#include <gtest/gtest.h>

#include "sail/core/wall/visibility.h"
#include "tests/unit/sail/core/wall/random_wall.h"

namespace sail {
namespace {

using reference::Picture;
using reference::Window;

// Pixel i has the value `first` + i in all channels.
Picture counting(int width, int height, int first) {
  Picture picture = reference::black_picture(width, height);
  for (int i = 0; i < width * height; ++i) {
    uint8_t* pixel = picture.at(i % width, i / width);
    pixel[0] = pixel[1] = pixel[2] = static_cast<uint8_t>(first + i);
  }
  return picture;
}

std::vector<int> values(const Picture& picture) {
  std::vector<int> blue;
  for (size_t i = 0; i < picture.pixels.size(); i += 4) blue.push_back(picture.pixels[i]);
  return blue;
}

Wall one_tile(Rect wall_rect, Size resolution, int rotation) {
  Tile tile;
  tile.name = "t";
  tile.receiver = "n";
  tile.wall_rect = wall_rect;
  tile.resolution = resolution;
  tile.rotation = rotation;
  return {"wall", {wall_rect.right(), wall_rect.bottom()}, {tile}, {{"n", ""}}};
}

TEST(ReferenceWall, TurnsThePictureClockwise) {
  // 1 2 3
  // 4 5 6
  const std::vector<Window> windows{{{0, 0, 3, 2}, counting(3, 2, 1)}};
  const auto shown = [&](Size resolution, int rotation) {
    const Wall wall = one_tile({0, 0, 3, 2}, resolution, rotation);
    const Picture physical = show_on_tile(wall.tiles[0], windows);
    EXPECT_EQ(physical.width, resolution.width);
    EXPECT_EQ(upright_picture(wall.tiles[0], physical), windows[0].frame);
    return values(physical);
  };
  EXPECT_EQ(shown({3, 2}, 0), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(shown({2, 3}, 90), (std::vector<int>{4, 1, 5, 2, 6, 3}));
  EXPECT_EQ(shown({3, 2}, 180), (std::vector<int>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(shown({2, 3}, 270), (std::vector<int>{3, 6, 2, 5, 1, 4}));
}

TEST(ReferenceWall, ShowsTheTopmostWindowAndBlackElsewhere) {
  const Wall wall = one_tile({0, 0, 4, 1}, {4, 1}, 0);
  const std::vector<Window> windows{{{-1, 0, 4, 1}, counting(4, 1, 10)},
                                    {{1, 0, 1, 1}, counting(1, 1, 99)}};
  EXPECT_EQ(values(show_on_tile(wall.tiles[0], windows)), (std::vector<int>{11, 99, 13, 0}));
}

TEST(ReferenceWall, MixesNeighboursWhenScaling) {
  const Wall wall = one_tile({0, 0, 4, 1}, {4, 1}, 0);
  Picture frame = counting(2, 1, 0);
  frame.at(1, 0)[0] = 200;
  const std::vector<Window> windows{{{0, 0, 4, 1}, frame}};
  EXPECT_EQ(values(show_on_tile(wall.tiles[0], windows)), (std::vector<int>{0, 50, 150, 200}));
}

TEST(ReferenceWall, PutsTheTilesTogetherWithBlackMullions) {
  Wall wall = one_tile({0, 0, 2, 2}, {2, 2}, 90);
  wall.tiles.push_back(wall.tiles[0]);
  wall.tiles[1].wall_rect = {3, 0, 2, 2};
  wall.tiles[1].resolution = {6, 6};  // three times as fine: every third pixel is on a centre
  wall.size = {5, 2};
  const std::vector<Window> windows{{{0, 0, 5, 2}, counting(5, 2, 1)}};
  EXPECT_EQ(values(wall_picture(wall, show_on_wall(wall, windows))),
            (std::vector<int>{1, 2, 0, 4, 5, 6, 7, 0, 9, 10}));
}

int mix(int a, int b, int weight) {
  return (a * (256 - weight) + b * weight + 128) >> 8;
}

// Paints like a receiver: each visible rectangle of each window through taps.
Picture paint_upright(const Tile& tile, const std::vector<Window>& windows) {
  const TileView view{tile.wall_rect, tile.upright()};
  Picture canvas = reference::black_picture(view.upright.width, view.upright.height);
  std::vector<StackedWindow> stack;
  stack.reserve(windows.size());
  for (const Window& window : windows) stack.push_back({window.wall_rect});
  for (size_t i = 0; i < windows.size(); ++i) {
    const Picture& frame = windows[i].frame;
    for (const Rect& visible : visible_part(stack, i, tile.wall_rect)) {
      const Rect pixels = view.tile_pixels(visible);
      const Size size{frame.width, frame.height};
      const PictureMap map = picture_map(windows[i].wall_rect, {}, size, size, Stereo::kOff);
      const auto columns = column_taps(view, pixels, map);
      const auto rows = row_taps(view, pixels, map);
      for (int y = 0; y < pixels.height; ++y) {
        const codecs::Tap& row = rows[static_cast<size_t>(y)];
        for (int x = 0; x < pixels.width; ++x) {
          const codecs::Tap& column = columns[static_cast<size_t>(x)];
          for (int channel = 0; channel < 3; ++channel) {
            const int upper = mix(frame.at(column.first, row.first)[channel],
                                  frame.at(column.second, row.first)[channel], column.weight);
            const int lower = mix(frame.at(column.first, row.second)[channel],
                                  frame.at(column.second, row.second)[channel], column.weight);
            canvas.at(pixels.x + x, pixels.y + y)[channel] =
                static_cast<uint8_t>(mix(upper, lower, row.weight));
          }
        }
      }
    }
  }
  return canvas;
}

TEST(ReferenceWall, AgreesWithTheReceiversPath) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Wall wall = random.wall(30);
    std::vector<Window> windows;
    for (const reference::Placement& window : random.windows(wall.size, 6, 60)) {
      windows.push_back({window.wall_rect, random.picture(window.frame_size)});
    }
    for (const Tile& tile : wall.tiles) {
      ASSERT_EQ(paint_upright(tile, windows), upright_picture(tile, show_on_tile(tile, windows)));
    }
  }
}

}  // namespace
}  // namespace sail
