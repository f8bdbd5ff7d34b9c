// Draws the bitmaps of overlays: pointers, labels and tile names. Pure.
#pragma once

#include <string>
#include <string_view>

#include "receiver/paint/sprite.h"
#include "sail/core/routing/overlay_shape.h"

namespace receiver {

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
