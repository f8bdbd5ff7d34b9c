// DXT5 decoder for any vector width: one 128-bit lane holds one texel block.
#pragma once

#include "codecs/dxt/dxt1_decode_vector.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// 3-bit indices from bit 3 · i of the bytes from kFirst on, as eight words per lane.
template <class V, int kFirst>
typename V::Reg alpha_indices(typename V::Reg blocks) {
  constexpr int k = kFirst;
  const typename V::Reg words =
      V::shuffle8(blocks, V::lanes(bytes128(k, k + 1, k, k + 1, k, k + 1, k + 1, k + 2, k + 1,
                                            k + 2, k + 1, k + 2, k + 2, k + 3, k + 2, k + 3)));
  const typename V::Reg at_top =
      V::multiply16(words, V::lanes(words128(8192, 1024, 128, 4096, 512, 64, 2048, 256)));
  return V::template shift_right16<13>(at_top);
}

// The sixteen values of each lane's alpha block, row by row.
template <class V>
typename V::Reg alpha_values(typename V::Reg blocks) {
  using Reg = typename V::Reg;
  const Reg eight_levels = V::greater16(V::shuffle8(blocks, V::all16(INT16_MIN)),
                                        V::shuffle8(blocks, V::all16(INT16_MIN + 1)));
  // Levels are (w0 · alpha0 + w1 · alpha1) / 7, or / 5 followed by 0 and 255.
  const Reg weights8 = V::lanes(bytes128(7, 0, 0, 7, 6, 1, 5, 2, 4, 3, 3, 4, 2, 5, 1, 6));
  const Reg weights6 = V::lanes(bytes128(5, 0, 0, 5, 4, 1, 3, 2, 2, 3, 1, 4, 0, 0, 0, 0));
  const Reg weights =
      V::bit_xor(weights6, V::bit_and(eight_levels, V::bit_xor(weights6, weights8)));
  const int seventh = 9363, fifth = 13108;
  const Reg divisors =
      V::bit_xor(V::all16(fifth), V::bit_and(eight_levels, V::all16(fifth ^ seventh)));
  const Reg last = V::lanes(words128(0, 0, 0, 0, 0, 0, 0, 255));
  const Reg levels =
      V::bit_or(V::multiply_high16(
                    V::multiply_pairs8(V::shuffle8(blocks, V::all16(0x0100)), weights), divisors),
                V::and_not(eight_levels, last));
  const Reg indices = V::pack16_unsigned(alpha_indices<V, 2>(blocks), alpha_indices<V, 5>(blocks));
  return V::shuffle8(V::pack16_unsigned(levels, levels), indices);
}

// The four colours of each lane's colour block: B, G, R, 0.
template <class V>
typename V::Reg four_colours(typename V::Reg blocks) {
  using Reg = typename V::Reg;
  const Reg ends = palette_ends<V>(V::shuffle8(
      blocks, V::lanes(bytes128(8, 9, 8, 9, 8, 9, -1, -1, 10, 11, 10, 11, 10, 11, -1, -1))));
  const Reg swapped = V::template shuffle32<dword_order(1, 0, 3, 2)>(ends);
  const Reg sum = V::add16(V::add16(ends, swapped), ends);
  return V::pack16_unsigned(ends, V::multiply_high16(sum, V::all16(21846)));
}

template <class V, bool kStreamed>
void dxt5_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  using Reg = typename V::Reg;
  if (count < V::kLanes) return reference::dxt5_decode(blocks, count, pixels, stride);
  for (int i = 0; i < count; i += V::kLanes) {
    // The last vector overlaps the previous one and may write some pixels twice.
    const ptrdiff_t at = i + V::kLanes <= count ? i : count - V::kLanes;
    const Reg lanes = V::load(blocks + 16 * at);
    const Reg palette = four_colours<V>(lanes);
    const Reg alpha = alpha_values<V>(lanes);
    const Reg to_top =
        V::lanes(bytes128(-1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3));
    const Reg four = V::all32(0x04000000);
    const Reg rows[4] = {
        V::template pick32<12>(palette, lanes), V::template pick32<13>(palette, lanes),
        V::template pick32<14>(palette, lanes), V::template pick32<15>(palette, lanes)};
    Reg order = to_top;
    uint8_t* out = pixels + 16 * at;
    for (const Reg& row : rows) {
      write_pixels<V, kStreamed>(out, V::bit_or(row, V::shuffle8(alpha, order)));
      order = V::add8(order, four);
      out += stride;
    }
  }
}

}  // namespace codecs
