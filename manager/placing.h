// Where new windows go: several that come together beside each other, in free space as long as
// there is some, and always on the wall. Pure; rectangles in wall pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "manager/arrangement.h"
#include "manager/tile_gaps.h"
#include "sail/base/geometry.h"

namespace manager {

using Point = std::pair<int, int>;

// A window within an area, as large as it allows, clear of bezels if that does not make it smaller.
sail::Rect fit_clear(sail::Size content, const sail::Rect& area, const TileGaps& gaps);

// An area for each, none over another or over what stands there: the cells of the grid in which
// they become largest. Empty: there is no free space for all.
std::vector<sail::Rect> free_areas(sail::Size wall_size, const TileGaps& gaps,
                                   std::span<const sail::Rect> taken,
                                   std::span<const sail::Size> contents);

struct Placing {
  std::vector<sail::Rect> areas;  // one for each content, which fits into it
  std::vector<sail::Rect> rects;  // where the windows stand in these
  bool in_partition = false;
  LayoutChange others{};  // what makes room for them
};

// Where nothing is free, windows that are in a grid make room for one more in it; and those in a
// partition for what comes there.
// kBehind: they stay, and what comes stands in front of them, small.
enum class Others : uint8_t { kStay, kMakeRoom, kBehind };

// at: where somebody wants them. In a partition they share it; else a single one stands around the
// point, at most a third of the wall's width and height.
Placing place_windows(const Arrangement& arrangement, const TileGaps& gaps,
                      std::span<const sail::Size> contents, std::optional<Point> at, Others others);
// Side by side with what stands in the partition. without: a window that does not count there,
// since it is one of these; 0: none.
Placing share_partition(const Arrangement& arrangement, const TileGaps& gaps,
                        const Partition& partition, std::span<const sail::Size> contents,
                        uint32_t without = 0);

}  // namespace manager
