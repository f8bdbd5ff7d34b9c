// The layout of one tile: which rectangles show which part of which window, split into bands of
// work. Computed once per layout, so that painting only decodes and scales. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/color/scaling.h"
#include "receiver/frame/frame.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// The unit of painting work.
struct Band {
  sail::Rect tile_rect;
  sail::Rect source_rect;         // area of the frame to read; as large as tile_rect if 1:1
  std::vector<codecs::Tap> rows;  // from source_rect's top (transposed: left); empty if 1:1
};

// Colour channels that a piece paints: all, or those of one eye of an anaglyph picture.
enum class Channels { kAll, kRed, kGreenBlue };

// A rectangle of a tile that shows one window.
struct Piece {
  sail::Rect tile_rect;
  // Relative to the left of the bands' source_rects, transposed: their top; empty if 1:1.
  std::vector<codecs::Tap> columns;
  std::vector<Band> bands;
  bool turned = false;  // transposed: its columns are rows of the frame
  Channels channels = Channels::kAll;
  bool stale = false;  // painted black: other tiles may show newer blocks

  bool one_to_one() const { return columns.empty(); }
};

// A window of the scene, and the block grid of the frame to show.
struct LaidWindow {
  sail::SceneWindow window;
  sail::BlockGrid grid;
  // Blocks of the frame of which the sender may have sent newer versions to other nodes.
  BlockSet stale{};

  // Returns true if everything that affects painting is equal. Ignores routing maps.
  bool looks_like(const LaidWindow& other) const;
};

struct WindowPart {
  LaidWindow laid;
  std::vector<Piece> pieces;  // disjoint except for anaglyph channels; never empty

  // A frame with current blocks arrived. Returns true if a piece was stale until now.
  bool refresh();

  const sail::SceneWindow& window() const { return laid.window; }
};

struct TileLayout {
  std::vector<WindowPart> windows;  // windows of which the tile shows at least a pixel
  std::vector<sail::Rect> background;
};

// Limit for the decoded source pixels of one band.
constexpr size_t kMaxBandBytes = size_t{512} << 10;

// Returns the bounds that the tile reads in a window's frames, ignoring windows on top.
sail::Rect read_by(const sail::TileView& tile, const LaidWindow& laid);

// windows: bottom to top; those outside the tile may be omitted.
TileLayout lay_out(const sail::TileView& tile, const std::vector<LaidWindow>& windows);

// Computes the layout in place and reuses pieces of the tile's previous layout. Returns false if
// both show the same pixels of the same windows in the same places.
bool lay_out_again(TileLayout& layout, const sail::TileView& tile,
                   const std::vector<LaidWindow>& windows);

// Computes the area of a stream's frames that this node's tiles show in the current or the next
// layout. Other areas need not be decoded. With small blocks, the area is the whole frame, so that
// a moved window shows its new parts immediately. Ignores windows on top, since they may be
// removed. Pure.
class VisibleRegion {
 public:
  // Call prepare() when a future layout contains this window, and commit() when this layout is
  // shown.
  void prepare(const sail::SceneWindow& window);
  void commit(const sail::SceneWindow& window);
  void forget() { by_reduction_ = {}; }  // Called when the tiles change.

  // Returns the bounding box in frame pixels; empty: nothing is visible. Returns the whole frame if
  // its blocks are small or no tiles are known.
  sail::Rect of(const Frame& frame, const std::vector<sail::TileView>& tiles);

 private:
  sail::Rect bounds(const Frame& frame, const std::vector<sail::TileView>& tiles) const;

  std::optional<sail::SceneWindow> shown_;
  std::optional<sail::SceneWindow> coming_;
  // cached results, by reduction
  std::array<std::optional<sail::Rect>, codecs::kMaxReduction + 1> by_reduction_;
};

}  // namespace receiver
