// Which part of a window is seen where. Shared by the manager (what to send) and the receivers
// (what to paint), so that both always mean the same pixels. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/resample.h"
#include "sail/base/geometry.h"
#include "sail/wall/picture_map.h"

namespace sail {

// Disjoint rectangles.
using Region = std::vector<Rect>;

// region without rect.
Region subtract(const Region& region, const Rect& rect);

struct StackedWindow {
  Rect wall_rect;
  bool blended = false;  // what lies beneath it is seen through it
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

// One axis of a tile, and of a window with what it shows of its frames.
struct TileAxis {
  int at;  // on the wall, as `extent`
  int extent;
  int pixels;
};
struct WindowAxis {
  int at;  // on the wall, as `extent`
  int extent;
  SourceSpan source;
};

// Bilinear sample positions of the tile columns (or rows) [first, first + count) for a window.
// Exact integer arithmetic: sample = source.from + (centre of the tile pixel on the wall − at) ·
// source.extent / extent − ½, clamped to the pixels of the source, in 1/256 (rounded down); what is
// read backwards counts from the window's other edge. A sample that falls on a source pixel reads
// that one alone: weight 0, second = first. So a window shown 1:1 gives weight 0 and first =
// position throughout. Within limits.h nothing overflows.
std::vector<codecs::Tap> sample_taps(const TileAxis& tile, const WindowAxis& window, int first,
                                     int count);

// Of a rectangle of a tile's pixels, its columns and its rows.
std::vector<codecs::Tap> column_taps(const TileView& tile, const Rect& pixels,
                                     const PictureMap& map);
std::vector<codecs::Tap> row_taps(const TileView& tile, const Rect& pixels, const PictureMap& map);

// The pixels of the frame that these read (not of an empty rectangle): from the least first to the
// greatest second of each axis.
Rect source_rect(const TileView& tile, const Rect& tile_pixels, const PictureMap& map);

}  // namespace sail
