// Small bitmaps that are drawn over the windows of a tile: pointers, labels and tile names. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  bool operator==(const Sprite&) const = default;
};

// Draws an arrow in the user's colour with a light and a dark outline, visible on any picture, and
// the user's name beside it; with a ring around its tip while the button is pressed. size: from
// sail::pointer_rect().
Bitmap pointer_bitmap(const sail::OverlayPointer& pointer, sail::Size size, int unit);

// Draws text on a half-transparent dark plate of its width. size: from sail::label_rect().
Bitmap label_bitmap(const sail::OverlayLabel& label, sail::Size size, int unit);

// The rectangle, in the middle of the tile, and the bitmap that shows a tile's name in large
// letters on a dark background to identify the tile.
sail::Rect name_plate_rect(std::string_view name, sail::Size upright);
Bitmap name_plate_bitmap(std::string_view name, sail::Size upright);

}  // namespace receiver
