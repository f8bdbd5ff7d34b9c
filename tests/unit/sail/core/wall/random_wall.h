// Random walls and windows for property tests, reproducible by seed: small, and as irregular as
// wall files allow.
#pragma once

#include <random>
#include <vector>

#include "sail/core/wall/wall.h"
#include "tests/support/reference_wall.h"

namespace sail {

class RandomWall {
 public:
  explicit RandomWall(uint32_t seed) : random_(seed) {}

  // Both ends are included.
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool one_in(int count) { return between(1, count) == 1; }

  // Up to 3 × 3 tiles of up to max_side wall pixels: gaps, scales, rotations and shared receivers.
  Wall wall(int max_side);
  // Anywhere on, partly off or off the wall; some of one pixel, some larger than the wall.
  Rect window_rect(Size wall_size);
  std::vector<reference::Placement> windows(Size wall_size, int max_count, int max_frame_side);
  reference::Picture picture(Size size);

 private:
  std::mt19937 random_;
};

}  // namespace sail
