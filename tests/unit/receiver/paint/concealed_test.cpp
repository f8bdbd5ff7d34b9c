// Blanked areas and frozen windows on every display; linked with one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

using reference::Picture;
using sail::DropCause;
using sail::Rect;

const sail::BlockGrid kConcealedGrid({120, 90}, {32, 16});

sail::SceneWindow plain_window(const Rect& wall_rect) {
  return {.window = 1,
          .secret = 1,
          .epoch = 1,
          .wall_rect = wall_rect,
          .frame_size = kConcealedGrid.frame_size(),
          .block_size = kConcealedGrid.block_size()};
}

class ConcealedTest : public testing::Test {
 protected:
  TestFrame noise() { return noise_frame(kConcealedGrid, random_); }
  DropCause give(const TestFrame& frame) {
    return wall_.end_of(received(frame, 1, wall_.next_key()));
  }
  void expect(const std::vector<reference::Window>& windows, const std::string& where) {
    wall_.show();
    wall_.expect_like(windows, where);
  }

  std::mt19937 random_{7};
  PaintedWall wall_{test_display(2),
                    {tile({0, 0, 100, 100}, {100, 100}), tile({100, 0, 100, 100}, {100, 100})}};
};

TEST_F(ConcealedTest, AFrozenWindowKeepsTheFirstFrameOfItsMapAndMoves) {
  sail::SceneWindow window = plain_window({5, 3, 120, 90});
  wall_.set_scene({window});
  give(noise());
  window.frozen = true;
  wall_.set_scene({window});
  const TestFrame frozen = noise();
  EXPECT_EQ(give(frozen), DropCause::kNone);
  EXPECT_EQ(give(noise()), DropCause::kFrozen);
  expect({{window.wall_rect, frozen.picture}}, "frozen");
  window.wall_rect = {40, 8, 120, 90};
  window.epoch = 2;  // the layout changes its map
  wall_.set_scene({window});
  EXPECT_EQ(give(noise()), DropCause::kFrozen);
  expect({{window.wall_rect, frozen.picture}}, "moved");
  window.frozen = false;
  window.epoch = 1;
  wall_.set_scene({window});
  const TestFrame current = noise();
  EXPECT_EQ(give(current), DropCause::kNone);
  expect({{window.wall_rect, current.picture}}, "shown again");
}

TEST_F(ConcealedTest, WhatNoTileShowedWhenAWindowFrozeIsBlackLater) {
  sail::SceneWindow window = plain_window({-64, 0, 120, 90});
  wall_.set_scene({window});
  give(noise());
  window.frozen = true;
  wall_.set_scene({window});
  const TestFrame frozen = noise();
  EXPECT_EQ(give(frozen), DropCause::kNone);
  window.wall_rect.x = 0;
  wall_.set_scene({window});
  expect({{window.wall_rect, frozen.picture}, {{0, 0, 64, 90}, reference::black_picture(64, 90)}},
         "in view");
}

TEST_F(ConcealedTest, AWindowThatIsFrozenWhenItComesIsBlack) {
  sail::SceneWindow window = plain_window({0, 0, 120, 90});
  window.frozen = true;
  wall_.set_scene({window});
  EXPECT_EQ(give(noise()), DropCause::kFrozen);
  expect({}, "without a picture");
}

TEST_F(ConcealedTest, ABlankAreaIsBlackOnAllTilesWithALineInItsMiddle) {
  const sail::SceneWindow window = plain_window({40, 0, 120, 90});
  const Rect area{60, 0, 80, 100};
  const TestFrame frame = noise();
  const std::vector<reference::Window> shown = {{window.wall_rect, frame.picture}};
  std::vector<reference::Window> blank = shown;
  blank.push_back({area, reference::black_picture(area.width, area.height)});
  wall_.set_scene({window});
  give(frame);
  wall_.set_whole_scene({.epoch = 1,
                         .windows = {window},
                         .blanks = {{area, true, ""}, {{70, 10, 40, 20}, true, ""}}});
  expect(blank, "without text");
  wall_.set_whole_scene(
      {.epoch = 1, .windows = {window}, .blanks = {{area, true, "back at 11:15"}}});
  wall_.show();
  for (size_t i = 0; i < 2; ++i) {
    const Picture panel = wall_.panel(i);
    int bright = 0;
    for (int x = 0; x < 100; ++x) {
      const bool inside = i == 0 ? x >= 60 : x < 40;
      for (int y = 0; inside && y < 100; ++y) bright += *panel.at(x, y) > 128 ? 1 : 0;
    }
    EXPECT_GT(bright, 5) << "letters on tile " << i;
    EXPECT_LT(bright, 400) << "the rest is black";
  }
  wall_.set_scene({window});
  expect(shown, "shown again");
}

}  // namespace
}  // namespace receiver
