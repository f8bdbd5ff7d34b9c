// Frames made smaller by a power of two before they are encoded. The same bits at every CpuLevel.
// Reentrant; no allocation.
#pragma once

#include "codecs/cpu.h"
#include "codecs/image.h"

namespace codecs {

constexpr int kMaxReduction = 3;  // to an eighth

// A side after `reduction` halvings, rounded up.
constexpr int reduced_side(int side, int reduction) {
  return (side + (1 << reduction) - 1) >> reduction;
}

// The rectangle at (x, y), in pixels of the frame reduced `reduction` times (1 … kMaxReduction) by
// two, to BGRA: each pixel the mean of a square of 2^reduction pixels, of those that the frame has
// at its right and bottom edges. x and y are multiples of 4 and the rectangle lies within the
// reduced frame. Alpha is averaged, too; 255 for formats without it.
void reduce_to_bgra(const ImageView& frame, int reduction, int x, int y, int width, int height,
                    BgraTarget target, CpuLevel cpu);

}  // namespace codecs
