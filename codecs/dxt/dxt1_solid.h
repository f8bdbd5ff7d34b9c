// The best texel block of a single colour. Colours between two endpoints can be finer than 5:6:5,
// so all texels use the index of (2 · near + far) / 3; tables give the endpoints by channel value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// For every 8-bit value the near endpoint in the low half, the far one in the high half.
using SolidEndpoints = std::array<uint32_t, 256>;
extern const SolidEndpoints kSolid5Bits;
extern const SolidEndpoints kSolid6Bits;

// The block of the colour one third of the way from the first of these ends to the second.
[[gnu::always_inline]] inline Dxt1Block solid_block(uint32_t ends) {
  const uint32_t near = ends & 0xffff, far = ends >> 16;
  // Four-colour blocks need colour0 > colour1; with swapped ends the same colour is index 3.
  const uint32_t ordered = near < far ? far | near << 16 : ends;
  const uint32_t index = near < far ? 0xffffffff : 0xaaaaaaaa;
  return {ordered, near == far ? 0 : index};
}

// The block whose colour is nearest to halfway between `least` and `greatest`.
[[gnu::always_inline]] inline Dxt1Block solid_block(uint32_t least, uint32_t greatest,
                                                    ChannelOrder order) {
  size_t middle[3];
  for (int c = 0; c < 3; ++c) {
    middle[c] = static_cast<size_t>((byte_of(least, c) + byte_of(greatest, c) + 1) >> 1);
  }
  const uint32_t ends = kSolid5Bits[middle[0]] << shift_565(0, order) |
                        kSolid6Bits[middle[1]] << shift_565(1, order) |
                        kSolid5Bits[middle[2]] << shift_565(2, order);
  return solid_block(ends);
}

// The best colour block for a single Co and Cg.
//
// The block nearest to halfway between `least` and `greatest`, whose first two bytes are Co and Cg.
[[gnu::always_inline]] inline Dxt1Block solid_chroma(uint32_t least, uint32_t greatest,
                                                     uint32_t scale) {
  size_t middle[2];
  for (int c = 0; c < 2; ++c) {
    // Twice the middle relative to 128, then scaled, plus the quarter that rounding took away.
    const int twice = byte_of(least, c) + byte_of(greatest, c) - 256;
    const int scaled = (2 * twice * static_cast<int>(scale) + static_cast<int>(scale) + 514) >> 2;
    middle[c] = static_cast<size_t>(scaled);
  }
  const uint32_t blue = (scale - 1) | (scale - 1) << 16;
  const uint32_t ends = kSolid5Bits[middle[0]] << 11 | kSolid6Bits[middle[1]] << 5 | blue;
  return solid_block(ends);
}

}  // namespace codecs
