// Places new windows: side by side if several come together, in free space if there is any, and
// always on the wall. Pure; rectangles in wall pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "manager/wall/arrangement.h"
#include "manager/wall/tile_gaps.h"
#include "sail/core/base/geometry.h"

namespace manager {

using Point = std::pair<int, int>;

// Fits a picture into the area, as large as possible; avoids bezels if it need not shrink for that.
sail::Rect fit_clear(sail::Size content, const sail::Rect& area, const TileGaps& gaps);

// Returns a free area for each content, without overlap: the cells of the grid in which the
// contents become largest. Empty: there is not enough free space.
std::vector<sail::Rect> free_areas(sail::Size wall_size, const TileGaps& gaps,
                                   std::span<const sail::Rect> taken,
                                   std::span<const sail::Size> contents);

struct Placing {
  std::vector<sail::Rect> areas;  // One per content; the content fits into it.
  std::vector<sail::Rect> rects;  // The windows within these areas.
  bool in_partition = false;
  LayoutChange others{};  // Moves of other windows that make room.
};

// How existing windows react if no space is free. kStay: they stay, and new windows cover them.
// kMakeRoom: windows in a grid make room for one more, and those in a partition for a window that
// comes there. kBehind: they stay, and the new window is small.
enum class Others : uint8_t { kStay, kMakeRoom, kBehind };

// at: a requested point. In a partition, the new windows share it with its present windows.
// Otherwise a single window is centred on the point, at most a third of the wall's width and
// height.
Placing place_windows(const Arrangement& arrangement, const TileGaps& gaps,
                      std::span<const sail::Size> contents, std::optional<Point> at, Others others);
// Like place_windows(), but new and moved windows stay out of the closed areas, if there is room
// beside them.
Placing place_outside(const Arrangement& arrangement, const TileGaps& gaps,
                      std::span<const sail::Size> contents, std::optional<Point> at, Others others,
                      std::span<const sail::Rect> closed);
// Places the contents side by side with the windows of the partition. without: a window to ignore
// because it is one of the contents; 0: none.
Placing share_partition(const Arrangement& arrangement, const TileGaps& gaps,
                        const Partition& partition, std::span<const sail::Size> contents,
                        uint32_t without = 0);

}  // namespace manager
