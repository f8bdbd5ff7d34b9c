// The overlay sprites drawn on a CPU-painted canvas, and a copy of the pixels below them. Sprites
// are removed where the canvas will be painted, and drawn again afterwards.
//
// Not thread-safe. Needs the memory of one canvas while there are sprites.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/paint/sprite.h"

namespace receiver {

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
