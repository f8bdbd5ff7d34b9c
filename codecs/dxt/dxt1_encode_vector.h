// DXT1 encoders for any vector width: one 128-bit lane holds one row of one texel block. A strip
// goes through several short passes, whose arrays stay in the first-level cache: pixels to
// extremes, extremes to endpoints (many blocks per vector), pixels to indices. One long pass would
// stall on each block's endpoints.
#pragma once

#include <bit>
#include <cstring>

#include "codecs/dxt/dxt.h"
#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_endpoints_vector.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs {

template <class V, ChannelOrder kOrder, bool kRefit>
class StripEncoder {
 public:
  explicit StripEncoder(const PixelStrip& strip) : strip_(strip) {}

  // Passes with long dependency chains run interleaved with independent work, one group of blocks
  // ahead or behind.
  void encode(uint8_t* blocks) {
    bool flat = strip_.blocks > 0;
    for (int i = 0; i < strip_.blocks; i += kGroup) {
      find_extremes(i);
      flat &= is_flat(i, 0);
      V::store(endpoints_ + i, box_endpoints<V>(V::load(least_ + i), V::load(greatest_ + i),
                                                V::load(falls_ + i), kRefit, kOrder));
    }
    if (flat) return fill(0, strip_.blocks, blocks);
    if constexpr (kRefit) {
      prepare_search(0);
      for (int i = 0; i < strip_.blocks; i += kGroup) {
        if (i + kGroup < strip_.blocks) prepare_search(i + kGroup);
        sum_places(i);
      }
      for (int i = 0; i < strip_.blocks; i += kGroup) {
        const Ints ends = refit_endpoints(ints(endpoints_ + i), refit_sums(i), kOrder);
        V::store(endpoints_ + i, reinterpret_cast<Reg>(ends));
      }
    }
    prepare_search(0);
    uint64_t solid = 0;
    for (int i = 0; i < strip_.blocks; i += kGroup) {
      if (i + kGroup < strip_.blocks) prepare_search(i + kGroup);
      solid |= uint64_t{write(i, blocks)} << i;
    }
    write_solid(solid, blocks);
  }

 private:
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  // A group is four vectors of blocks: a 4×4 transposition of dwords gives each block one dword.
  // Data of a group's blocks is in that order: dword i of lane j belongs to block i · kLanes + j.
  static constexpr int kGroup = 4 * V::kLanes;
  static constexpr int kInts = V::kBytes / 4;
  static_assert(kStripGroup % kGroup == 0 && kStripBlocks <= 64);

  Reg pixels(int row, int block) const { return V::load(strip_.rows[row] + block * ptrdiff_t{16}); }

  static Ints ints(const uint32_t* from) {
    Ints value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  // Rearranges each lane to dwords of the four bytes of channels 0, 1, 2 and again 2.
  static Reg by_channel(Reg pixels) {
    return V::shuffle8(pixels,
                       V::lanes(bytes128(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 2, 6, 10, 14)));
  }

  // Reduces the four dwords in each lane with `Reduce`.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg reduce_lanes(const Reg (&v)[4]) {
    const Reg ab = Reduce(V::low32(v[0], v[1]), V::high32(v[0], v[1]));
    const Reg cd = Reduce(V::low32(v[2], v[3]), V::high32(v[2], v[3]));
    return Reduce(V::low64(ab, cd), V::high64(ab, cd));
  }

  // The channel that each dword of by_channel is compared with: green, or channel 0 for the last.
  static Reg partners(Reg channels) {
    return V::template shuffle32<dword_order(0, 1, 1, 1)>(channels);
  }

  // reference::covariance for each dword of by_channel.
  static Reg covariances(Reg row0, Reg row1, Reg row2, Reg row3) {
    Reg products = V::zero(), sums = V::zero();
    for (const Reg row : {row0, row1, row2, row3}) {
      const Reg values = by_channel(V::bit_and(V::template shift_right16<1>(row), V::all8(0x7f)));
      products = V::add_products8(products, values, partners(values));
      sums = V::add16(sums, V::multiply_pairs8(values, V::all8(1)));
    }
    sums = V::multiply_pairs16(sums, V::all16(1));
    return V::sub32(V::template shift_left32<4>(products),
                    V::multiply_pairs16(sums, partners(sums)));
  }

  // reference::contrast_products for each dword of by_channel.
  static Reg contrast_products(Reg row0, Reg row1, Reg row2, Reg row3) {
    const Reg sign = V::all8(-128);
    const Reg upper = by_channel(V::bit_xor(V::average8(row0, row1), sign));
    const Reg lower =
        V::shuffle8(V::bit_xor(V::average8(row2, row3), sign),
                    V::lanes(bytes128(4, 8, 12, 0, 5, 9, 13, 1, 6, 10, 14, 2, 6, 10, 14, 2)));
    const Reg contrasts = V::bit_or(V::sub_saturate8_signed(upper, lower), V::all8(1));
    return V::add_products8(V::zero(), V::absolute8(contrasts),
                            V::with_sign8(partners(contrasts), contrasts));
  }

  void find_extremes(int block) {
    Reg least[4], greatest[4], covariance[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg row0 = pixels(0, at), row1 = pixels(1, at);
      const Reg row2 = pixels(2, at), row3 = pixels(3, at);
      least[i] = V::min8(V::min8(row0, row1), V::min8(row2, row3));
      greatest[i] = V::max8(V::max8(row0, row1), V::max8(row2, row3));
      covariance[i] =
          kRefit ? covariances(row0, row1, row2, row3) : contrast_products(row0, row1, row2, row3);
      for (int line = 0; line < V::kLanes; ++line) {
        __builtin_prefetch(strip_.ahead[i] + block * ptrdiff_t{16} + line * ptrdiff_t{64});
      }
    }
    V::store(least_ + block, reduce_lanes<V::min8>(least));
    V::store(greatest_ + block, reduce_lanes<V::max8>(greatest));
    const Reg signs =
        V::pack16(V::pack32(covariance[0], covariance[1]), V::pack32(covariance[2], covariance[3]));
    // One byte per dword of by_channel, as fallen_channels expects.
    V::store(falls_ + block, signs);
  }

  // Whether the whole group has the single colour of block `like`.
  bool is_flat(int block, int like) const {
    constexpr int32_t kColour = 0xffffff;
    const Reg colour = V::all32(static_cast<int32_t>(least_[like]) & kColour);
    const uint32_t least =
        V::equal_mask32(V::bit_and(V::load(least_ + block), V::all32(kColour)), colour);
    const uint32_t greatest =
        V::equal_mask32(V::bit_and(V::load(greatest_ + block), V::all32(kColour)), colour);
    return (least & greatest) == (uint32_t{1} << kInts) - 1;
  }

  // Blocks of a single colour are frequent in slides and desktops: encodes one and copies it.
  void fill(int block, int count, uint8_t* to) const {
    const Dxt1Block one = solid_block(least_[block], greatest_[block], kOrder);
    for (int i = 0; i < count; ++i, to += kDxt1BlockBytes) std::memcpy(to, &one, sizeof(one));
  }

  // Stores the inputs of the index search, one lane per block: weights, start and steps.
  void prepare_search(int block) {
    const auto search = place_search<V>(V::load(endpoints_ + block), kOrder);
    const Reg low = V::low32(search.weights, search.start);
    const Reg high = V::high32(search.weights, search.start);
    const Reg low_steps = V::low32(search.steps, search.steps);
    const Reg high_steps = V::high32(search.steps, search.steps);
    uint32_t* to = searches_[block];
    V::store(to, V::low64(low, low_steps));
    V::store(to + kInts, V::high64(low, low_steps));
    V::store(to + 2 * kInts, V::low64(high, high_steps));
    V::store(to + 3 * kInts, V::high64(high, high_steps));
  }

  // The steps of sixteen texels per lane.
  Reg steps(const Reg (&rows)[4], int block, bool last) const {
    const Reg search = V::load(searches_[block]);
    const Reg weights = V::template shuffle32<0x00>(search);
    Reg t[4];
    for (int row = 0; row < 4; ++row) t[row] = V::add_products8(V::zero(), rows[row], weights);
    const Reg start = V::template shuffle32<0x55>(search);
    const Reg scale = V::template shuffle32<0xaa>(search);
    const Reg upper = V::multiply_high16_signed(V::sub16(start, V::pack32(t[0], t[1])), scale);
    const Reg lower = V::multiply_high16_signed(V::sub16(start, V::pack32(t[2], t[3])), scale);
    const Reg steps = V::pack16_unsigned(upper, lower);
    // Texels lie less than two thirds of the box length beyond its endpoints, but any distance
    // beyond refitted endpoints.
    return kRefit && last ? V::min8(steps, V::all8(15)) : steps;
  }

  // reference::refit_sums, two 16-bit sums per dword.
  void sum_places(int block) {
    Reg sums[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg rows[4] = {pixels(0, at), pixels(1, at), pixels(2, at), pixels(3, at)};
      sums[i] = place_sums(rows, steps(rows, at, false));
    }
    const Reg low01 = V::low32(sums[0], sums[1]), low23 = V::low32(sums[2], sums[3]);
    const Reg high01 = V::high32(sums[0], sums[1]), high23 = V::high32(sums[2], sums[3]);
    V::store(sums_[0] + block, V::low64(low01, low23));
    V::store(sums_[1] + block, V::high64(low01, low23));
    V::store(sums_[2] + block, V::low64(high01, high23));
    V::store(sums_[3] + block, V::high64(high01, high23));
  }

  // Eight 16-bit sums per lane: RefitSums::weighted, then plain.
  static Reg place_sums(const Reg (&rows)[4], Reg steps) {
    const Reg places = V::shuffle8(table(kPlaceOfStep), steps);
    Reg weighted = V::zero(), plain = V::zero();
    for (int row = 0; row < 4; ++row) {
      const Reg place = V::shuffle8(places, V::all32(0x03020100 + row * 0x04040404));
      const Reg channels = V::last32_of(by_channel(rows[row]), place);
      weighted = V::add16(weighted, V::multiply_pairs8(channels, place));
      plain = V::add16(plain, V::multiply_pairs8(channels, V::all8(1)));
    }
    const Reg ones = V::all16(1);
    return V::pack32(V::multiply_pairs16(weighted, ones), V::multiply_pairs16(plain, ones));
  }

  RefitSums<Ints> refit_sums(int block) const {
    RefitSums<Ints> sums;
    for (int i = 0; i < 2; ++i) {
      const Ints weighted = ints(sums_[i] + block), plain = ints(sums_[i + 2] + block);
      sums.weighted[2 * i] = weighted & 0xffff;
      sums.weighted[2 * i + 1] = weighted >> 16;
      sums.plain[2 * i] = plain & 0xffff;
      sums.plain[2 * i + 1] = plain >> 16;
    }
    return sums;
  }

  static Reg table(const uint8_t (&entries)[16]) { return V::lanes(load128(entries)); }

  // The two-bit indices of one row per dword.
  Reg row_indices(int block) const {
    const Reg rows[4] = {pixels(0, block), pixels(1, block), pixels(2, block), pixels(3, block)};
    const Reg indices = V::shuffle8(table(kIndexOfStep), steps(rows, block, true));
    return V::add_products8(V::zero(), indices, V::all32(0x40100401));
  }

  // Writes the group's blocks. Returns a mask, in lane order, of blocks with equal endpoints, which
  // write_solid() must replace; 0 if the whole group has one colour.
  uint32_t write(int block, uint8_t* blocks) const {
    uint8_t* to = blocks + kDxt1BlockBytes * static_cast<size_t>(block);
    if (is_flat(block, block)) {
      fill(block, kGroup, to);
      return 0;
    }
    Reg rows[4];
    for (int i = 0; i < 4; ++i) rows[i] = row_indices(block + i * V::kLanes);
    const Reg indices =
        V::pack16_unsigned(V::pack32(rows[0], rows[1]), V::pack32(rows[2], rows[3]));
    const Reg endpoints = V::load(endpoints_ + block);
    V::store(to, V::by_qword(V::low32(endpoints, indices)));
    V::store(to + V::kBytes, V::by_qword(V::high32(endpoints, indices)));
    const Reg swapped = V::bit_or(V::template shift_left32<16>(endpoints),
                                  V::template shift_right32<16>(endpoints));
    return V::equal_mask32(endpoints, swapped);
  }

  // Runs once per strip: the number of such blocks is unpredictable.
  void write_solid(uint64_t solid, uint8_t* blocks) const {
    for (; solid != 0; solid &= solid - 1) {
      const int at = std::countr_zero(solid), i = at % kGroup;
      const Dxt1Block one = solid_block(least_[at], greatest_[at], kOrder);
      std::memcpy(
          blocks + kDxt1BlockBytes * static_cast<size_t>(at - i + i % 4 * V::kLanes + i / 4), &one,
          sizeof(one));
    }
  }

  const PixelStrip& strip_;
  alignas(64) uint32_t least_[kStripBlocks];
  alignas(64) uint32_t greatest_[kStripBlocks];
  alignas(64) uint32_t falls_[kStripBlocks];
  alignas(64) uint32_t endpoints_[kStripBlocks];
  alignas(64) uint32_t searches_[kStripBlocks][4];
  alignas(64) uint32_t sums_[4][kStripBlocks];
};

template <class V, bool kRefit>
void encode_strip(const PixelStrip& strip, uint8_t* blocks) {
  if (strip.order == ChannelOrder::kRgba) {
    StripEncoder<V, ChannelOrder::kRgba, kRefit>(strip).encode(blocks);
  } else {
    StripEncoder<V, ChannelOrder::kBgra, kRefit>(strip).encode(blocks);
  }
}

template <class V>
void dxt1_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip<V, false>(strip, blocks);
}

template <class V>
void dxt1_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip<V, true>(strip, blocks);
}

}  // namespace codecs
