// Computes which part of a window is visible and where. Shared by the manager (what to send) and
// the receivers (what to paint), so that both always mean the same pixels. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/color/scaling.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wall/picture_map.h"

namespace sail {

// Disjoint rectangles.
using Region = std::vector<Rect>;

// Returns the region without the rectangle.
Region subtract(const Region& region, const Rect& rect);

struct StackedWindow {
  Rect wall_rect;
  bool blended = false;  // windows below are visible through it
};

// The part of windows[index] within `clip` that is not covered by the opaque windows after it
// (drawn above), in wall pixels.
Region visible_part(std::span<const StackedWindow> windows, size_t index, const Rect& clip);

// Maps between a tile's upright pixels and the wall. A tile pixel belongs to the wall rectangle
// that contains its centre, so adjacent rectangles never share a pixel and never leave one out.
struct TileView {
  Rect wall_rect;  // the tile's area on the wall
  Size upright;    // the tile's size in pixels

  // The tile pixels whose centres lie in this part of the wall (half-open).
  Rect tile_pixels(const Rect& wall_part) const;
};

// One axis of a tile; and of a window, with the part of its frames that it shows.
struct TileAxis {
  int at;  // wall pixels, like `extent`
  int extent;
  int pixels;
};
struct WindowAxis {
  int at;  // wall pixels, like `extent`
  int extent;
  SourceSpan source;
};

// Bilinear sample positions of the tile columns (or rows) [first, first + count) for a window.
// Exact integer arithmetic: sample = source.from + (centre of the tile pixel on the wall − at) ·
// source.extent / extent − ½, clamped to the source's pixels, in 1/256 (rounded down). If the
// source is read backwards, the distance is measured from the window's other edge. A sample that
// falls exactly on a source pixel reads only that pixel: weight 0, second = first. So a window
// shown 1:1 has weight 0 and first = position throughout. Nothing overflows within limits.h.
std::vector<codecs::Tap> sample_taps(const TileAxis& tile, const WindowAxis& window, int first,
                                     int count);

// Sample positions for the columns and the rows of a rectangle of tile pixels.
std::vector<codecs::Tap> column_taps(const TileView& tile, const Rect& pixels,
                                     const PictureMap& map);
std::vector<codecs::Tap> row_taps(const TileView& tile, const Rect& pixels, const PictureMap& map);

// The frame pixels that these samples read: from the smallest first to the largest second on each
// axis. tile_pixels must not be empty.
Rect source_rect(const TileView& tile, const Rect& tile_pixels, const PictureMap& map);

}  // namespace sail
