// The sprites that lie on a canvas painted by the CPU, and what is beneath them. They are lifted
// where the canvas is to be painted and laid again over what was painted.
//
// Thread: one. Holds one canvas' bytes while there are sprites.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "receiver/canvas.h"
#include "receiver/sprite.h"

namespace receiver {

class LaidSprites {
 public:
  // The canvas is a new one, on which nothing lies.
  void forget();
  // Takes the sprites off where the canvas is damaged. Rectangles lie within the canvas and may
  // overlap.
  void lift(const Canvas& canvas, std::span<const sail::Rect> damage) const;
  // Lays these on, in this order. They must be those laid last except where the canvas is damaged,
  // and it must have been lifted there.
  void lay(const Canvas& canvas, std::span<const sail::Rect> damage,
           const std::vector<Sprite>& sprites);

 private:
  std::vector<Sprite> laid_;
  std::vector<uint8_t> beneath_;  // of the canvas' size; what the sprites cover
};

}  // namespace receiver
