// Bands of rows of a picture: what of it has changed. Pure.
#pragma once

#include <vector>

#include "sail/base/geometry.h"

namespace sail {

// Rows [top, bottom).
struct RowBand {
  int top = 0;
  int bottom = 0;

  bool operator==(const RowBand&) const = default;
};

// The rows of `source` that the rectangles touch, counted from its top: in order, none twice. Both
// are in the same space.
std::vector<RowBand> bands_of(std::vector<Rect> rects, const Rect& source);

}  // namespace sail
