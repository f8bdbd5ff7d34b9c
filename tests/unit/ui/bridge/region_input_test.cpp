#include "ui/bridge/region_input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ui {
namespace {

const NearPlace kRegion{.wall_rect = {100, 0, 400, 200}, .look = {}, .frame_size = {200, 100}};

sail::SceneWindow shown(uint32_t window, const sail::Rect& rect, bool dark = false) {
  return {.window = 10 + window,
          .wall_rect = rect,
          .frame_size = {16, 16},
          .block_size = {16, 16},
          .dark = dark,
          .source = sail::WindowSource{.window = window}};
}

// "7 down", "7 leave"
std::vector<std::string> texts(const std::vector<Wish>& wishes) {
  std::vector<std::string> all;
  for (const Wish& wish : wishes) {
    EXPECT_EQ(wish.params["window"], wish.window);
    all.push_back(std::to_string(wish.window) + " " + wish.params["type"].get<std::string>());
  }
  return all;
}

class RegionInputTest : public testing::Test {
 protected:
  RegionInputTest() {
    input_.follow({.epoch = 1,
                   .windows = {shown(7, {0, 0, 600, 300}), shown(8, {100, 0, 100, 100}),
                               shown(9, {300, 0, 100, 100}, true)}});
  }
  std::vector<Wish> wishes(sail_input_type type, double x, double y, int buttons = 0) {
    sail_event event{};
    event.type = SAIL_EVENT_INPUT;
    event.input.type = type;
    event.input.has_point = type == SAIL_INPUT_KEY_DOWN || type == SAIL_INPUT_LEAVE ? 0 : 1;
    event.input.x = x;
    event.input.y = y;
    event.input.buttons = buttons;
    return input_.wishes_of(event, kRegion);
  }

  RegionInput input_;
};

using Texts = std::vector<std::string>;

TEST_F(RegionInputTest, TheTopmostWindowGetsTheInputAtItsPlaceOnTheWall) {
  const auto made = wishes(SAIL_INPUT_DOWN, 10, 5, 1);
  ASSERT_EQ(texts(made), (Texts{"8 enter", "8 down"}));
  EXPECT_EQ(made.back().params["at"], sail::Json({120, 10}));
  EXPECT_EQ(texts(wishes(SAIL_INPUT_UP, 10, 5)), Texts{"8 up"});
  EXPECT_EQ(texts(wishes(SAIL_INPUT_MOVE, 60, 60)), (Texts{"8 leave", "7 enter", "7 move"}));
}

TEST_F(RegionInputTest, AHeldButtonKeepsItsWindow) {
  (void)wishes(SAIL_INPUT_DOWN, 10, 5, 2);
  EXPECT_EQ(texts(wishes(SAIL_INPUT_MOVE, 60, 60, 2)), Texts{"8 move"});
  EXPECT_EQ(texts(wishes(SAIL_INPUT_UP, 60, 60)), Texts{"8 up"});
  EXPECT_EQ(texts(wishes(SAIL_INPUT_MOVE, 60, 60)), (Texts{"8 leave", "7 enter", "7 move"}));
}

TEST_F(RegionInputTest, KeysGoToTheLastWindowUntilPeopleLeave) {
  EXPECT_TRUE(wishes(SAIL_INPUT_KEY_DOWN, 0, 0).empty());
  (void)wishes(SAIL_INPUT_DOWN, 60, 60, 1);
  EXPECT_EQ(texts(wishes(SAIL_INPUT_KEY_DOWN, 0, 0)), Texts{"7 key_down"});
  EXPECT_EQ(texts(wishes(SAIL_INPUT_LEAVE, 0, 0)), Texts{"7 leave"});
  EXPECT_TRUE(wishes(SAIL_INPUT_KEY_DOWN, 0, 0).empty());
  EXPECT_TRUE(input_.leave().empty());
}

TEST_F(RegionInputTest, WhatIsDarkOrEmptyGetsNothing) {
  (void)wishes(SAIL_INPUT_MOVE, 60, 60);
  EXPECT_EQ(texts(wishes(SAIL_INPUT_DOWN, 110, 5, 1)), Texts{"7 leave"}) << "a bridge's window";
  input_.follow({.epoch = 2, .windows = {}});
  EXPECT_TRUE(wishes(SAIL_INPUT_DOWN, 10, 5, 1).empty());
}

}  // namespace
}  // namespace ui
