#include "sail/bindings/gstreamer/sink_events.h"

#include <gst/video/navigation.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace sail {
namespace {

struct Unref {
  void operator()(GstEvent* event) const { gst_event_unref(event); }
};
using Event = std::unique_ptr<GstEvent, Unref>;

class SinkEvents : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }
};

sail_input input_at(sail_input_type type, double x, double y) {
  sail_input input{};
  input.type = type;
  input.has_point = 1;
  input.x = x;
  input.y = y;
  return input;
}

TEST_F(SinkEvents, ButtonsAreCountedFromOne) {
  sail_input input = input_at(SAIL_INPUT_DOWN, 12.5, 7);
  input.button = 2;
  input.buttons = 2;
  input.modifiers = SAIL_CONTROL;
  const Event event(navigation_of(input));
  gint button = 0;
  gdouble x = 0;
  gdouble y = 0;
  ASSERT_TRUE(gst_navigation_event_parse_mouse_button_event(event.get(), &button, &x, &y));
  EXPECT_EQ(gst_navigation_event_get_type(event.get()), GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS);
  EXPECT_EQ(button, 3);
  EXPECT_EQ(x, 12.5);
  EXPECT_EQ(y, 7);
  GstNavigationModifierType state{};
  ASSERT_TRUE(gst_navigation_event_parse_modifier_state(event.get(), &state));
  EXPECT_EQ(state, GST_NAVIGATION_MODIFIER_CONTROL_MASK | GST_NAVIGATION_MODIFIER_BUTTON3_MASK);
}

TEST_F(SinkEvents, KeysHaveTheNamesOfX11) {
  const std::pair<const char*, std::string> names[] = {
      {"a", "a"}, {"Enter", "Return"}, {"ArrowLeft", "Left"}, {" ", "space"}, {"F5", "F5"}};
  for (const auto& [ours, theirs] : names) {
    sail_input input = input_at(SAIL_INPUT_KEY_DOWN, 0, 0);
    std::strcpy(input.key, ours);
    const Event event(navigation_of(input));
    const gchar* key = nullptr;
    ASSERT_TRUE(gst_navigation_event_parse_key_event(event.get(), &key));
    EXPECT_EQ(key, theirs);
  }
}

TEST_F(SinkEvents, WheelsAndFingers) {
  sail_input wheel = input_at(SAIL_INPUT_WHEEL, 1, 2);
  wheel.wheel_y = -3;
  const Event scrolled(navigation_of(wheel));
  gdouble x = 0;
  gdouble y = 0;
  gdouble right = 0;
  gdouble down = 0;
  ASSERT_TRUE(gst_navigation_event_parse_mouse_scroll_event(scrolled.get(), &x, &y, &right, &down));
  EXPECT_EQ(down, -3);
  sail_input touch = input_at(SAIL_INPUT_TOUCH_DOWN, 5, 6);
  touch.touch = 4;
  const Event touched(navigation_of(touch));
  guint finger = 0;
  ASSERT_TRUE(gst_navigation_event_parse_touch_event(touched.get(), &finger, &x, &y, nullptr));
  EXPECT_EQ(finger, 4U);
  EXPECT_EQ(navigation_of(input_at(SAIL_INPUT_PINCH, 0, 0)), nullptr);
}

}  // namespace
}  // namespace sail
