// A scene as one tile has to paint it: which rectangles show which part of which window, cut into
// bands of work. Worked out once a layout, so that painting only decodes and scales. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/resample.h"
#include "sail/base/geometry.h"
#include "sail/wall/block_grid.h"
#include "sail/wall/visibility.h"
#include "sail/wire/control_messages.h"

namespace receiver {

// The unit of work.
struct Band {
  sail::Rect tile_rect;
  sail::Rect source_rect;         // of the frame, what it reads; same size as tile_rect when 1:1
  std::vector<codecs::Tap> rows;  // from source_rect's top; empty when 1:1
};

// One rectangle of a tile that shows one window.
struct Piece {
  sail::Rect tile_rect;
  std::vector<codecs::Tap> columns;  // from the bands' source_rect's left; empty when 1:1
  std::vector<Band> bands;

  bool one_to_one() const { return columns.empty(); }
};

struct WindowPart {
  sail::SceneWindow window;
  std::vector<Piece> pieces;  // disjoint, never empty
};

struct TileLayout {
  std::vector<WindowPart> windows;  // those that the tile shows any pixel of
  std::vector<sail::Rect> background;
};

// Decoded source pixels of one band never take more than this.
constexpr size_t kMaxBandBytes = size_t{512} << 10;

// windows: bottom to top; those beside the tile may be left out.
TileLayout lay_out(const sail::TileView& tile, const std::vector<sail::SceneWindow>& windows);

// The same in the place of a layout that was made for this tile, of which it keeps what holds.
// False: both show the same pixels of the same windows in the same places.
bool lay_out_again(TileLayout& layout, const sail::TileView& tile,
                   const std::vector<sail::SceneWindow>& windows);

}  // namespace receiver
