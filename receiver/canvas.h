// Pixels to paint on, and how they get onto a panel that is mounted turned. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codecs/image.h"
#include "sail/base/geometry.h"
#include "sail/wire/control_messages.h"

namespace receiver {

// Upright pixels: B, G, R, 255. Owned by somebody else.
struct Canvas {
  codecs::BgraTarget target;
  sail::Size size;
};

constexpr ptrdiff_t kBytesPerPixel = 4;
using Pixel = std::array<uint8_t, kBytesPerPixel>;  // B, G, R, A

// The place of the pixel (x, y) of the target.
inline codecs::BgraTarget at(const codecs::BgraTarget& target, int x, int y) {
  return {target.pixels + y * target.stride + x * kBytesPerPixel, target.stride};
}
void fill(const Canvas& canvas, const Pixel& colour);

// A tile's pixels with the picture upright.
sail::Size upright_size(const sail::TileInfo& tile);

// Where upright pixels are on a panel mounted at `rotation` degrees (see sail::Tile).
sail::Rect turned_rect(const sail::Rect& upright_rect, sail::Size upright, int rotation);

// Copies a rectangle of the canvas to its place on the panel, which has the canvas' size with sides
// swapped for 90 and 270.
void turn(const Canvas& canvas, const sail::Rect& upright_rect, int rotation,
          codecs::BgraTarget panel);

}  // namespace receiver
