// Where windows go when nobody says where. Pure; sizes and rectangles in wall pixels, pictures
// ("content") keep their aspect.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"

namespace manager {

// The largest rectangle of the content's aspect within `area`, in its middle; at least 1×1.
sail::Rect fit_into(sail::Size content, const sail::Rect& area);

// A new window's place: the whole wall when it is the only one; else a free part of the wall, else
// half the wall's size, each a step from the last.
sail::Rect place_new(sail::Size wall_size, std::span<const sail::Rect> others, sail::Size content);

// A new window around a point, at most a third of the wall's width and height.
sail::Rect place_at(sail::Size wall_size, std::pair<int, int> centre, sail::Size content);

// All windows side by side in a grid, as large as they can be; one rectangle for each content.
std::vector<sail::Rect> arrange_grid(sail::Size wall_size, std::span<const sail::Size> contents);

}  // namespace manager
