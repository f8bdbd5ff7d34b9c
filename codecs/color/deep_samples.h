// Deep samples and eight-bit levels: the conversion of YUV to RGB, and dithering.
#pragma once

#include "codecs/base/format.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {

// ITU-R BT.709-6 and BT.2020-2: limited range is the 8-bit one, shifted. `bits` from 8 to 16.
DeepYuvMatrix deep_matrix(const PictureColor& color, int bits);

constexpr int kDitherSide = 8;

// The Bayer matrix, values 0 … 63, by interleaving the bits of x ^ y and y. `x` and `y` are below
// kDitherSide.
constexpr int bayer(int x, int y) {
  int value = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const int across = (x ^ y) >> bit & 1, down = y >> bit & 1;
    value |= (across << 1 | down) << 2 * (2 - bit);
  }
  return value;
}

}  // namespace codecs
