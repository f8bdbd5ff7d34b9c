// A scene as one tile has to paint it: which rectangles show which part of which window, cut into
// bands of work. Worked out once a layout, so that painting only decodes and scales. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/resample.h"
#include "receiver/block_set.h"
#include "sail/base/geometry.h"
#include "sail/wall/block_grid.h"
#include "sail/wall/visibility.h"
#include "sail/wire/control_messages.h"

namespace receiver {

// The unit of work.
struct Band {
  sail::Rect tile_rect;
  sail::Rect source_rect;         // of the frame, what it reads; same size as tile_rect when 1:1
  std::vector<codecs::Tap> rows;  // from source_rect's top, turned: its left; empty when 1:1
};

// What is painted of a piece: all, or what one eye of an anaglyph picture sees.
enum class Channels { kAll, kRed, kGreenBlue };

// One rectangle of a tile that shows one window.
struct Piece {
  sail::Rect tile_rect;
  // From the bands' source_rect's left, turned: its top; empty when 1:1.
  std::vector<codecs::Tap> columns;
  std::vector<Band> bands;
  bool turned = false;  // its columns are rows of the frame
  Channels channels = Channels::kAll;
  bool stale = false;  // it reads blocks of which other tiles may show newer ones: it is black

  bool one_to_one() const { return columns.empty(); }
};

// A window of the scene, and how the pictures are cut that are there of it.
struct LaidWindow {
  sail::SceneWindow window;
  sail::BlockGrid grid;
  // Of the frame that is there, what its sender may have had newer for others since.
  BlockSet stale{};

  // Whether it is shown in the same way, from frames of the same kind. Routing maps do not matter.
  bool looks_like(const LaidWindow& other) const;
};

struct WindowPart {
  LaidWindow laid;
  std::vector<Piece> pieces;  // disjoint but for their channels, never empty

  // A frame has come that has all blocks new. Whether any piece had waited for it.
  bool refresh();

  const sail::SceneWindow& window() const { return laid.window; }
};

struct TileLayout {
  std::vector<WindowPart> windows;  // those that the tile shows any pixel of
  std::vector<sail::Rect> background;
};

// Decoded source pixels of one band never take more than this.
constexpr size_t kMaxBandBytes = size_t{512} << 10;

// The bounds of what the tile reads of a window's frames, whatever lies over it; empty: nothing.
sail::Rect read_by(const sail::TileView& tile, const LaidWindow& laid);

// windows: bottom to top; those beside the tile may be left out.
TileLayout lay_out(const sail::TileView& tile, const std::vector<LaidWindow>& windows);

// The same in the place of a layout that was made for this tile, of which it keeps what holds.
// False: both show the same pixels of the same windows in the same places.
bool lay_out_again(TileLayout& layout, const sail::TileView& tile,
                   const std::vector<LaidWindow>& windows);

}  // namespace receiver
