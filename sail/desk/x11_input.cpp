#include "sail/desk/x11_input.h"

#include <xcb/xtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sail/desk/key_symbols.h"

namespace sail {
namespace {

// As X11 counts them: 4 to 7 are the wheel's.
constexpr std::array<uint8_t, 5> kButtons{1, 2, 3, 8, 9};
constexpr uint8_t kWheelUp = 4;
constexpr uint8_t kWheelDown = 5;
constexpr uint8_t kWheelLeft = 6;
constexpr uint8_t kWheelRight = 7;
constexpr size_t kMostKeysHeld = 32;
constexpr uint32_t kShift = 0xffe1;

}  // namespace

X11Input::X11Input(X11Connection& x11) : x11_(x11) {
  read_keyboard();
}

X11Input::~X11Input() {
  if (x11_.lost()) return;
  release_all();
  if (lent_key_ != 0) {
    const uint32_t none = 0;
    xcb_change_keyboard_mapping(x11_.get(), 1, lent_key_, 1, &none);
  }
  // A server that cannot write its events to a connection closed meanwhile drops what is unread of
  // it: the answer says that all has been done.
  const X11Reply<xcb_get_input_focus_reply_t> done(
      xcb_get_input_focus_reply(x11_.get(), xcb_get_input_focus(x11_.get()), nullptr));
}

void X11Input::aim_at(xcb_window_t window, int left, int top) {
  window_ = window;
  left_ = left;
  top_ = top;
}

void X11Input::move_to(int x, int y) {
  const X11Reply<xcb_translate_coordinates_reply_t> at(xcb_translate_coordinates_reply(
      x11_.get(),
      xcb_translate_coordinates(x11_.get(), window_, x11_.screen().root,
                                static_cast<int16_t>(left_ + x), static_cast<int16_t>(top_ + y)),
      nullptr));
  if (!at) return;
  xcb_test_fake_input(x11_.get(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, x11_.screen().root,
                      at->dst_x, at->dst_y, 0);
  xcb_flush(x11_.get());
}

void X11Input::press_button(int button, bool down) {
  if (button < 0 || static_cast<size_t>(button) >= kButtons.size()) return;
  const uint8_t number = kButtons.at(static_cast<size_t>(button));
  fake(down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, number);
  down ? static_cast<void>(buttons_.insert(number)) : static_cast<void>(buttons_.erase(number));
}

void X11Input::turn_wheel(double right, double down) {
  const int columns = wheel_right_.add(right);
  const int rows = wheel_down_.add(down);
  click(columns < 0 ? kWheelLeft : kWheelRight, std::abs(columns));
  click(rows < 0 ? kWheelUp : kWheelDown, std::abs(rows));
}

bool X11Input::press_key(const std::string& key, bool down) {
  if (!down) {
    const auto held = pressed_.extract(key);
    if (!held.empty()) fake(XCB_KEY_RELEASE, held.mapped());
    return true;
  }
  const auto keysym = keysym_of(key);
  if (!keysym) return false;
  MappedKey mapped = find_key(*keysym);
  if (mapped.code == 0) mapped = lend_key(*keysym);
  if (mapped.code == 0 || pressed_.size() >= kMostKeysHeld) return false;
  const bool shift = mapped.shifted && !shift_held();
  const xcb_keycode_t shift_code = shift ? find_key(kShift).code : xcb_keycode_t{0};
  if (shift_code != 0) fake(XCB_KEY_PRESS, shift_code);
  fake(XCB_KEY_PRESS, mapped.code);
  if (shift_code != 0) fake(XCB_KEY_RELEASE, shift_code);
  pressed_[key] = mapped.code;
  return true;
}

void X11Input::release_all() {
  for (const uint8_t button : buttons_) fake(XCB_BUTTON_RELEASE, button);
  for (const auto& [key, code] : pressed_) fake(XCB_KEY_RELEASE, code);
  buttons_.clear();
  pressed_.clear();
}

void X11Input::fake(uint8_t type, uint8_t detail) {
  xcb_test_fake_input(x11_.get(), type, detail, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
  xcb_flush(x11_.get());
}

void X11Input::click(uint8_t button, int times) {
  for (int i = 0; i < times; ++i) {
    fake(XCB_BUTTON_PRESS, button);
    fake(XCB_BUTTON_RELEASE, button);
  }
}

void X11Input::read_keyboard() {
  const int count = x11_.last_keycode() - x11_.first_keycode() + 1;
  const X11Reply<xcb_get_keyboard_mapping_reply_t> mapping(xcb_get_keyboard_mapping_reply(
      x11_.get(),
      xcb_get_keyboard_mapping(x11_.get(), x11_.first_keycode(), static_cast<uint8_t>(count)),
      nullptr));
  if (!mapping) return;
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(mapping.get());
  keysyms_.assign(keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(mapping.get()));
  keysyms_each_ = mapping->keysyms_per_keycode;
}

// Looks at the first two symbols of each key: alone, and with Shift.
X11Input::MappedKey X11Input::find_key(uint32_t keysym) const {
  const auto each = static_cast<size_t>(keysyms_each_);
  for (size_t level = 0; level < std::min<size_t>(each, 2); ++level) {
    for (size_t i = level; i < keysyms_.size(); i += each) {
      if (keysyms_[i] != keysym) continue;
      return {static_cast<xcb_keycode_t>(x11_.first_keycode() + i / each), level == 1};
    }
  }
  return {};
}

X11Input::MappedKey X11Input::lend_key(uint32_t keysym) {
  const auto each = static_cast<size_t>(keysyms_each_);
  for (size_t i = 0; lent_key_ == 0 && i + each <= keysyms_.size(); i += each) {
    const auto first = keysyms_.begin() + static_cast<ptrdiff_t>(i);
    if (std::all_of(first, first + keysyms_each_, [](uint32_t symbol) { return symbol == 0; })) {
      lent_key_ = static_cast<xcb_keycode_t>(x11_.first_keycode() + i / each);
    }
  }
  if (lent_key_ == 0) return {};
  xcb_change_keyboard_mapping(x11_.get(), 1, lent_key_, 1, &keysym);
  return {lent_key_, false};
}

bool X11Input::shift_held() const {
  return pressed_.contains("Shift");
}

}  // namespace sail
