// Placing of new windows, and grids that avoid bezels.
#include "manager/wall/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "manager/wall/arrange.h"

namespace manager {
namespace {

using sail::Rect;
using sail::Size;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Size kFilm{1920, 1080};

sail::Wall wall_of(int columns, int rows, Size tile, int mullion) {
  sail::Wall wall;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      sail::Tile one;
      one.wall_rect = {column * (tile.width + mullion), row * (tile.height + mullion), tile.width,
                       tile.height};
      wall.tiles.push_back(std::move(one));
    }
  }
  wall.size = {columns * (tile.width + mullion) - mullion,
               rows * (tile.height + mullion) - mullion};
  return wall;
}

void expect_apart_on_the_wall(const std::vector<Rect>& places, Size wall) {
  for (size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(intersect(places[i], {0, 0, wall.width, wall.height}), places[i]);
    for (size_t k = 0; k < i; ++k) EXPECT_TRUE(intersect(places[i], places[k]).empty());
  }
}

// --- bezels

TEST(TileGaps, AreWhereNoTileIs) {
  const TileGaps gaps = tile_gaps(wall_of(3, 2, {640, 360}, 16));
  EXPECT_THAT(gaps.x, ElementsAre(Stretch{640, 656}, Stretch{1296, 1312}));
  EXPECT_THAT(gaps.y, ElementsAre(Stretch{360, 376}));
  EXPECT_THAT(tile_gaps(wall_of(2, 1, {640, 360}, 0)).x, ElementsAre(Stretch{640, 640}));
  EXPECT_THAT(tile_gaps(wall_of(1, 1, {640, 360}, 16)).x, IsEmpty());
}

TEST(TileGaps, CellsEndAtTilesThatTheyNearlyMatch) {
  const Size wall = wall_of(2, 2, {640, 360}, 16).size;
  const TileGaps gaps = tile_gaps(wall_of(2, 2, {640, 360}, 16));
  EXPECT_THAT(grid_cells({0, 0, wall.width, wall.height}, 2, 2, gaps),
              ElementsAre(Rect{0, 0, 640, 360}, Rect{656, 0, 640, 360}, Rect{0, 376, 640, 360},
                          Rect{656, 376, 640, 360}));
  EXPECT_THAT(
      divide({0, wall.width}, 4, gaps.x),
      ElementsAre(Stretch{0, 320}, Stretch{320, 640}, Stretch{656, 976}, Stretch{976, 1296}));
  // Three columns do not match two tiles.
  EXPECT_THAT(divide({0, wall.width}, 3, gaps.x),
              ElementsAre(Stretch{0, 432}, Stretch{432, 864}, Stretch{864, 1296}));
  EXPECT_THAT(divide({10, 20}, 3, {}),
              ElementsAre(Stretch{10, 13}, Stretch{13, 16}, Stretch{16, 20}));
}

TEST(TileGaps, EveryGridHasAllItsCells) {
  for (const int mullion : {0, 1, 16, 300}) {
    const sail::Wall wall = wall_of(3, 2, {640, 360}, mullion);
    const TileGaps gaps = tile_gaps(wall);
    for (int count = 1; count <= 40; ++count) {
      const auto columns = divide({0, wall.size.width}, count, gaps.x);
      ASSERT_EQ(columns.size(), static_cast<size_t>(count));
      EXPECT_EQ(columns.front().start, 0);
      EXPECT_EQ(columns.back().end, wall.size.width);
      for (size_t i = 0; i < columns.size(); ++i) {
        EXPECT_GT(columns[i].length(), 0) << count << " columns, mullion " << mullion;
        if (i > 0) {
          EXPECT_GE(columns[i].start, columns[i - 1].end);
        }
      }
    }
  }
}

TEST(TileGaps, GridsAndPartitionsKeepClearOfBezels) {
  const sail::Wall wall = wall_of(2, 2, {640, 360}, 16);
  const TileGaps gaps = tile_gaps(wall);
  const Rect all{0, 0, wall.size.width, wall.size.height};
  for (const size_t count : {2U, 3U, 4U, 16U}) {
    const auto places = arrange_grid(all, std::vector<Size>(count, kFilm), 0, gaps).rects;
    for (const Rect& place : places) EXPECT_FALSE(crosses(place, gaps)) << count;
    expect_apart_on_the_wall(places, wall.size);
  }
  // No bezel crosses a window if that is possible without making windows much smaller.
  for (const size_t count : {12U, 40U, 200U}) {
    const auto places = arrange_grid(all, std::vector<Size>(count, kFilm), 0, gaps).rects;
    for (const Rect& place : places) ASSERT_FALSE(crosses(place, gaps)) << count;
  }
  EXPECT_FALSE(crosses(arrange_grid(all, std::vector<Size>(12, kFilm), 4, gaps).rects[5], gaps));
  const auto partitions = partition_grid(wall.size, 2, 2, gaps);
  ASSERT_TRUE(partitions);
  EXPECT_EQ(partitions->find("4")->rect, (Rect{656, 376, 640, 360}));
}

// --- new windows

class PlacingTest : public testing::Test {
 protected:
  uint32_t open(const Rect& rect, Size content = kFilm) {
    Window window;
    window.frame_size = content;
    window.wall_rect = rect;
    return (*arrangement.open(std::move(window)))->number;
  }
  Placing place(std::vector<Size> contents, std::optional<Point> at = {},
                Others others = Others::kStay) const {
    return place_windows(arrangement, gaps, contents, at, others);
  }
  void partition(const Partition& one) {
    Partitions partitions = arrangement.partitions();
    ASSERT_TRUE(partitions.set(one, wall.size));
    arrangement.apply({.partitions = partitions}, {});
  }

  const sail::Wall wall = wall_of(2, 2, {1920, 1080}, 32);
  const TileGaps gaps = tile_gaps(wall);
  Arrangement arrangement{wall.size};
};

TEST_F(PlacingTest, TheOnlyWindowHasTheWallAndOthersFindFreeSpace) {
  EXPECT_EQ(place({kFilm}).rects.front(), fit_into(kFilm, {0, 0, 3872, 2192}));
  std::vector<Rect> there{{0, 0, 1920, 1080}};
  open(there.front());
  for (int i = 0; i < 3; ++i) {
    there.push_back(place({kFilm}).rects.front());
    open(there.back());
  }
  expect_apart_on_the_wall(there, wall.size);
  EXPECT_EQ(there.back(), (Rect{1952, 1112, 1920, 1080})) << "a tile each";
}

TEST_F(PlacingTest, SeveralGoSideBySide) {
  const Placing four = place({kFilm, kFilm, kFilm, {800, 600}}, Point{3800, 2100});
  EXPECT_THAT(four.areas, ElementsAre(Rect{0, 0, 1920, 1080}, Rect{1952, 0, 1920, 1080},
                                      Rect{0, 1112, 1920, 1080}, Rect{1952, 1112, 1920, 1080}));
  open({0, 0, 1920, 1080});
  const Placing beside = place({kFilm, kFilm});
  expect_apart_on_the_wall({beside.rects[0], beside.rects[1], {0, 0, 1920, 1080}}, wall.size);
  for (size_t count : {1U, 2U, 5U, 30U, 64U}) {
    const Placing many = place(std::vector<Size>(count, kFilm));
    ASSERT_EQ(many.rects.size(), count);
    expect_apart_on_the_wall(many.rects, wall.size);
  }
}

TEST_F(PlacingTest, AtAPointAWindowStandsAroundItButOnTheWall) {
  EXPECT_EQ(place({kFilm}, Point{1936, 1096}).areas.front(), (Rect{1291, 731, 1290, 730}));
  for (const Point& corner : {Point{0, 0}, Point{3871, 2191}, Point{-5000, 9000}}) {
    expect_apart_on_the_wall(place({kFilm}, corner).rects, wall.size);
  }
  // In free space a window keeps clear of its neighbours; over a window it covers it.
  open({0, 0, 1920, 1080});
  const Rect beside = place({kFilm}, Point{2000, 500}).rects.front();
  EXPECT_TRUE(beside.contains(2000, 500));
  expect_apart_on_the_wall({beside, {0, 0, 1920, 1080}}, wall.size);
  EXPECT_TRUE(place({kFilm}, Point{960, 540}).rects.front().contains(960, 540));
}

TEST_F(PlacingTest, WithoutFreeSpaceWindowsAreInStepsOnTheWall) {
  open({0, 0, wall.size.width, wall.size.height});
  std::optional<Rect> last;
  for (int i = 0; i < 20; ++i) {
    const Placing next = place({kFilm});
    EXPECT_TRUE(next.others.empty());
    EXPECT_NE(next.rects.front(), last);
    last = next.rects.front();
    expect_apart_on_the_wall({*last}, wall.size);
    open(*last);
  }
  expect_apart_on_the_wall(place({kFilm, kFilm, kFilm}).rects, wall.size);
}

TEST_F(PlacingTest, WindowsThatNobodyPlacedMakeRoom) {
  const uint32_t first = open(place({kFilm}).rects.front());
  const Placing second = place({kFilm}, {}, Others::kMakeRoom);
  ASSERT_TRUE(second.others.windows.contains(first));
  expect_apart_on_the_wall({second.rects.front(), second.others.windows.at(first).wall_rect},
                           wall.size);
  // A window placed by a user does not move.
  arrangement.apply({.windows = {{first, {.wall_rect = {0, 1, 3870, 2190}}}}}, {});
  EXPECT_TRUE(place({kFilm}, {}, Others::kMakeRoom).others.empty());
}

TEST_F(PlacingTest, WindowsThatMakeRoomKeepTheirOrder) {
  std::vector<uint32_t> numbers;
  for (const Rect& rect :
       arrange_grid({0, 0, wall.size.width, wall.size.height}, std::vector<Size>(4, kFilm), 0, gaps)
           .rects) {
    numbers.push_back(open(rect));
  }
  const auto others = place({kFilm}, {}, Others::kMakeRoom).others.windows;
  ASSERT_EQ(others.size(), numbers.size());
  const auto place_of = [&](uint32_t number) {
    return std::pair(others.at(number).wall_rect.y, others.at(number).wall_rect.x);
  };
  EXPECT_TRUE(std::ranges::is_sorted(numbers, {}, place_of)) << "row by row";
}

// A film that leaves a strip of the wall free shares its area with the new window.
TEST_F(PlacingTest, AStripIsNoFreeSpace) {
  const Size wide{2350, 1000};
  const uint32_t first = open(fit_into(wide, {0, 0, wall.size.width, wall.size.height}), wide);
  const Placing second = place({kFilm}, {}, Others::kMakeRoom);
  EXPECT_GE(second.rects.front().width, wall.size.width / 4);
  EXPECT_TRUE(second.others.windows.contains(first));
  // An application's own window gets the same size, although others do not make room.
  EXPECT_GE(place({kFilm}).rects.front().width, wall.size.width / 4);
}

TEST_F(PlacingTest, ANoteComesInFrontOfAFullGrid) {
  for (const Rect& rect :
       arrange_grid({0, 0, wall.size.width, wall.size.height}, std::vector<Size>(4, kFilm), 0, gaps)
           .rects) {
    open(rect);
  }
  const Placing note = place({{400, 300}}, {}, Others::kBehind);
  EXPECT_TRUE(note.others.empty());
  EXPECT_LE(note.rects.front().width, wall.size.width / 4);
  EXPECT_LE(note.rects.front().height, wall.size.height / 4);
  expect_apart_on_the_wall(note.rects, wall.size);
  // If there is room it is as large as others.
  arrangement.remove(4);
  EXPECT_GE(place({{400, 300}}, {}, Others::kBehind).rects.front().height, 1000);
}

TEST_F(PlacingTest, APartitionIsShared) {
  partition({"left", {0, 0, 1920, 1080}});
  EXPECT_EQ(place({kFilm}, Point{5, 5}, Others::kMakeRoom).rects.front(), (Rect{0, 0, 1920, 1080}));
  const uint32_t there = open({0, 0, 1920, 1080});
  arrangement.apply({.windows = {{there, {.wall_rect = {0, 0, 1918, 1080}}}}}, {});
  const uint32_t locked = open({0, 0, 100, 100});
  arrangement.apply({.windows = {{locked, {.wall_rect = {0, 0, 100, 100}, .locked = true}}}}, {});
  EXPECT_TRUE(place({kFilm}, Point{5, 5}, Others::kStay).others.empty());
  const Placing shared = place({kFilm, kFilm}, Point{5, 5}, Others::kMakeRoom);
  EXPECT_TRUE(shared.in_partition);
  EXPECT_THAT(shared.others.windows, testing::SizeIs(1));
  std::vector<Rect> places = shared.rects;
  places.push_back(shared.others.windows.at(there).wall_rect);
  expect_apart_on_the_wall(places, {1920, 1080});
  // A window of the partition that is placed again does not share with itself.
  EXPECT_TRUE(share_partition(arrangement, gaps, arrangement.partitions().all().front(),
                              std::vector<Size>{kFilm}, there)
                  .others.empty());
}

TEST_F(PlacingTest, ClosedAreasStayFreeOfNewAndMovedWindows) {
  const std::vector<Rect> closed{{0, 0, 1920, 2192}};
  const std::vector<Size> film{kFilm};
  const auto placed = [&] {
    return place_outside(arrangement, gaps, film, {}, Others::kMakeRoom, closed);
  };
  EXPECT_GE(placed().rects.front().x, 1920);
  open(fit_into(kFilm, {0, 0, 3872, 2192}));  // would make room
  const Placing beside = placed();
  EXPECT_GE(beside.rects.front().x, 1920) << "it covers the window, whose place is closed";
  EXPECT_TRUE(beside.others.empty());
}

}  // namespace
}  // namespace manager
