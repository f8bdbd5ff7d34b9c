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

// One cell of a grid without gaps, whatever the rounding.
sail::Rect grid_cell(const sail::Rect& area, int column, int columns, int row, int rows);

// A new window's place: the whole wall when it is the only one; else a free part of the wall, else
// half the wall's size, each a step from the last.
sail::Rect place_new(sail::Size wall_size, std::span<const sail::Rect> others, sail::Size content);

// A new window around a point, at most a third of the wall's width and height.
sail::Rect place_at(sail::Size wall_size, std::pair<int, int> centre, sail::Size content);

// The following put all contents side by side within an area, none over another, as large as their
// way allows; one rectangle for each content.

// In a grid of so many columns; 0: of as many as cover most.
std::vector<sail::Rect> arrange_grid(const sail::Rect& area, std::span<const sail::Size> contents,
                                     int columns);
// In rows, in which each is as wide as its aspect asks for at the height of its row.
std::vector<sail::Rect> arrange_rows(const sail::Rect& area, std::span<const sail::Size> contents);
// One large, the others in a grid beside it (or below, where that covers more). main < contents'
// number.
std::vector<sail::Rect> arrange_main(const sail::Rect& area, std::span<const sail::Size> contents,
                                     size_t main);

}  // namespace manager
