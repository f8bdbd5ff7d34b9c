// A layout drawn with characters, for terminals. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"

namespace ui {

struct DrawnWindow {
  int64_t number = 0;
  sail::Rect wall_rect;
};

// Draws the wall and its windows (bottom to top) with their numbers, in lines of 74 characters. A
// window is drawn with at least one character, unless it is off the wall.
std::string layout_drawing(sail::Size wall, const std::vector<DrawnWindow>& windows);

}  // namespace ui
