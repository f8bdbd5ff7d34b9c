#include "sail/bindings/gstreamer/sink_events.h"

#include <gst/video/navigation.h>

#include <array>
#include <string_view>
#include <utility>

namespace sail {
namespace {

// Key names of KeyboardEvent.key (W3C UI Events) and the X11 keysyms that GStreamer uses.
constexpr std::array<std::pair<std::string_view, const char*>, 14> kKeys = {{
    {"Enter", "Return"},
    {"Backspace", "BackSpace"},
    {"ArrowLeft", "Left"},
    {"ArrowRight", "Right"},
    {"ArrowUp", "Up"},
    {"ArrowDown", "Down"},
    {"PageUp", "Page_Up"},
    {"PageDown", "Page_Down"},
    {" ", "space"},
    {"Control", "Control_L"},
    {"Shift", "Shift_L"},
    {"Alt", "Alt_L"},
    {"Meta", "Meta_L"},
    {"ContextMenu", "Menu"},
}};

const char* key_of(const sail_input& input) {
  for (const auto& [ours, theirs] : kKeys) {
    if (ours == input.key) return theirs;
  }
  return input.key;
}

GstNavigationModifierType state_of(const sail_input& input) {
  constexpr std::array<std::pair<int, GstNavigationModifierType>, 4> kModifiers = {{
      {SAIL_SHIFT, GST_NAVIGATION_MODIFIER_SHIFT_MASK},
      {SAIL_CONTROL, GST_NAVIGATION_MODIFIER_CONTROL_MASK},
      {SAIL_ALT, GST_NAVIGATION_MODIFIER_MOD1_MASK},
      {SAIL_META, GST_NAVIGATION_MODIFIER_META_MASK},
  }};
  constexpr std::array<std::pair<int, GstNavigationModifierType>, 3> kButtons = {{
      {1, GST_NAVIGATION_MODIFIER_BUTTON1_MASK},
      {2, GST_NAVIGATION_MODIFIER_BUTTON3_MASK},
      {4, GST_NAVIGATION_MODIFIER_BUTTON2_MASK},
  }};
  int state = 0;
  for (const auto& [ours, theirs] : kModifiers) state |= (input.modifiers & ours) != 0 ? theirs : 0;
  for (const auto& [ours, theirs] : kButtons) state |= (input.buttons & ours) != 0 ? theirs : 0;
  return static_cast<GstNavigationModifierType>(state);
}

}  // namespace

GstEvent* navigation_of(const sail_input& input) {
  constexpr double kUnknownPressure = -1;
  const double x = input.x;
  const double y = input.y;
  const GstNavigationModifierType state = state_of(input);
  const auto finger = static_cast<guint>(input.touch);
  switch (input.type) {
    case SAIL_INPUT_MOVE:
      return gst_navigation_event_new_mouse_move(x, y, state);
    case SAIL_INPUT_DOWN:
      return gst_navigation_event_new_mouse_button_press(input.button + 1, x, y, state);
    case SAIL_INPUT_UP:
      return gst_navigation_event_new_mouse_button_release(input.button + 1, x, y, state);
    case SAIL_INPUT_WHEEL:
      return gst_navigation_event_new_mouse_scroll(x, y, input.wheel_x, input.wheel_y, state);
    case SAIL_INPUT_KEY_DOWN:
      return gst_navigation_event_new_key_press(key_of(input), state);
    case SAIL_INPUT_KEY_UP:
      return gst_navigation_event_new_key_release(key_of(input), state);
    case SAIL_INPUT_TOUCH_DOWN:
      return gst_navigation_event_new_touch_down(finger, x, y, kUnknownPressure, state);
    case SAIL_INPUT_TOUCH_MOVE:
      return gst_navigation_event_new_touch_motion(finger, x, y, kUnknownPressure, state);
    case SAIL_INPUT_TOUCH_UP:
      return gst_navigation_event_new_touch_up(finger, x, y, state);
    default:
      return nullptr;
  }
}

}  // namespace sail
