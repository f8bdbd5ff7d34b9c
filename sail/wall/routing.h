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

// windows: bottom to top. One map a window, in the same order.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows);

}  // namespace sail
