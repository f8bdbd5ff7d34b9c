// Pixels to paint on, and how they get onto a panel that is mounted turned. Pure.
#pragma once

#include "codecs/image.h"
#include "sail/base/geometry.h"

namespace receiver {

// Upright pixels: B, G, R, 255. Owned by somebody else.
struct Canvas {
  codecs::BgraTarget target;
  sail::Size size;
};

// Where upright pixels are on a panel mounted at `rotation` degrees (see sail::Tile).
sail::Rect turned_rect(const sail::Rect& upright_rect, sail::Size upright, int rotation);

// Copies a rectangle of the canvas to its place on the panel, which has the canvas' size with sides
// swapped for 90 and 270.
void turn(const Canvas& canvas, const sail::Rect& upright_rect, int rotation,
          codecs::BgraTarget panel);

}  // namespace receiver
