// Draws what is shown over the windows: pointers, labels, the tiles' names. Pure.
#pragma once

#include <string>
#include <string_view>

#include "receiver/sprite.h"
#include "sail/wall/overlay_shape.h"

namespace receiver {

// An arrow in the person's colour with a light and a dark outline, so that it is seen on any
// picture, and the name beside it; with a ring around its tip while the button is pressed. size: of
// sail::pointer_rect().
Bitmap pointer_bitmap(const sail::OverlayPointer& pointer, sail::Size size, int unit);

// Text on a half dark plate, which is as wide as the text. size: of sail::label_rect().
Bitmap label_bitmap(const sail::OverlayLabel& label, sail::Size size, int unit);

// A tile's name in large letters on a dark plate, by which a person finds it: where it goes, in the
// tile's middle, and its picture.
sail::Rect name_plate_rect(std::string_view name, sail::Size upright);
Bitmap name_plate_bitmap(std::string_view name, sail::Size upright);

}  // namespace receiver
