// Small bitmaps that are drawn over the windows of a tile: pointers, labels and tile names. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "receiver/frame/canvas.h"
#include "sail/core/base/geometry.h"
#include "sail/core/routing/overlay_shape.h"

namespace receiver {

// B, G, R, A with premultiplied alpha; rows without padding.
struct Bitmap {
  sail::Size size;
  std::vector<uint8_t> pixels;
};

// A bitmap at its place.
struct Sprite {
  sail::Rect rect;  // upright tile pixels; bitmap's size; may extend beyond the tile
  std::shared_ptr<const Bitmap> bitmap;  // immutable
  // Not empty: a lens. Below the bitmap, the rectangle shows these pixels of the windows, without
  // sprites, enlarged by the ratio of the widths, which is a whole number. Within the tile.
  sail::Rect enlarged{};

  bool operator==(const Sprite&) const = default;
};

// Draws an arrow in the user's colour with a light and a dark outline, visible on any picture, and
// the user's name beside it; with a ring around its tip while the button is pressed. size: from
// sail::pointer_rect().
Bitmap pointer_bitmap(const sail::OverlayPointer& pointer, sail::Size size, int unit);

// Draws a laser's dot, which becomes more transparent with its age. size: from sail::laser_rect().
Bitmap laser_bitmap(uint32_t colour, sail::Size size, size_t age);

// Draws the frame of a magnifier. size: from sail::lens_on().
Bitmap lens_bitmap(uint32_t colour, sail::Size size, int unit);

// Draws text on a half-transparent dark plate of its width. size: from sail::label_rect().
Bitmap label_bitmap(const sail::OverlayLabel& label, sail::Size size, int unit);

// Black, and hides everything beneath.
Bitmap black_bitmap(sail::Size size);

// Draws this part of a line of white text. part: relative to line.rect.
Bitmap centred_line_bitmap(const sail::CentredLine& line, const sail::Rect& part,
                           std::string_view text);

// The plate in the middle of a tile that identifies the tile: an arrow up, the name of the tile in
// large letters, and the name of its node, on a dark background.
struct NamePlate {
  std::string_view tile;
  std::string_view node;
};
sail::Rect name_plate_rect(const NamePlate& names, sail::Size upright);
Bitmap name_plate_bitmap(const NamePlate& names, sail::Size upright);

// The four bars along the edges of a tile, without overlap, top first.
std::array<sail::Rect, 4> edge_bars(sail::Size upright);
Bitmap edge_bar_bitmap(sail::Size size);

// The overlay sprites drawn on a CPU-painted canvas, and a copy of the pixels below them. Sprites
// are removed where the canvas will be painted, and drawn again afterwards.
//
// Not thread-safe. Needs the memory of one canvas while there are sprites.
class LaidSprites {
 public:
  // Must be called when the canvas was replaced by a new one without sprites.
  void forget();
  // Removes the sprites within the damage. Rectangles are within the canvas and may overlap.
  void lift(const Canvas& canvas, std::span<const sail::Rect> damage) const;
  // Draws these sprites in this order. They may differ from the last ones only within the damage,
  // where lift() must have been called.
  void lay(const Canvas& canvas, std::span<const sail::Rect> damage,
           const std::vector<Sprite>& sprites);

 private:
  std::vector<Sprite> laid_;
  std::vector<uint8_t> beneath_;  // saved pixels below the sprites; as large as the canvas
};

}  // namespace receiver
