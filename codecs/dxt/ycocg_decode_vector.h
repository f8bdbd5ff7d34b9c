// DXT5-YCoCg decoder for any vector width: the amounts to add to Y and to subtract from it are
// computed per palette entry and selected per texel like colours.
#pragma once

#include "codecs/dxt/dxt5_decode_vector.h"
#include "codecs/dxt/ycocg_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// For each palette entry of a lane, four bytes to add to B, G, R and alpha, and four to subtract;
// one of both is 0.
template <class V>
struct OffsetPalettes {
  typename V::Reg added;
  typename V::Reg taken;
};

template <class V>
OffsetPalettes<V> offset_palettes(typename V::Reg colours) {
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  const Ints entries = reinterpret_cast<Ints>(colours);
  const ChromaOffsets<Ints> offsets =
      chroma_offsets<Ints>(entries >> 16 & 0xff, entries >> 8 & 0xff, entries & 0xff);
  const Reg blue_green =
      V::pack32(reinterpret_cast<Reg>(offsets.blue), reinterpret_cast<Reg>(offsets.green));
  const Reg red_alpha = V::pack32(reinterpret_cast<Reg>(offsets.red), V::all32(255));
  const Reg by_entry = V::lanes(bytes128(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const Reg taken =
      V::pack16_unsigned(V::sub16(V::zero(), blue_green), V::sub16(V::zero(), red_alpha));
  return {V::shuffle8(V::pack16_unsigned(blue_green, red_alpha), by_entry),
          V::shuffle8(taken, by_entry)};
}

template <class V, bool kStreamed, int kRow>
void write_ycocg_row(const OffsetPalettes<V>& palettes, typename V::Reg lanes, typename V::Reg luma,
                     uint8_t* pixels) {
  using Reg = typename V::Reg;
  constexpr int k = 4 * kRow;
  const Reg grey = V::shuffle8(luma, V::lanes(bytes128(k, k, k, -1, k + 1, k + 1, k + 1, -1, k + 2,
                                                       k + 2, k + 2, -1, k + 3, k + 3, k + 3, -1)));
  const Reg more = V::add_saturate8(grey, V::template pick32<12 + kRow>(palettes.added, lanes));
  write_pixels<V, kStreamed>(
      pixels, V::sub_saturate8(more, V::template pick32<12 + kRow>(palettes.taken, lanes)));
}

template <class V, bool kStreamed>
void ycocg_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride) {
  using Reg = typename V::Reg;
  if (count < V::kLanes) return reference::ycocg_decode(blocks, count, pixels, stride);
  for (int i = 0; i < count; i += V::kLanes) {
    // The last vector overlaps the previous one and may write some pixels twice.
    const ptrdiff_t at = i + V::kLanes <= count ? i : count - V::kLanes;
    const Reg lanes = V::load(blocks + 16 * at);
    const OffsetPalettes<V> palettes = offset_palettes<V>(four_colours<V>(lanes));
    const Reg luma = alpha_values<V>(lanes);
    uint8_t* out = pixels + 16 * at;
    write_ycocg_row<V, kStreamed, 0>(palettes, lanes, luma, out);
    write_ycocg_row<V, kStreamed, 1>(palettes, lanes, luma, out + stride);
    write_ycocg_row<V, kStreamed, 2>(palettes, lanes, luma, out + 2 * stride);
    write_ycocg_row<V, kStreamed, 3>(palettes, lanes, luma, out + 3 * stride);
  }
}

}  // namespace codecs
