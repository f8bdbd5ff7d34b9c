// DXT5 encoders for any vector width: colours encoded as DXT1, then alpha.
#pragma once

#include "codecs/dxt/alpha_encode_vector.h"
#include "codecs/dxt/dxt1_encode_vector.h"
#include "codecs/simd/kernels.h"

namespace codecs {

template <class V>
class Dxt5AlphaEncoder {
 public:
  using Reg = typename V::Reg;
  using Group = LaneGroup<V>;

  // `colours`: the strip's DXT1 blocks.
  void encode(const PixelStrip& strip, const uint8_t* colours, uint8_t* blocks) {
    const bool opaque = is_opaque(strip);
    for (int i = 0; !opaque && i < strip.blocks; i += Group::kBlocks) find_ends(strip, i);
    for (int i = 0; i < strip.blocks; i += Group::kBlocks) {
      const Reg all_opaque = V::lanes(dwords128(0xffff, 0, 0xffff, 0));
      Reg alpha[2] = {all_opaque, all_opaque};
      if (!opaque) alpha_.encode(i, alpha);
      const uint8_t* from = colours + kDxt1BlockBytes * static_cast<size_t>(i);
      Reg pairs[2];
      for (int k = 0; k < 2; ++k, from += V::kBytes) {
        pairs[k] = V::low64(V::load_lanes8(from), V::load_lanes8(from + V::kBytes / 2));
      }
      store_dxt5_group<V>(alpha, pairs, blocks + kDxt5BlockBytes * static_cast<size_t>(i));
    }
  }

 private:
  // Most pictures are opaque and need little work.
  static bool is_opaque(const PixelStrip& strip) {
    Reg all = V::all8(-1);
    for (int i = 0; i < strip.blocks; i += V::kLanes) {
      for (const uint8_t* row : strip.rows) {
        all = V::bit_and(all, V::load(row + i * ptrdiff_t{16}));
      }
    }
    const Reg alpha = V::bit_or(all, V::all32(0x00ffffff));
    return V::equal_mask32(alpha, V::all8(-1)) == (1U << Group::kInts) - 1;
  }

  static Reg load_alpha(const PixelStrip& strip, int block) {
    Reg rows[4];
    for (int row = 0; row < 4; ++row) {
      rows[row] = V::template shift_right32<24>(V::load(strip.rows[row] + block * ptrdiff_t{16}));
    }
    return V::pack16_unsigned(V::pack32(rows[0], rows[1]), V::pack32(rows[2], rows[3]));
  }

  void find_ends(const PixelStrip& strip, int block) {
    Reg values[4];
    for (int i = 0; i < 4; ++i) {
      values[i] = load_alpha(strip, block + i * V::kLanes);
      alpha_.put_values(block + i * V::kLanes, values[i]);
    }
    alignas(64) uint32_t least[Group::kInts], greatest[Group::kInts];
    V::store(least, of_bytes<V::min8>(Group::template reduce<V::min8>(values)));
    V::store(greatest, of_bytes<V::max8>(Group::template reduce<V::max8>(values)));
    alpha_.put_ends(block, Group::ints(greatest) & 0xff, Group::ints(least) & 0xff);
  }

  // Reduces each dword's four bytes with `Reduce`; the result is in the lowest byte.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg of_bytes(Reg a) {
    const Reg two = Reduce(a, V::template shift_right32<16>(a));
    return Reduce(two, V::template shift_right32<8>(two));
  }

  AlphaEncoder<V> alpha_;
};

template <class V>
void dxt5_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  alignas(64) uint8_t colours[kStripBlocks * kDxt1BlockBytes];
  dxt1_encode_fast<V>(strip, colours);
  Dxt5AlphaEncoder<V>().encode(strip, colours, blocks);
}

template <class V>
void dxt5_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  alignas(64) uint8_t colours[kStripBlocks * kDxt1BlockBytes];
  dxt1_encode_good<V>(strip, colours);
  Dxt5AlphaEncoder<V>().encode(strip, colours, blocks);
}

}  // namespace codecs
