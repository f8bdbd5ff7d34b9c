// The overlays on each tile, bottom to top: labels, the tile's name, pointers. Changes are prepared
// first and take effect with commit(), so that they can wait until the damaged area may be shown.
// Pure.
//
// The labels of a tile are limited to kMostLabelPixels times the tile's pixels. More would be
// unreadable, so further labels are dropped to save memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "receiver/paint/sprite.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/overlay.h"

namespace receiver {

class OverlayLayer {
 public:
  static constexpr int64_t kMostLabelPixels = 2;

  struct Tile {
    std::string name;
    sail::TileView view;
  };
  // Replaces the tiles. Overlays are kept and committed immediately, without damage.
  void set_tiles(std::vector<Tile> tiles);
  // Members of `overlay` that are not set leave the current value unchanged.
  void set(const sail::Overlay& overlay);
  // Shows or hides the name of each tile.
  void set_identify(bool on);

  // Returns true if changes wait for commit().
  bool changed() const;
  // Returns the areas of a tile that commit() will change, clipped, in upright pixels.
  const std::vector<sail::Rect>& damage(size_t tile) const { return tiles_[tile].damage; }
  void commit();

  // Returns the committed sprites, bottom to top.
  const std::vector<Sprite>& sprites(size_t tile) const { return tiles_[tile].shown; }

 private:
  struct TileState {
    Tile tile;
    std::vector<Sprite> shown;
    std::vector<Sprite> lower;  // pending labels and name
    std::vector<Sprite> next;   // all pending sprites
    std::vector<sail::Rect> damage{};
  };
  // Bitmaps in use, by a key that describes their content.
  using Pictures = std::map<std::string, std::shared_ptr<const Bitmap>>;
  class Drawing;

  void lay_out_labels();
  void lay_out_pointers();

  std::vector<TileState> tiles_;
  std::vector<sail::OverlayLabel> labels_;
  std::vector<sail::OverlayPointer> pointers_;
  bool identify_ = false;
  Pictures lower_pictures_;
  Pictures pointer_pictures_;
};

}  // namespace receiver
