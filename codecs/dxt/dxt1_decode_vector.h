// DXT1 decoder for any vector width: a texel block's palette fills one 128-bit lane, from which
// each row of four pixels is selected.
#pragma once

#include "codecs/dxt/dxt.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// Writes a vector of pixels.
template <class V, bool kStreamed>
void write_pixels(uint8_t* to, typename V::Reg pixels) {
  kStreamed ? V::stream(to, pixels) : V::store(to, pixels);
}

// Expands both endpoints of each lane to eight words blue, green, red, 0. In `colours` each of
// these words holds the whole endpoint, or 0.
template <class V>
typename V::Reg palette_ends(typename V::Reg colours) {
  // Moves a channel's bits to the top of its word; a product then repeats them below.
  const typename V::Reg top =
      V::bit_and(V::multiply16(colours, V::lanes(words128(2048, 32, 1, 0, 2048, 32, 1, 0))),
                 V::lanes(words128(-2048, -1024, -2048, 0, -2048, -1024, -2048, 0)));
  return V::multiply_high16(top, V::lanes(words128(264, 260, 264, 0, 264, 260, 264, 0)));
}

// The palettes of V::kLanes blocks, each in its lane.
template <class V>
typename V::Reg palettes(typename V::Reg blocks) {
  using Reg = typename V::Reg;
  const Reg ends = palette_ends<V>(
      V::shuffle8(blocks, V::lanes(bytes128(0, 1, 0, 1, 0, 1, -1, -1, 2, 3, 2, 3, 2, 3, -1, -1))));

  const Reg swapped = V::template shuffle32<dword_order(1, 0, 3, 2)>(ends);
  const Reg sum = V::add16(ends, swapped);
  const Reg thirds = V::multiply_high16(V::add16(sum, ends), V::all16(21846));
  const Reg half_and_black =
      V::bit_and(V::template shift_right16<1>(sum), V::lanes(dwords128(-1, -1, 0, 0)));
  const Reg sign = V::all16(INT16_MIN);
  const Reg colour0 = V::bit_xor(V::shuffle8(blocks, V::all16(0x0100)), sign);
  const Reg colour1 = V::bit_xor(V::shuffle8(blocks, V::all16(0x0302)), sign);
  const Reg four_colours = V::greater16(colour0, colour1);
  const Reg between =
      V::bit_or(V::bit_and(four_colours, thirds), V::and_not(four_colours, half_and_black));
  return V::bit_or(V::pack16_unsigned(ends, between), V::all32(static_cast<int32_t>(0xff000000)));
}

template <class V, bool kStreamed>
void dxt1_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  if (count < V::kLanes) return reference::dxt1_decode(blocks, count, pixels, stride);
  for (int i = 0; i < count; i += V::kLanes) {
    // The last vector overlaps the previous one and may write some pixels twice.
    const ptrdiff_t at = i + V::kLanes <= count ? i : count - V::kLanes;
    const typename V::Reg lanes = V::load_lanes8(blocks + 8 * at);
    const typename V::Reg palette = palettes<V>(lanes);
    uint8_t* out = pixels + 16 * at;
    write_pixels<V, kStreamed>(out, V::template pick32<4>(palette, lanes));
    write_pixels<V, kStreamed>(out + stride, V::template pick32<5>(palette, lanes));
    write_pixels<V, kStreamed>(out + 2 * stride, V::template pick32<6>(palette, lanes));
    write_pixels<V, kStreamed>(out + 3 * stride, V::template pick32<7>(palette, lanes));
  }
}

}  // namespace codecs
