#include "sail/apps/vnc/vnc_input.h"

#include <cstdlib>
#include <utility>

#include "sail/core/wire/input.h"

namespace sail {
namespace {

constexpr size_t kMostKeysHeld = 32;
// Keysyms.
constexpr uint32_t kShift = 0xffe1;
constexpr uint32_t kControl = 0xffe3;
// RFB buttons: left, middle, right, then the wheel.
constexpr int kButtons = 3;
constexpr unsigned kWheelUp = 3;
constexpr unsigned kWheelDown = 4;
constexpr unsigned kWheelLeft = 5;
constexpr unsigned kWheelRight = 6;

}  // namespace

void VncInput::move_to(int x, int y) {
  x_ = x;
  y_ = y;
  desktop_.point(x_, y_, buttons_);
}

void VncInput::press_button(int button, bool down) {
  if (button < 0 || button >= kButtons) return;
  const auto bit = static_cast<uint8_t>(1U << static_cast<unsigned>(button));
  buttons_ = static_cast<uint8_t>(down ? buttons_ | bit : buttons_ & ~bit);
  desktop_.point(x_, y_, buttons_);
}

void VncInput::turn_wheel(double right, double down) {
  const int columns = wheel_right_.add(right);
  const int rows = wheel_down_.add(down);
  click(columns < 0 ? kWheelLeft : kWheelRight, std::abs(columns));
  click(rows < 0 ? kWheelUp : kWheelDown, std::abs(rows));
}

bool VncInput::press_key(const std::string& key, bool down) {
  const auto keysym = keysym_of(key);
  if (!keysym || (down && keys_.size() >= kMostKeysHeld)) return false;
  if (!down && keys_.erase(*keysym) == 0) return true;
  // Windows sends Control before AltGr; that would turn the character into a shortcut.
  if (key == "AltGraph" && keys_.erase(kControl) > 0) desktop_.press(kControl, false);
  if (key == "CapsLock" && down) caps_lock_ = !caps_lock_;
  // Some servers (TigerVNC) press Caps Lock for a capital without Shift.
  const bool shift = down && is_capital(*keysym) && !caps_lock_ && !keys_.contains(kShift);
  if (shift) desktop_.press(kShift, true);
  desktop_.press(*keysym, down);
  if (shift) desktop_.press(kShift, false);
  if (down) keys_.insert(*keysym);
  return true;
}

void VncInput::release_all() {
  for (const uint32_t keysym : keys_) desktop_.press(keysym, false);
  keys_.clear();
  if (std::exchange(buttons_, 0) != 0) desktop_.point(x_, y_, 0);
}

void VncInput::click(unsigned button, int times) {
  for (int i = 0; i < times; ++i) {
    desktop_.point(x_, y_, static_cast<uint8_t>(buttons_ | 1U << button));
    desktop_.point(x_, y_, buttons_);
  }
}

}  // namespace sail
