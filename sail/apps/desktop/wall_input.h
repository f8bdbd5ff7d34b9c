// Applies input on a window of the wall to a desktop.
#pragma once

#include <sail/sail.h>

#include <algorithm>
#include <cmath>

#include "sail/core/base/geometry.h"

namespace sail {

// Desktop must have: move_to(x, y) in pixels of the picture, press_button(number, down) with DOM
// numbers, turn_wheel(right, down) in notches, press_key(key, down) with KeyboardEvent.key, and
// release_all(). press_key() returns false if there is no such key; bring_to() then also returns
// false. Positions are limited to the picture.
template <typename Desktop>
bool bring_to(Desktop& desktop, const sail_input& input, Size picture) {
  if (input.has_point != 0 && input.type != SAIL_INPUT_PINCH) {
    const auto within = [](double at, int side) {
      return static_cast<int>(std::clamp(std::floor(at), 0.0, side - 1.0));
    };
    desktop.move_to(within(input.x, picture.width), within(input.y, picture.height));
  }
  switch (input.type) {
    case SAIL_INPUT_DOWN:
    case SAIL_INPUT_UP:
      desktop.press_button(input.button, input.type == SAIL_INPUT_DOWN);
      break;
    case SAIL_INPUT_TOUCH_DOWN:
    case SAIL_INPUT_TOUCH_UP:
      desktop.press_button(0, input.type == SAIL_INPUT_TOUCH_DOWN);
      break;
    case SAIL_INPUT_WHEEL:
      desktop.turn_wheel(input.wheel_x, input.wheel_y);
      break;
    case SAIL_INPUT_KEY_DOWN:
    case SAIL_INPUT_KEY_UP:
      return desktop.press_key(input.key, input.type == SAIL_INPUT_KEY_DOWN);
    case SAIL_INPUT_LEAVE:
      desktop.release_all();
      break;
    default:
      break;
  }
  return true;
}

// Converts wheel rotation to whole notches, as desktops expect them.
class WheelNotches {
 public:
  // Adds rotation and returns the whole notches so far; the fraction is kept.
  int add(double turned) {
    turned_ += turned;
    const double whole = std::trunc(turned_);
    turned_ -= whole;
    return static_cast<int>(std::clamp<double>(whole, -kMostAtOnce, kMostAtOnce));
  }

 private:
  static constexpr int kMostAtOnce = 20;
  double turned_ = 0;
};

}  // namespace sail
