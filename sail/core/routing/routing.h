// Computes routing maps from a layout: which receivers need which blocks of each stream. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/application_messages.h"

namespace sail {

struct RoutedWindow {
  uint32_t window = 0;
  Rect wall_rect;
  Size frame_size;  // before reduction
  Size block_size;
  // How often frames may be halved if the window is shown smaller. With kFrame all receivers get
  // the same reduction, with kBlock each gets the one that its own tiles need.
  int max_reduction = 0;
  Scaling scaling = Scaling::kFrame;
  bool alpha = false;  // the codec has alpha
  ViewTransform look{};
  std::optional<FramePart> part{};  // set if the stream carries a part of the window's frames

  BlockGrid grid(int reduction) const {
    return reduced_grid(frame_size, block_size, reduction, scaling);
  }
  // Whether windows below are visible through this one.
  bool blended() const { return alpha || look.translucent(); }
  bool operator==(const RoutedWindow&) const = default;
};

// The blocks of one window that one receiver displays, including the neighbours that bilinear
// filtering reads.
struct ReceiverBlocks {
  std::string receiver;
  std::vector<BlockRect> blocks;  // disjoint, ordered by rows; never empty
  int reduction = 0;              // reduction of the blocks for this receiver

  bool operator==(const ReceiverBlocks&) const = default;
};
struct RoutingMap {
  uint32_t window = 0;
  std::vector<ReceiverBlocks> receivers;  // in the wall's order; empty: the window is not visible

  bool operator==(const RoutingMap&) const = default;
};

// The samples of a window shown very small may skip blocks. A map leaves those blocks out, unless
// that would cut one visible rectangle into more pieces than this.
constexpr size_t kMaxSparseRects = 4096;

// How often the window's frames are halved for a receiver: at most max_reduction times, while the
// frame keeps one pixel per pixel of its densest tile (with Scaling::kFrame: of all tiles).
int reduction_for(const Wall& wall, const std::string& receiver, const RoutedWindow& window);

// windows: bottom to top. Returns one map per window, in the same order. Tiles whose receiver is
// not in the wall's list are skipped, so removing lost receivers from the list routes around them.
//
// A map has exactly the blocks that some pixel reads, with two exceptions that keep it small:
// kMaxSparseRects; and if a map would have more than kMaxRouteRects rectangles (limits.h), each
// receiver gets one rectangle around all of its blocks.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows);
// Computes only the maps of the windows at `indices`, which are ascending.
std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows,
                              std::span<const size_t> indices);

}  // namespace sail
