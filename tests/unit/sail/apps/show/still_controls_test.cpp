#include "sail/apps/show/still_controls.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sail {
namespace {

class StillControlsTest : public testing::Test {
 protected:
  StillControlsTest() {
    zoom_.set_frame({400, 300});
    zoom_.set_page({4000, 3000}, 16);
  }
  static sail_input at(sail_input_type type, double x, double y) {
    sail_input input{};
    input.type = type;
    input.client = 1;
    input.has_point = 1;
    input.x = x;
    input.y = y;
    return input;
  }
  StillControls::Turn press(const char* key) {
    sail_input input{};
    input.type = SAIL_INPUT_KEY_DOWN;
    std::strncpy(input.key, key, sizeof(input.key) - 1);
    return controls_.obey(input, zoom_);
  }
  void point(sail_input_type type, double x, double y, int buttons) {
    sail_input input = at(type, x, y);
    input.buttons = buttons;
    controls_.obey(input, zoom_);
  }

  PageZoom zoom_;
  StillControls controls_;
};

TEST_F(StillControlsTest, KeysTurnPages) {
  EXPECT_EQ(press("ArrowRight").by, 1);
  EXPECT_EQ(press("ArrowUp").by, -1);
  EXPECT_EQ(press("PageDown").by, 1);
  EXPECT_EQ(press("PageUp").by, -1);
  EXPECT_EQ(press("Home").to, 1);
  EXPECT_EQ(press("End").to, StillControls::kLastPage);
  EXPECT_EQ(press("x").by, 0);
}

TEST_F(StillControlsTest, ArrowsPanWhatIsZoomed) {
  press("1");
  const PageView before = zoom_.view();
  EXPECT_EQ(before.scale, 1);
  EXPECT_EQ(press("ArrowRight").by, 0);
  EXPECT_EQ(zoom_.view().left, before.left + 50);
  press("0");
  EXPECT_TRUE(zoom_.fitted());
}

TEST_F(StillControlsTest, TheWheelZoomsAtThePointer) {
  sail_input wheel = at(SAIL_INPUT_WHEEL, 0, 0);
  wheel.wheel_y = -1;
  controls_.obey(wheel, zoom_);
  EXPECT_DOUBLE_EQ(zoom_.view().scale, 0.125);
  EXPECT_DOUBLE_EQ(zoom_.view().left, 0);
  wheel.wheel_y = 1e300;
  controls_.obey(wheel, zoom_);
  EXPECT_TRUE(zoom_.fitted());
}

TEST_F(StillControlsTest, AHeldPictureGoesWithThePointer) {
  press("1");
  const PageView before = zoom_.view();
  point(SAIL_INPUT_MOVE, 10, 10, 0);
  EXPECT_EQ(zoom_.view(), before);
  point(SAIL_INPUT_DOWN, 10, 10, 1);
  EXPECT_TRUE(controls_.dragging());
  point(SAIL_INPUT_MOVE, 30, 5, 1);
  EXPECT_EQ(zoom_.view().left, before.left - 20);
  EXPECT_EQ(zoom_.view().top, before.top + 5);
  point(SAIL_INPUT_UP, 30, 5, 0);
  point(SAIL_INPUT_MOVE, 90, 90, 0);
  EXPECT_EQ(zoom_.view().left, before.left - 20);
  EXPECT_FALSE(controls_.dragging());
}

TEST_F(StillControlsTest, FingersPanAndPinch) {
  press("1");
  const PageView before = zoom_.view();
  sail_input first = at(SAIL_INPUT_TOUCH_DOWN, 100, 100);
  sail_input second = at(SAIL_INPUT_TOUCH_DOWN, 200, 100);
  second.touch = 1;
  controls_.obey(first, zoom_);
  controls_.obey(second, zoom_);
  first = at(SAIL_INPUT_TOUCH_MOVE, 110, 100);
  controls_.obey(first, zoom_);
  EXPECT_EQ(zoom_.view().left, before.left - 5) << "half of what one of two fingers moved";
  sail_input pinch = at(SAIL_INPUT_PINCH, 200, 150);
  pinch.scale = 2;
  controls_.obey(pinch, zoom_);
  EXPECT_EQ(zoom_.view().scale, 2);
  controls_.obey(at(SAIL_INPUT_LEAVE, 0, 0), zoom_);
  EXPECT_FALSE(controls_.dragging());
}

}  // namespace
}  // namespace sail
