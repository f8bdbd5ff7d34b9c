// Which part of a window is seen where. Shared by the manager (what to send) and the receivers
// (what to paint), so that both always mean the same pixels. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/resample.h"
#include "sail/base/geometry.h"

namespace sail {

// Disjoint rectangles.
using Region = std::vector<Rect>;

// region without rect.
Region subtract(const Region& region, const Rect& rect);

struct StackedWindow {
  Rect wall_rect;
  bool alpha = false;  // what lies beneath it is seen through it
};

// The part of windows[index] within `clip` that the windows after it (drawn above) leave free; all
// in wall pixels.
Region visible_part(std::span<const StackedWindow> windows, size_t index, const Rect& clip);

// Maps between a tile's upright pixels and the wall. A tile's pixel shows the wall at its centre,
// so neighbouring rectangles of the wall never share a pixel and leave none out.
struct TileView {
  Rect wall_rect;  // of the tile
  Size upright;    // the tile's pixels

  // The tile pixels whose centres lie in this part of the wall (half-open).
  Rect tile_pixels(const Rect& wall_part) const;
};

// Bilinear sample positions of the tile columns (or rows) [first, first + count) for a window:
// `window_at` and `window_extent` its wall_rect on this axis, `frame_extent` its frame's pixels.
// Exact integer arithmetic: sample = (centre of the tile pixel on the wall − window_at) ·
// frame_extent / window_extent − ½, clamped to the frame, in 1/256 (rounded down). A sample that
// falls on a source pixel reads that one alone: weight 0, second = first. So a window shown 1:1
// gives weight 0 and first = position throughout. Within limits.h nothing overflows.
std::vector<codecs::Tap> sample_taps(int tile_at, int tile_extent, int tile_pixels, int window_at,
                                     int window_extent, int frame_extent, int first, int count);

// The pixels of the frame that sample_taps reads for the tile pixels given (not empty): the first
// tap's first to the last tap's second of each axis.
Rect source_rect(const TileView& tile, const Rect& tile_pixels, const Rect& window_wall_rect,
                 Size frame_size);

}  // namespace sail
