// The sprites of all tiles, with their bitmaps as textures. Sprites are drawn over the shown panel,
// but are not part of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_programs.h"
#include "receiver/paint/composition.h"
#include "sail/core/base/geometry.h"

namespace receiver {

// What sprites are drawn on.
struct SpriteTarget {
  sail::Size upright;  // size of the tile's canvas
  int rotation = 0;
  std::optional<int> rows_from_below{};  // height of a window, whose row 0 is at the bottom
  GLuint panel = 0;                      // framebuffer of what is shown without sprites, for lenses
};

class GlSprites {
 public:
  // Begins with this number of tiles, without sprites.
  void open(size_t tiles) { tiles_.assign(tiles, {}); }
  void take(const std::vector<TileChanges>& tiles);
  bool any(size_t tile) const { return !tiles_[tile].empty(); }
  // Draws a tile's sprites on the current framebuffer.
  void draw(size_t tile, const SpriteTarget& target, const GlTurnProgram& program) const;

 private:
  std::vector<std::vector<Sprite>> tiles_;
  std::map<std::shared_ptr<const Bitmap>, GlTexture> textures_;  // textures of the visible sprites
};

}  // namespace receiver
