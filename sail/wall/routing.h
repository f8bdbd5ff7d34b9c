// From a layout to routing maps: which blocks of each stream go to which receiver. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sail/wall/block_grid.h"
#include "sail/wall/wall.h"
#include "sail/wire/control_messages.h"

namespace sail {

struct RoutedWindow {
  uint32_t window = 0;
  Rect wall_rect;
  BlockGrid grid;
  bool alpha = false;  // windows beneath it are seen through it
};

// The blocks of one window that one receiver shows any pixel of (bilinear neighbours included).
struct ReceiverBlocks {
  std::string receiver;
  std::vector<BlockRect> blocks;  // disjoint, rows first; never empty

  bool operator==(const ReceiverBlocks&) const = default;
};
struct RoutingMap {
  uint32_t window = 0;
  std::vector<ReceiverBlocks> receivers;  // in the wall's order; empty: nothing of it is seen

  bool operator==(const RoutingMap&) const = default;
};

// The gaps between the samples of a window shown very small are kept out of its map unless they
// would cut one visible rectangle into more pieces than this.
constexpr size_t kMaxSparseRects = 4096;

// How often the frames of a window at wall_rect are halved before they are compressed: as long as
// the picture still has a pixel for each that the densest tile shows of it, at most max_reduction.
int reduction_for(const Wall& wall, const Rect& wall_rect, Size frame_size, int max_reduction);

// windows: bottom to top. One map a window, in the same order. A tile whose receiver is not in the
// wall's list gets nothing: a wall without the receivers that are gone routes past them.
//
// A map has exactly the blocks that some pixel reads, with two exceptions that keep it small: see
// kMaxSparseRects; and where a map would have more than kMaxRouteRects rectangles (limits.h), each
// receiver gets one around all of its blocks.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows);

}  // namespace sail
