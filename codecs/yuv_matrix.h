// The fixed-point form of a YUV to RGB matrix, shared by all conversion kernels.
#pragma once

#include <cstdint>

#include "codecs/format.h"

namespace codecs {

// Every product is multiply_round: (a · b + 2^14) / 2^15 of 16-bit numbers, what vector processors
// have as one instruction. Luma comes in as Y · 2^7, chroma as (C − 128) · 2^8; sums are in 1/64 of
// a level, so that a channel is (luma + chroma terms) >> 6, clamped.
struct YuvMatrix {
  int16_t luma;         // 2^14 · the luma gain
  int16_t luma_offset;  // the black level and the rounding of the last shift, in 1/64 of a level
  int16_t cr_to_red;    // 2^13 · the gain, as are the others
  int16_t cb_to_green;
  int16_t cr_to_green;
  int16_t cb_to_blue;
};

YuvMatrix yuv_matrix(ColorMatrix matrix, ColorRange range);

constexpr int multiply_round(int a, int b) {
  return (a * b + (1 << 14)) >> 15;
}

}  // namespace codecs
