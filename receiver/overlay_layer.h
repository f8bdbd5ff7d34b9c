// What lies over the windows of each tile: labels, the tile's name, people's pointers, in this
// order. Changes are worked out ahead and take effect with commit(), so that they can wait until
// what they damage may be shown. Pure.
//
// Labels of a tile are shown as long as together they have at most kMostLabelPixels times its
// pixels: more could not be read, and takes no memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "receiver/sprite.h"
#include "sail/wall/visibility.h"
#include "sail/wire/overlay.h"

namespace receiver {

class OverlayLayer {
 public:
  static constexpr int64_t kMostLabelPixels = 2;

  struct Tile {
    std::string name;
    sail::TileView view;
  };
  // What was set stays; the next commit() damages nothing.
  void set_tiles(std::vector<Tile> tiles);
  // What is missing stays as it is.
  void set(const sail::Overlay& overlay);
  // Whether each tile's name is shown.
  void set_identify(bool on);

  // Something waits for commit().
  bool changed() const;
  // What commit() changes of a tile, in its upright pixels, within it.
  const std::vector<sail::Rect>& damage(size_t tile) const { return tiles_[tile].damage; }
  void commit();

  // As committed last, bottom to top.
  const std::vector<Sprite>& sprites(size_t tile) const { return tiles_[tile].shown; }

 private:
  struct TileState {
    Tile tile;
    std::vector<Sprite> shown;
    std::vector<Sprite> lower;  // labels and name to come
    std::vector<Sprite> next;   // all to come
    std::vector<sail::Rect> damage{};
  };
  // Pictures in use, by what they show.
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
