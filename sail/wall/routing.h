// From a layout to routing maps: which blocks of each stream go to which receiver. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/wall/block_grid.h"
#include "sail/wall/wall.h"
#include "sail/wire/control_messages.h"

namespace sail {

struct RoutedWindow {
  uint32_t window = 0;
  Rect wall_rect;
  Size frame_size;  // before reduction
  Size block_size;
  // How often its pictures can be halved where it is shown smaller; with kFrame it is the same for
  // all receivers, with kBlock each gets what its own tiles show.
  int max_reduction = 0;
  Scaling scaling = Scaling::kFrame;
  bool alpha = false;  // of its codec
  Look look{};
  std::optional<FramePart> part{};  // of the window's frames

  BlockGrid grid(int reduction) const {
    return reduced_grid(frame_size, block_size, reduction, scaling);
  }
  // Windows beneath it are seen through it.
  bool blended() const { return alpha || look.translucent(); }
  bool operator==(const RoutedWindow&) const = default;
};

// The blocks of one window that one receiver shows any pixel of (bilinear neighbours included).
struct ReceiverBlocks {
  std::string receiver;
  std::vector<BlockRect> blocks;  // disjoint, rows first; never empty
  int reduction = 0;              // of what it gets

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

// How often the pictures of the window are halved for a receiver of the wall: as long as they still
// have a pixel for each that the densest of its tiles (with Scaling::kFrame: of all tiles) shows of
// them, at most max_reduction.
int reduction_for(const Wall& wall, const std::string& receiver, const RoutedWindow& window);

// windows: bottom to top. One map a window, in the same order. A tile whose receiver is not in the
// wall's list gets nothing: a wall without the receivers that are gone routes past them.
//
// A map has exactly the blocks that some pixel reads, with two exceptions that keep it small: see
// kMaxSparseRects; and where a map would have more than kMaxRouteRects rectangles (limits.h), each
// receiver gets one around all of its blocks.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows);
// The maps of these windows only: indices, in rising order.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows,
                              std::span<const size_t> indices);

}  // namespace sail
