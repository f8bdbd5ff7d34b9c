// Sizes of pictures: reduction by a power of two before encoding, and bilinear scaling for
// displays. The same bits at every CpuLevel. Reentrant; no allocation beyond `scratch`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// Bilinear scaling of BGRA pixels. The caller gives the sample positions, so that all tiles of a
// wall agree on every pixel although each scales its own part of a window.

// One output column or row: (source[first] · (256 − weight) + source[second] · weight) / 256.
struct Tap {
  int32_t first;
  int32_t second;   // first or first + 1
  uint16_t weight;  // weight of `second`, 0 … 256
};

// Writes columns.size() × rows.size() pixels: scales horizontally, rounds to 8 bits (+128 >> 8),
// then does the same vertically. The taps index source columns and rows. `scratch` holds two source
// rows scaled horizontally: at least columns.size() · 8 bytes.
void resample_bilinear(const uint8_t* source, ptrdiff_t source_stride, std::span<const Tap> columns,
                       std::span<const Tap> rows, std::span<uint8_t> scratch, BgraTarget target,
                       CpuLevel cpu);

}  // namespace codecs
