// From a layout to routing maps: which blocks of each stream go to which receiver. Pure.
#pragma once

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

// More rectangles than this do not fit well into one control message. The map of a window that
// would have more gives each receiver one rectangle around all of its blocks.
constexpr size_t kMaxRouteRects = 16384;
constexpr size_t kMaxSparseRects = 4096;

// windows: bottom to top. One map a window, in the same order. A tile whose receiver is not in the
// wall's list gets nothing: a wall without the receivers that are gone routes past them.
//
// Exactly the blocks that some pixel reads, the gaps of a window shown very small included, except
// that gaps that would cut one visible rectangle into more than kMaxSparseRects are filled.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows);

}  // namespace sail
