#include "sail/core/routing/routing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "sail/core/text/limits.h"
#include "tests/unit/sail/core/wall/random_wall.h"

namespace sail {
namespace {

using Block = std::pair<int, int>;  // row, column

Wall grid_wall(int columns, int rows, Size resolution, Size mullion) {
  Wall wall;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      Tile tile;
      tile.name = "c" + std::to_string(column + 1) + "r" + std::to_string(row + 1);
      tile.receiver = "node" + std::to_string(row * columns + column + 1);
      tile.resolution = resolution;
      tile.wall_rect = {column * (resolution.width + mullion.width),
                        row * (resolution.height + mullion.height), resolution.width,
                        resolution.height};
      wall.receivers.push_back({tile.receiver, ""});
      wall.tiles.push_back(tile);
    }
  }
  const Rect& last = wall.tiles.back().wall_rect;
  wall.size = {last.right(), last.bottom()};
  return wall;
}

RoutedWindow window_of(Rect wall_rect, Size frame, Size block = kDefaultBlockSize) {
  return {.window = 1, .wall_rect = wall_rect, .frame_size = frame, .block_size = block};
}

// The blocks of a route. Fails if rectangles overlap, lie outside the grid, or are not in row
// order.
std::set<Block> blocks_of(const std::vector<BlockRect>& rects, const BlockGrid& grid) {
  std::set<Block> blocks;
  const BlockRect* before = nullptr;
  for (const BlockRect& rect : rects) {
    EXPECT_GT(rect.columns, 0);
    EXPECT_GT(rect.rows, 0);
    EXPECT_GE(rect.column, 0);
    EXPECT_GE(rect.row, 0);
    EXPECT_LE(rect.column + rect.columns, grid.columns());
    EXPECT_LE(rect.row + rect.rows, grid.rows());
    if (before != nullptr) {
      EXPECT_LT((Block{before->row, before->column}), (Block{rect.row, rect.column}));
    }
    before = &rect;
    for (int row = rect.row; row < rect.row + rect.rows; ++row) {
      for (int column = rect.column; column < rect.column + rect.columns; ++column) {
        EXPECT_TRUE(blocks.insert({row, column}).second) << "twice: " << row << ", " << column;
      }
    }
  }
  return blocks;
}

// Reference: the blocks that the pixels of each receiver's tiles read, by window, pixel by pixel.
std::vector<std::map<std::string, std::set<Block>>> blocks_read(
    const Wall& wall, const std::vector<RoutedWindow>& windows) {
  std::vector<std::map<std::string, std::set<Block>>> read(windows.size());
  for (const Tile& tile : wall.tiles) {
    std::vector<reference::Placement> placements;
    std::vector<Size> blocks;
    for (const RoutedWindow& window : windows) {
      const BlockGrid grid = window.grid(reduction_for(wall, tile.receiver, window));
      placements.push_back({window.wall_rect, grid.frame_size()});
      blocks.push_back(grid.block_size());
    }
    for (int y = 0; y < tile.upright().height; ++y) {
      for (int x = 0; x < tile.upright().width; ++x) {
        const auto sample = reference::sample_of(tile, x, y, placements);
        if (!sample) continue;
        const Size block = blocks[sample->window];
        for (const int source_y : sample->y) {
          for (const int source_x : sample->x) {
            read[sample->window][tile.receiver].insert(
                {source_y / block.height, source_x / block.width});
          }
        }
      }
    }
  }
  return read;
}

void check_routes(const Wall& wall, const std::vector<RoutedWindow>& windows) {
  const auto expected = blocks_read(wall, windows);
  const std::vector<RoutingMap> maps = route(wall, windows);
  ASSERT_EQ(maps.size(), windows.size());
  for (size_t i = 0; i < windows.size(); ++i) {
    SCOPED_TRACE("window " + std::to_string(i));
    ASSERT_EQ(maps[i].window, windows[i].window);
    std::map<std::string, std::set<Block>> routed;
    std::vector<std::string> order;
    for (const ReceiverBlocks& receiver : maps[i].receivers) {
      ASSERT_FALSE(receiver.blocks.empty());
      ASSERT_EQ(receiver.reduction, reduction_for(wall, receiver.receiver, windows[i]));
      routed[receiver.receiver] = blocks_of(receiver.blocks, windows[i].grid(receiver.reduction));
      order.push_back(receiver.receiver);
    }
    ASSERT_EQ(routed, expected[i]);
    std::vector<std::string> in_wall_order;
    for (const ReceiverPlace& receiver : wall.receivers) {
      if (expected[i].contains(receiver.name)) in_wall_order.push_back(receiver.name);
    }
    ASSERT_EQ(order, in_wall_order);
  }
}

std::vector<RoutedWindow> random_windows(RandomWall& random, Size wall_size, int max_count,
                                         int max_frame_side) {
  std::vector<RoutedWindow> windows;
  uint32_t number = 100;
  for (const auto& placement : random.windows(wall_size, max_count, max_frame_side)) {
    const bool scalable = random.between(0, 1) == 1;
    const int step = scalable ? kScalableBlockStep : 4;
    windows.push_back({.window = number++,
                       .wall_rect = placement.wall_rect,
                       .frame_size = placement.frame_size,
                       .block_size = {step * random.between(1, 12), step * random.between(1, 12)},
                       .max_reduction = random.between(0, codecs::kMaxReduction),
                       .scaling = scalable ? Scaling::kBlock : Scaling::kFrame});
  }
  return windows;
}

// Two receivers; the second's tile has four times the pixels.
Wall wall_of_two_densities() {
  Wall wall;
  wall.size = {200, 100};
  wall.receivers = {{"coarse", "h"}, {"fine", "h"}};
  for (int i = 0; i < 2; ++i) {
    Tile& tile = wall.tiles.emplace_back();
    tile.name = wall.receivers[static_cast<size_t>(i)].name;
    tile.receiver = tile.name;
    tile.wall_rect = {100 * i, 0, 100, 100};
    tile.resolution = {100 * (i + 1), 100 * (i + 1)};
  }
  return wall;
}

TEST(Reduction, FramesAreHalvedForAllReceiversAlikeAndBlocksForEach) {
  const Wall wall = wall_of_two_densities();
  RoutedWindow window = window_of({50, 0, 100, 100}, {400, 400});
  window.max_reduction = 3;
  EXPECT_EQ(reduction_for(wall, "coarse", window), 1);
  EXPECT_EQ(reduction_for(wall, "fine", window), 1);
  window.scaling = Scaling::kBlock;
  EXPECT_EQ(reduction_for(wall, "coarse", window), 2);
  EXPECT_EQ(reduction_for(wall, "fine", window), 1);
  window.max_reduction = 1;
  EXPECT_EQ(reduction_for(wall, "coarse", window), 1);
  window.wall_rect = {0, 0, 400, 400};
  EXPECT_EQ(reduction_for(wall, "coarse", window), 0);
}

TEST(Reduction, BlocksThatHoldAllResolutionsStayTheSameBlocks) {
  for (int reduction = 0; reduction <= codecs::kMaxReduction; ++reduction) {
    const BlockGrid grid = reduced_grid({1001, 399}, {128, 64}, reduction, Scaling::kBlock);
    EXPECT_EQ(grid.columns(), 8);
    EXPECT_EQ(grid.rows(), 7);
    const BlockGrid whole({1001, 399}, {128, 64});
    const Rect last = whole.block_rect(7, 6);
    const Rect reduced = grid.block_rect(7, 6);
    EXPECT_EQ(reduced.width, codecs::reduced_side(last.width, reduction));
    EXPECT_EQ(reduced.height, codecs::reduced_side(last.height, reduction));
  }
}

TEST(Route, ReachesExactlyTheBlocksThatPixelsRead) {
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Wall wall = random.wall(28);
    const auto windows = random_windows(random, wall.size, 7, 200);
    ASSERT_NO_FATAL_FAILURE(check_routes(wall, windows));
  }
}

// So small that whole blocks lie between the samples of neighbouring pixels.
TEST(Route, LeavesOutBlocksBetweenTheSamplesOfATinyWindow) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomWall random(seed);
    const Wall wall = random.wall(12);
    const auto windows = random_windows(random, wall.size, 3, 4000);
    ASSERT_NO_FATAL_FAILURE(check_routes(wall, windows));
  }
}

TEST(Route, ReadsTheSameBlocksOfATinyWindowWhenItIsTurned) {
  const Wall wall = grid_wall(1, 1, {8, 8}, {0, 0});
  const RoutedWindow upright = window_of({0, 0, 4, 2}, {1600, 800}, {100, 40});
  RoutedWindow turned = window_of({0, 0, 2, 4}, {1600, 800}, {100, 40});
  turned.look.rotate = 90;
  const BlockGrid grid = upright.grid(0);
  const auto blocks = blocks_of(route(wall, {upright})[0].receivers[0].blocks, grid);
  EXPECT_LT(blocks.size(), static_cast<size_t>(grid.columns() * grid.rows()) / 2);
  EXPECT_EQ(blocks_of(route(wall, {turned})[0].receivers[0].blocks, grid), blocks);
}

TEST(Route, SplitsAFrameAmongFourTiles) {
  const Wall wall = grid_wall(2, 2, {1920, 1080}, {0, 0});
  const auto maps = route(wall, {window_of({0, 0, 3840, 2160}, {3840, 2160}, {128, 120})});
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].receivers, (std::vector<ReceiverBlocks>{
                                   {"node1", {{0, 0, 15, 9}}},
                                   {"node2", {{15, 0, 15, 9}}},
                                   {"node3", {{0, 9, 15, 9}}},
                                   {"node4", {{15, 9, 15, 9}}},
                               }));
}

TEST(Route, SendsNothingOfWhatAMullionHides) {
  const Wall wall = grid_wall(2, 1, {256, 64}, {128, 0});
  const auto maps = route(wall, {window_of({0, 0, 640, 64}, {640, 64})});
  EXPECT_EQ(maps[0].receivers,
            (std::vector<ReceiverBlocks>{{"node1", {{0, 0, 2, 1}}}, {"node2", {{3, 0, 2, 1}}}}));
  EXPECT_TRUE(route(wall, {window_of({256, 0, 128, 64}, {128, 64})})[0].receivers.empty());
}

TEST(Route, SendsNothingOfAWindowOffTheWallOrCovered) {
  const Wall wall = grid_wall(2, 2, {640, 360}, {16, 16});
  const Rect place{100, 100, 400, 200};
  const auto maps = route(wall, {window_of({-500, 0, 500, 300}, {500, 300}),
                                 window_of({kMaxWindowOffset, -kMaxWindowOffset, 9, 9}, {9, 9}),
                                 window_of(place, {400, 200}), window_of(place, {1, 1})});
  ASSERT_EQ(maps.size(), 4u);
  EXPECT_TRUE(maps[0].receivers.empty());
  EXPECT_TRUE(maps[1].receivers.empty());
  EXPECT_TRUE(maps[2].receivers.empty());
  EXPECT_EQ(maps[3].receivers, (std::vector<ReceiverBlocks>{{"node1", {{0, 0, 1, 1}}}}));
}

TEST(Route, UnitesTheTilesOfOneReceiver) {
  Wall wall = grid_wall(2, 1, {256, 128}, {0, 0});
  wall.tiles[1].receiver = "node1";
  wall.receivers.pop_back();
  const auto maps = route(wall, {window_of({0, 0, 512, 128}, {512, 128})});
  EXPECT_EQ(maps[0].receivers, (std::vector<ReceiverBlocks>{{"node1", {{0, 0, 4, 2}}}}));
}

TEST(Route, CutsAHoleIntoFewRectangles) {
  const Wall wall = grid_wall(1, 1, {1280, 640}, {0, 0});
  const auto maps = route(wall, {window_of({0, 0, 1280, 640}, {1280, 640}),
                                 window_of({256, 128, 256, 256}, {256, 256})});
  EXPECT_EQ(maps[0].receivers[0].blocks,
            (std::vector<BlockRect>{{0, 0, 10, 2}, {0, 2, 2, 4}, {4, 2, 6, 4}, {0, 6, 10, 4}}));
}

TEST(Route, GoesPastReceiversThatAreNotInTheList) {
  Wall wall = grid_wall(2, 1, {256, 64}, {0, 0});
  wall.receivers.erase(wall.receivers.begin());
  const auto maps = route(wall, {window_of({0, 0, 512, 64}, {512, 64})});
  EXPECT_EQ(maps[0].receivers, (std::vector<ReceiverBlocks>{{"node2", {{2, 0, 2, 1}}}}));
}

TEST(Route, HoldsAtTheLimits) {
  const Wall wall = grid_wall(8, 8, {kMaxTileSide, kMaxTileSide}, {0, 0});
  ASSERT_EQ(wall.size, (Size{kMaxWallSide, kMaxWallSide}));
  const Size frame{kMaxFrameSide, kMaxFrameSide};
  const Size block{kMinBlockSide, kMinBlockSide};
  const auto maps = route(
      wall, {window_of({0, 0, kMaxWindowSide, kMaxWindowSide}, frame, block),
             window_of({kMaxWallSide - 1, kMaxWallSide - 1, kMaxWindowSide, kMaxWindowSide}, frame,
                       block),
             window_of({1 - kMaxWindowSide, 1 - kMaxWindowSide, kMaxWindowSide, kMaxWindowSide},
                       frame, block)});
  // A quarter of the frame's side on each of 4 × 4 tiles, plus one source pixel.
  ASSERT_EQ(maps[0].receivers.size(), 16u);
  EXPECT_EQ(maps[0].receivers[0].blocks, (std::vector<BlockRect>{{0, 0, 257, 257}}));
  EXPECT_EQ(maps[0].receivers[5].blocks, (std::vector<BlockRect>{{255, 255, 258, 258}}));
  EXPECT_EQ(maps[1].receivers, (std::vector<ReceiverBlocks>{{"node64", {{0, 0, 1, 1}}}}));
  EXPECT_EQ(maps[2].receivers, (std::vector<ReceiverBlocks>{{"node1", {{1023, 1023, 1, 1}}}}));
}

TEST(Route, FillsGapsThatWouldTakeTooManyRectangles) {
  const Wall wall = grid_wall(1, 1, {1024, 1024}, {0, 0});
  const Size frame{kMaxFrameSide, kMaxFrameSide};
  const Size block{kMinBlockSide, kMinBlockSide};
  // 64 × 64 single blocks are still listed, more are not.
  EXPECT_EQ(route(wall, {window_of({0, 0, 64, 64}, frame, block)})[0].receivers[0].blocks.size(),
            kMaxSparseRects);
  // Samples in the middle of 65 equal parts of 252 pixels each.
  EXPECT_EQ(route(wall, {window_of({0, 0, 65, 65}, frame, block)})[0].receivers[0].blocks,
            (std::vector<BlockRect>{{7, 7, 1010, 1010}}));
}

TEST(Route, KeepsEveryMapWithinABound) {
  // A grid of 136 + 136 stripes leaves 136 × 136 single blocks free: more than a map may have.
  constexpr int kSide = 4 * 1088;
  const Wall wall = grid_wall(4, 4, {1088, 1088}, {0, 0});
  std::vector<RoutedWindow> windows{
      window_of({0, 0, kSide, kSide}, {kSide, kSide}, {kMinBlockSide, kMinBlockSide})};
  for (int at = 0; at < kSide; at += 32) {
    windows.push_back(window_of({at, 0, 16, kSide}, {16, kSide}));
    windows.push_back(window_of({0, at, kSide, 16}, {kSide, 16}));
  }
  const auto maps = route(wall, windows);
  ASSERT_EQ(maps[0].receivers.size(), 16u);
  for (const ReceiverBlocks& receiver : maps[0].receivers) {
    EXPECT_EQ(receiver.blocks.size(), 1u) << receiver.receiver;
  }
  EXPECT_EQ(maps[0].receivers[0].blocks, (std::vector<BlockRect>{{1, 1, 67, 67}}));
  EXPECT_EQ(maps[0].receivers[15].blocks, (std::vector<BlockRect>{{205, 205, 67, 67}}));
}

}  // namespace
}  // namespace sail
