// Reduces frames by a power of two before they are encoded. The same bits at every CpuLevel.
// Reentrant; no allocation.
#pragma once

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

constexpr int kMaxReduction = 3;  // to 1/8 of each side

// Length of a side after `reduction` halvings, rounded up.
constexpr int reduced_side(int side, int reduction) {
  return (side + (1 << reduction) - 1) >> reduction;
}

// Writes the rectangle at (x, y), in pixels of the frame halved `reduction` times (1 …
// kMaxReduction), as BGRA. Each pixel is the mean of a square with sides of 2^reduction pixels,
// clipped at the frame's right and bottom edges. x and y are multiples of 4 and the rectangle lies
// within the reduced frame. Alpha is averaged, too; it is 255 for formats without alpha.
void reduce_to_bgra(const ImageView& frame, int reduction, int x, int y, int width, int height,
                    BgraTarget target, CpuLevel cpu);

}  // namespace codecs
