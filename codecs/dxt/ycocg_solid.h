// The best colour block for a single Co and Cg: as in dxt1_solid.h, all texels use the same index.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_solid.h"

namespace codecs {

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
