// The bezels between tiles, and divisions of the wall that avoid them. Pure; wall pixels.
#pragma once

#include <span>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wall/wall.h"

namespace manager {

// The part [start, end) of an axis.
struct Stretch {
  int start = 0;
  int end = 0;

  int length() const { return end - start; }
  bool operator==(const Stretch&) const = default;
};

// The gaps between columns (x) and rows (y) of tiles, in order; of length 0 where tiles touch.
struct TileGaps {
  std::vector<Stretch> x{};
  std::vector<Stretch> y{};
};
TileGaps tile_gaps(const sail::Wall& wall);

// Divides `whole` into `count` parts of equal size, up to rounding. A cut close to a gap becomes
// that gap; the parts on each side of it are then equal among themselves.
std::vector<Stretch> divide(Stretch whole, int count, std::span<const Stretch> gaps);

// Returns columns × rows cells of an area, row by row.
std::vector<sail::Rect> grid_cells(const sail::Rect& area, int columns, int rows,
                                   const TileGaps& gaps);

// Whether a bezel crosses the rectangle.
bool crosses(const sail::Rect& rect, const TileGaps& gaps);
// Moves the rectangle within the area so that no bezel crosses it, if possible.
sail::Rect keep_clear(const sail::Rect& rect, const sail::Rect& area, const TileGaps& gaps);

}  // namespace manager
