// A small bitmap that is drawn over the windows of a tile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sail/core/base/geometry.h"

namespace receiver {

// B, G, R, A with premultiplied alpha; rows without padding.
struct Bitmap {
  sail::Size size;
  std::vector<uint8_t> pixels;
};

struct Sprite {
  sail::Rect rect;  // upright tile pixels; bitmap's size; may extend beyond the tile
  std::shared_ptr<const Bitmap> bitmap;  // immutable

  bool operator==(const Sprite&) const = default;
};

}  // namespace receiver
