// The fixed-point form of a YUV to RGB matrix, shared by all conversion kernels.
#pragma once

#include <cstdint>

#include "codecs/base/format.h"

namespace codecs {

// Luma is input as 257 · Y, chroma as 256 · (C − 128), which are free in vector code. Sums are in
// 1/64 of a level, so that a channel is (luma + chroma terms) >> 6, clamped.
struct YuvMatrix {
  uint16_t luma;        // multiply_high gain
  int16_t luma_offset;  // black level and rounding of the last shift, in 1/64 of a level
  int16_t cr_to_red;    // multiply_round gains
  int16_t cb_to_green;
  int16_t cr_to_green;
  int16_t cb_to_blue;
};

YuvMatrix yuv_matrix(ColorMatrix matrix, ColorRange range);

// Products of 16-bit numbers that are a single vector instruction.
constexpr int multiply_high(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b) >> 16);
}
constexpr int multiply_round(int a, int b) {
  return (a * b + (1 << 14)) >> 15;
}

}  // namespace codecs
