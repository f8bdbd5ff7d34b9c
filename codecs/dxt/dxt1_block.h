// The stored form of a DXT1 block, and its texels; access to the channels of pixels and colours.
#pragma once

#include <cstdint>
#include <cstring>

#include "codecs/simd/kernels.h"

namespace codecs {

struct Dxt1Block {
  uint32_t endpoints;  // two 5:6:5 colours, colour0 in the low half
  uint32_t indices;    // two bits per texel, row by row from the lowest
};

// The sixteen pixels of a texel block, row by row.
struct Texels {
  uint8_t at[16][4];
};

inline Texels load_texels(const PixelStrip& strip, int block) {
  Texels texels;
  for (int row = 0; row < 4; ++row) {
    std::memcpy(texels.at[4 * row], strip.rows[row] + ptrdiff_t{16} * block, 16);
  }
  return texels;
}

constexpr bool is_solid(uint32_t endpoints) {
  return (endpoints & 0xffff) == endpoints >> 16;
}

// One byte of a pixel.
constexpr int byte_of(uint32_t pixel, int channel) {
  return static_cast<int>(pixel >> (8 * channel) & 0xff);
}

// Bit position of a channel in a 5:6:5 colour.
constexpr int shift_565(int channel, ChannelOrder order) {
  if (channel == 1) return 5;
  return (channel == 0) == (order == ChannelOrder::kRgba) ? 11 : 0;
}

}  // namespace codecs
