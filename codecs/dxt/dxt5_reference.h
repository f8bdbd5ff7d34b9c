// Reference code of DXT5 that DXT5-YCoCg shares.
#pragma once

#include <cstddef>
#include <cstdint>

namespace codecs::reference {

// The sixteen values of an alpha block, row by row.
struct AlphaTexels {
  uint8_t at[16];
};

// Encodes eight bytes with eight levels from `high` (alpha0) down to `low`.
uint64_t encode_alpha(const AlphaTexels& texels, int high, int low);
// Steps down from `high` to `low`, 0 … 7.
AlphaTexels alpha_steps(const AlphaTexels& texels, int high, int low);

AlphaTexels decode_alpha(const uint8_t* block);

// The four colours of a DXT5 colour block: B, G, R, 0.
struct FourColours {
  uint8_t at[4][4];
};
FourColours four_colours(uint32_t endpoints);

}  // namespace codecs::reference
