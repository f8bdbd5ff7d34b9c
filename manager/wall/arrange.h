// Layouts that place windows side by side. Pure. Sizes and rectangles are in wall pixels. Pictures
// ("content") keep their aspect ratio.
#pragma once

#include <span>
#include <vector>

#include "manager/wall/tile_gaps.h"
#include "sail/core/base/geometry.h"

namespace manager {

// Returns the largest rectangle with the content's aspect ratio, centred in `area`. Each side is at
// least 1 and at most kMaxWindowSide.
sail::Rect fit_into(sail::Size content, const sail::Rect& area);

// Moves the rectangle onto the wall. Shrinks it about its centre, with its aspect ratio, if it is
// larger than the wall.
sail::Rect onto_wall(const sail::Rect& rect, sail::Size wall_size);
// Whether the rectangle lies fully on the wall.
bool is_on_wall(const sail::Rect& rect, sail::Size wall_size);

// The result of the functions below. They place all contents side by side within an area, without
// overlap and as large as the layout allows.
struct Arranged {
  std::vector<sail::Rect> rects;  // One per content.
  std::vector<sail::Rect> areas;  // The cell that each rectangle is fitted into.
};

// Places the contents in a grid. columns 0: the number of columns that covers most of the area.
// Cells avoid bezels if possible.
Arranged arrange_grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns,
                      const TileGaps& gaps = {});
// Places the contents in rows; all contents of a row have the same height.
Arranged arrange_rows(const sail::Rect& area, std::span<const sail::Size> contents);
// Places contents[main] large and the others in a grid beside it, or below it if that covers more.
// Requires main < contents.size().
Arranged arrange_main(const sail::Rect& area, std::span<const sail::Size> contents, size_t main,
                      const TileGaps& gaps = {});

}  // namespace manager
