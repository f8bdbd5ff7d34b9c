// Incrementally updated maps must equal those of a routing from scratch.
#include "sail/core/routing/router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/unit/sail/core/wall/random_wall.h"

namespace sail {
namespace {

class Stack {
 public:
  Stack(RandomWall& random, const Wall& wall) : random_(random), wall_(wall) {}

  const std::vector<RoutedWindow>& windows() const { return windows_; }

  void change() {
    const int what = random_.between(0, 9);
    if (windows_.empty() || what == 0) {
      windows_.insert(windows_.begin() + random_.between(0, last() + 1), fresh());
    } else if (what == 1) {
      windows_.erase(any());
    } else if (what == 2) {
      raise(any());
    } else if (what == 3) {
      std::rotate(windows_.begin(), any(), windows_.end());
    } else if (what == 4) {
      any()->alpha = random_.one_in(2);
    } else {
      any()->wall_rect = random_.window_rect(wall_.size);
    }
  }

 private:
  int last() const { return static_cast<int>(windows_.size()) - 1; }
  std::vector<RoutedWindow>::iterator any() {
    return windows_.begin() + random_.between(0, last());
  }
  void raise(std::vector<RoutedWindow>::iterator window) {
    std::rotate(window, window + 1, windows_.end());
  }
  RoutedWindow fresh() {
    return {.window = next_++,
            .wall_rect = random_.window_rect(wall_.size),
            .frame_size = {random_.between(1, 300), random_.between(1, 300)},
            .block_size = {16, 16},
            .max_reduction = random_.between(0, 2),
            .alpha = random_.one_in(5)};
  }

  RandomWall& random_;
  const Wall& wall_;
  std::vector<RoutedWindow> windows_;
  uint32_t next_ = 1;
};

TEST(Router, MapsAreThoseOfARoutingFromScratch) {
  size_t kept = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    RandomWall random(seed);
    const Wall wall = random.wall(200);
    Stack stack(random, wall);
    Router router(wall);
    std::map<uint32_t, RoutingMap> maps;
    for (int i = 0; i < 25; ++i) stack.change();
    for (int step = 0; step < 60; ++step) {
      for (int i = random.between(0, 3); i > 0; --i) stack.change();
      if (random.one_in(20)) router.forget();
      const auto routed = router.update(stack.windows());
      for (const Router::Routed& one : routed) {
        EXPECT_EQ(one.map.window, stack.windows()[one.index].window);
        maps[one.map.window] = one.map;
      }
      kept += stack.windows().size() - routed.size();
      const std::vector<RoutingMap> expected = route(wall, stack.windows());
      for (const RoutingMap& map : expected) {
        ASSERT_EQ(maps.at(map.window), map) << "seed " << seed << ", step " << step;
      }
    }
  }
  EXPECT_GT(kept, 1000U) << "it makes all maps again and again";
}

TEST(Router, WhatStandsElsewhereIsLeftAlone) {
  RandomWall random(1);
  Wall wall;
  wall.name = "one";
  wall.size = {10'000, 1000};
  wall.receivers = {{"r", ""}};
  wall.tiles.push_back({.name = "t",
                        .receiver = "r",
                        .wall_rect = {0, 0, 10'000, 1000},
                        .resolution = {10'000, 1000}});
  std::vector<RoutedWindow> windows;
  for (uint32_t i = 0; i < 100; ++i) {
    windows.push_back({.window = i + 1,
                       .wall_rect = {static_cast<int>(i) * 100, 0, 100, 100},
                       .frame_size = {100, 100},
                       .block_size = {16, 16}});
  }
  Router router(wall);
  EXPECT_EQ(router.update(windows).size(), 100U);
  EXPECT_TRUE(router.update(windows).empty());
  windows[40].wall_rect.x += 30;
  const auto moved = router.update(windows);
  ASSERT_EQ(moved.size(), 2U) << "it and its neighbour on the right, beneath which it was not";
  EXPECT_EQ(moved[0].index, 40U);
  EXPECT_EQ(moved[1].index, 41U);
  std::rotate(windows.begin() + 10, windows.begin() + 11, windows.end());  // raises index 10
  const auto raised = router.update(windows);
  ASSERT_EQ(raised.size(), 1U);
  EXPECT_EQ(raised[0].map.window, 11U);
  windows.erase(windows.begin() + 3);
  EXPECT_TRUE(router.update(windows).empty());
}

}  // namespace
}  // namespace sail
