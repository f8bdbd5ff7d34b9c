// Changed parts of a picture as bands of rows. Pure.
#pragma once

#include <vector>

#include "sail/core/base/geometry.h"

namespace sail {

// Rows [top, bottom).
struct RowBand {
  int top = 0;
  int bottom = 0;

  bool operator==(const RowBand&) const = default;
};

// Returns the rows of `source` that the rectangles touch, relative to its top, sorted and without
// overlap. Rectangles and source use the same coordinates.
std::vector<RowBand> bands_of(std::vector<Rect> rects, const Rect& source);

}  // namespace sail
