// The bezels between tiles, and how the wall is divided so that cells keep clear of them. Pure;
// wall pixels.
#pragma once

#include <span>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wall/wall.h"

namespace manager {

// A part of an axis, [start, end).
struct Stretch {
  int start = 0;
  int end = 0;

  int length() const { return end - start; }
  bool operator==(const Stretch&) const = default;
};

// Where no tile is, across the whole wall; of no length where tiles touch. In order.
struct TileGaps {
  std::vector<Stretch> x{};
  std::vector<Stretch> y{};
};
TileGaps tile_gaps(const sail::Wall& wall);

// `count` equal parts without gaps, whatever the rounding; but a cut that nearly meets one between
// tiles becomes that, and the parts to either side of it are equal among themselves.
std::vector<Stretch> divide(Stretch whole, int count, std::span<const Stretch> gaps);

// Columns × rows of an area, row by row.
std::vector<sail::Rect> grid_cells(const sail::Rect& area, int columns, int rows,
                                   const TileGaps& gaps);

// Whether a bezel goes through the rectangle.
bool crosses(const sail::Rect& rect, const TileGaps& gaps);
// Moved within the area so that no bezel goes through it, where that is possible.
sail::Rect keep_clear(const sail::Rect& rect, const sail::Rect& area, const TileGaps& gaps);

}  // namespace manager
