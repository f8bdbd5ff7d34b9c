#include "sail/apps/share/portal/portal_input.h"

#include <linux/input-event-codes.h>

#include <array>

#include "sail/core/wire/input.h"

namespace sail {
namespace {

constexpr std::array kButtons{BTN_LEFT, BTN_MIDDLE, BTN_RIGHT, BTN_SIDE, BTN_EXTRA};
constexpr size_t kMostKeysHeld = 32;

}  // namespace

PortalInput::PortalInput(SharePortal& portal, Size picture) : portal_(portal) {
  const Size area = portal_.pointer_area();
  if (area.width <= 0 || picture.width <= 0 || picture.height <= 0) return;
  scale_x_ = static_cast<double>(area.width) / picture.width;
  scale_y_ = static_cast<double>(area.height) / picture.height;
}

void PortalInput::aim_at(int left, int top) {
  left_ = left;
  top_ = top;
}

void PortalInput::move_to(int x, int y) {
  portal_.move_pointer((left_ + x) * scale_x_, (top_ + y) * scale_y_);
}

void PortalInput::press_button(int button, bool down) {
  if (button < 0 || static_cast<size_t>(button) >= kButtons.size()) return;
  const int number = kButtons.at(static_cast<size_t>(button));
  portal_.press_button(number, down);
  down ? static_cast<void>(buttons_.insert(number)) : static_cast<void>(buttons_.erase(number));
}

void PortalInput::turn_wheel(double right, double down) {
  using Axis = SharePortal::Axis;
  if (const int columns = wheel_right_.add(right)) portal_.turn_wheel(Axis::kHorizontal, columns);
  if (const int rows = wheel_down_.add(down)) portal_.turn_wheel(Axis::kVertical, rows);
}

bool PortalInput::press_key(const std::string& key, bool down) {
  if (!down) {
    let_go(key);
    return true;
  }
  const auto keysym = keysym_of(key);
  if (!keysym || pressed_.size() >= kMostKeysHeld) return false;
  // Windows sends Control before AltGr; that would turn the character into a shortcut.
  if (key == "AltGraph") let_go("Control");
  portal_.press_key(*keysym, true);
  pressed_[key] = *keysym;
  return true;
}

void PortalInput::let_go(const std::string& key) {
  const auto held = pressed_.extract(key);
  if (!held.empty()) portal_.press_key(held.mapped(), false);
}

void PortalInput::release_all() {
  for (const int button : buttons_) portal_.press_button(button, false);
  for (const auto& [key, keysym] : pressed_) portal_.press_key(keysym, false);
  buttons_.clear();
  pressed_.clear();
}

}  // namespace sail
