// A small picture that is drawn over the windows of a tile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sail/base/geometry.h"

namespace receiver {

// B, G, R, A; the colours multiplied by alpha. Rows without gaps.
struct Bitmap {
  sail::Size size;
  std::vector<uint8_t> pixels;
};

struct Sprite {
  sail::Rect rect;  // in the tile's upright pixels, of the bitmap's size; may reach out of the tile
  std::shared_ptr<const Bitmap> bitmap;  // never written again

  bool operator==(const Sprite&) const = default;
};

}  // namespace receiver
