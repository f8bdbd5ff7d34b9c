// Windows side by side. Pure; sizes and rectangles in wall pixels, pictures ("content") keep their
// aspect.
#pragma once

#include <span>
#include <vector>

#include "manager/tile_gaps.h"
#include "sail/base/geometry.h"

namespace manager {

// The largest rectangle of the content's aspect within `area`, in its middle; at least 1×1.
sail::Rect fit_into(sail::Size content, const sail::Rect& area);

// The following put all contents side by side within an area, none over another, as large as their
// way allows.
struct Arranged {
  std::vector<sail::Rect> rects;  // one for each content
  std::vector<sail::Rect> areas;  // into which it is fitted
};

// In a grid of so many columns; 0: of as many as cover most. Its cells keep clear of bezels where
// they can.
Arranged arrange_grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns,
                      const TileGaps& gaps = {});
// In rows, in which each is as wide as its aspect asks for at the height of its row.
Arranged arrange_rows(const sail::Rect& area, std::span<const sail::Size> contents);
// One large, the others in a grid beside it (or below, where that covers more). main < contents'
// number.
Arranged arrange_main(const sail::Rect& area, std::span<const sail::Size> contents, size_t main,
                      const TileGaps& gaps = {});

}  // namespace manager
