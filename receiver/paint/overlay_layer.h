// The overlays on each tile, bottom to top: the test pattern, labels, drawings, blanked areas with
// their texts, names and edges of the tile, pointers. Changes are prepared first and take effect
// with commit(), so that they can wait until the damaged area may be shown. Pure.
//
// The labels of a tile are limited to kMostLabelPixels times the tile's pixels, and so are the
// texts of blanked areas. More would be unreadable, so further ones are dropped to save memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "receiver/paint/sprite.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/overlay.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// What overlays show of the node and its wall.
struct OverlaidNode {
  std::string name{};
  sail::Size wall{};
};

class OverlayLayer {
 public:
  static constexpr int64_t kMostLabelPixels = 2;

  struct Tile {
    std::string name;
    sail::TileView view;
    std::string display{};  // name of the display that shows the tile
  };
  // Replaces the tiles. Overlays are kept and committed immediately, without damage.
  void set_tiles(std::vector<Tile> tiles, OverlaidNode node = {});
  // Sets the names of the displays that show the tiles.
  void set_displays(const std::vector<std::string>& names);
  // Members of `overlay` that are not set leave the current value unchanged.
  void set(const sail::Overlay& overlay);
  // Shows or hides what the scene puts above the windows: the names and edges of each tile, the
  // test pattern, and blanked areas.
  void set_aids(bool identify, sail::TestPattern pattern,
                const std::vector<sail::SceneBlank>& blanks);

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
    std::vector<Sprite> strokes{};
    std::vector<Sprite> lower;  // pending sprites below the pointers
    std::vector<Sprite> next;   // all pending sprites
    std::vector<sail::Rect> damage{};
  };
  // Bitmaps in use, by a key that describes their content.
  using Pictures = std::map<std::string, std::shared_ptr<const Bitmap>>;
  class Drawing;

  void lay_out_strokes();
  void lay_out_lower();
  void add_pattern(TileState& state, Drawing& drawing) const;
  void add_labels(TileState& state, Drawing& drawing) const;
  void add_blanks(TileState& state, Drawing& drawing) const;
  void add_blank_texts(TileState& state, Drawing& drawing) const;
  void add_names(TileState& state, Drawing& drawing) const;
  void lay_out_pointers();
  void add_pointer(TileState& state, Drawing& drawing, const sail::OverlayPointer& pointer) const;

  std::vector<TileState> tiles_;
  OverlaidNode node_;
  std::vector<sail::OverlayDrawing> drawings_;
  std::vector<sail::OverlayLabel> labels_;
  std::vector<sail::OverlayPointer> pointers_;
  bool identify_ = false;
  sail::TestPattern pattern_ = sail::TestPattern::kOff;
  std::vector<sail::SceneBlank> blanks_;
  Pictures stroke_pictures_;
  Pictures lower_pictures_;
  Pictures pointer_pictures_;
};

}  // namespace receiver
