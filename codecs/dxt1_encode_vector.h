// The DXT1 encoders for any vector width: one 128-bit lane holds one row of one texel block. A
// strip goes through several short passes, whose arrays stay in the first-level cache: pixels to
// extremes, extremes to endpoints (many blocks in a vector), pixels to indices. One long pass would
// wait for each block's endpoints.
#pragma once

#include <bit>
#include <cstring>

#include "codecs/dxt.h"
#include "codecs/dxt1_block.h"
#include "codecs/dxt1_fit.h"
#include "codecs/dxt1_solid.h"
#include "codecs/kernels.h"

namespace codecs {

template <class V, ChannelOrder kOrder>
class StripEncoder {
 public:
  explicit StripEncoder(const PixelStrip& strip) : strip_(strip) {}

  void encode(bool refit, uint8_t* blocks) {
    for (int i = 0; i < strip_.blocks; i += kGroup) find_extremes(i);
    const int inset = refit ? kGoodInset : kFastInset;
    for (int i = 0; i < strip_.blocks; i += kInts) {
      put(endpoints_ + i,
          box_endpoints(ints(least_ + i), ints(greatest_ + i), ints(falls_ + i), inset, kOrder));
    }
    prepare_search();
    if (refit) {
      for (int i = 0; i < strip_.blocks; i += kGroup) sum_places(i);
      for (int i = 0; i < strip_.blocks; i += kInts) {
        put(endpoints_ + i, refit_endpoints(ints(endpoints_ + i), refit_sums(i), kOrder));
      }
      prepare_search();
    }
    for (int i = 0; i < strip_.blocks; i += V::kLanes) find_indices(i);
    write(blocks);
  }

 private:
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  static constexpr int kInts = V::kBytes / 4;
  // Blocks of four vectors: a 4×4 transposition of dwords gives each of them one dword.
  static constexpr int kGroup = 4 * V::kLanes;
  static_assert(kStripGroup % kGroup == 0);

  Reg pixels(int row, int block) const { return V::load(strip_.rows[row] + block * ptrdiff_t{16}); }

  static Ints ints(const uint32_t* from) {
    Ints value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  static void put(uint32_t* to, Ints value) { std::memcpy(to, &value, sizeof(value)); }

  // Each lane's dwords: the four bytes of channels 0, 1, 2 and 2 again.
  static Reg by_channel(Reg pixels) {
    return V::shuffle8(
        pixels, V::lanes(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 2, 6, 10, 14)));
  }

  // Of four dwords in each lane, the one that `Reduce` leaves, in the order of the blocks.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg reduce_lanes(const Reg (&v)[4]) {
    const Reg ab = Reduce(V::low32(v[0], v[1]), V::high32(v[0], v[1]));
    const Reg cd = Reduce(V::low32(v[2], v[3]), V::high32(v[2], v[3]));
    return V::by_dword(Reduce(V::low64(ab, cd), V::high64(ab, cd)));
  }

  // What each dword of by_channel is compared with: green, and channel 0 for the last.
  static Reg partners(Reg channels) {
    return V::template shuffle32<_MM_SHUFFLE(0, 1, 1, 1)>(channels);
  }

  // reference::falls_against for each dword of by_channel: eight times the covariance.
  static Reg covariances(Reg row0, Reg row1, Reg row2, Reg row3) {
    const Reg seven_bits = V::all8(0x7f), ones8 = V::all8(1), ones16 = V::all16(1);
    const Reg upper =
        by_channel(V::bit_and(V::template shift_right16<1>(V::average8(row0, row1)), seven_bits));
    const Reg lower =
        by_channel(V::bit_and(V::template shift_right16<1>(V::average8(row2, row3)), seven_bits));
    const Reg products =
        V::add32(V::multiply_pairs16(V::multiply_pairs8(upper, partners(upper)), ones16),
                 V::multiply_pairs16(V::multiply_pairs8(lower, partners(lower)), ones16));
    const Reg sums = V::multiply_pairs16(
        V::add16(V::multiply_pairs8(upper, ones8), V::multiply_pairs8(lower, ones8)), ones16);
    return V::sub32(V::template shift_left32<3>(products),
                    V::multiply_pairs16(sums, partners(sums)));
  }

  void find_extremes(int block) {
    Reg least[4], greatest[4], covariance[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg row0 = pixels(0, at), row1 = pixels(1, at);
      const Reg row2 = pixels(2, at), row3 = pixels(3, at);
      least[i] = V::min8(V::min8(row0, row1), V::min8(row2, row3));
      greatest[i] = V::max8(V::max8(row0, row1), V::max8(row2, row3));
      covariance[i] = covariances(row0, row1, row2, row3);
      for (int line = 0; line < V::kLanes; ++line) {
        __builtin_prefetch(strip_.ahead[i] + block * ptrdiff_t{16} + line * ptrdiff_t{64});
      }
    }
    V::store(least_ + block, reduce_lanes<V::min8>(least));
    V::store(greatest_ + block, reduce_lanes<V::max8>(greatest));
    const Reg signs =
        V::pack16(V::pack32(covariance[0], covariance[1]), V::pack32(covariance[2], covariance[3]));
    // A byte for each dword of by_channel, as box_endpoints wants them.
    V::store(falls_ + block, V::by_dword(signs));
  }

  void prepare_search() {
    for (int i = 0; i < strip_.blocks; i += kInts) {
      const IndexSearch<Ints> search = index_search(ints(endpoints_ + i), kOrder);
      put(weights_ + i, search.weights);
      put(middle_ + i, search.middle);
      put(inner_ + i, search.inner);
    }
  }

  // Two signs for each texel, as bytes: nearer to colour1 than to colour0, and an inner index.
  struct Signs {
    Reg nearer_colour1;
    Reg is_inner;
  };
  Signs index_signs(const Reg (&rows)[4], int block) const {
    const Reg weights = V::lane_values(weights_ + block);
    const Reg ones = V::all16(1);
    Reg t[4];
    for (int row = 0; row < 4; ++row) {
      t[row] = V::multiply_pairs16(V::multiply_pairs8(rows[row], weights), ones);
    }
    const Reg middle = V::lane_values(middle_ + block);
    const Reg upper = V::sub16(V::pack32(t[0], t[1]), middle);
    const Reg lower = V::sub16(V::pack32(t[2], t[3]), middle);
    const Reg inner = V::lane_values(inner_ + block);
    return {V::pack16(upper, lower), V::pack16(V::sub16(V::absolute16(upper), inner),
                                               V::sub16(V::absolute16(lower), inner))};
  }

  void find_indices(int block) {
    const Reg rows[4] = {pixels(0, block), pixels(1, block), pixels(2, block), pixels(3, block)};
    const Signs signs = index_signs(rows, block);
    V::store_signs8(nearer_colour1_ + block, signs.nearer_colour1);
    V::store_signs8(is_inner_ + block, signs.is_inner);
  }

  // reference::refit_sums, two 16-bit sums to a dword.
  void sum_places(int block) {
    Reg sums[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg rows[4] = {pixels(0, at), pixels(1, at), pixels(2, at), pixels(3, at)};
      sums[i] = place_sums(rows, index_signs(rows, at));
    }
    const Reg low01 = V::low32(sums[0], sums[1]), low23 = V::low32(sums[2], sums[3]);
    const Reg high01 = V::high32(sums[0], sums[1]), high23 = V::high32(sums[2], sums[3]);
    V::store(sums_[0] + block, V::by_dword(V::low64(low01, low23)));
    V::store(sums_[1] + block, V::by_dword(V::high64(low01, low23)));
    V::store(sums_[2] + block, V::by_dword(V::low64(high01, high23)));
    V::store(sums_[3] + block, V::by_dword(V::high64(high01, high23)));
  }

  // Eight 16-bit sums a lane: RefitSums::weighted, then plain.
  static Reg place_sums(const Reg (&rows)[4], const Signs& signs) {
    const Reg places = V::bit_xor(V::and_not(V::negative8(signs.nearer_colour1), V::all8(3)),
                                  V::bit_and(V::negative8(signs.is_inner), V::all8(1)));
    Reg weighted = V::zero(), plain = V::zero();
    for (int row = 0; row < 4; ++row) {
      const Reg place =
          V::shuffle8(places, V::lanes(_mm_set1_epi32(0x03020100 + row * 0x04040404)));
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

  // 16 bits to every second bit of 32.
  static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
  }

  void write(uint8_t* blocks) const {
    Dxt1Block out[kStripBlocks];
    for (int i = 0; i < strip_.blocks; ++i) {
      out[i].endpoints = endpoints_[i];
      out[i].indices = spread(nearer_colour1_[i]) | spread(is_inner_[i]) << 1;
    }
    for (uint64_t solid = solid_mask(); solid != 0; solid &= solid - 1) {
      const int i = std::countr_zero(solid);
      out[i] = solid_block(least_[i], greatest_[i], kOrder);
    }
    std::memcpy(blocks, out, kDxt1BlockBytes * static_cast<size_t>(strip_.blocks));
  }

  // A bit for each block with equal endpoints.
  uint64_t solid_mask() const {
    uint64_t mask = 0;
    for (int i = 0; i < strip_.blocks; i += kInts) {
      const Reg ends = V::load(endpoints_ + i);
      const Reg swapped =
          V::bit_or(V::template shift_left32<16>(ends), V::template shift_right32<16>(ends));
      mask |= uint64_t{V::equal_mask32(ends, swapped)} << i;
    }
    return mask;
  }

  const PixelStrip& strip_;
  alignas(64) uint32_t least_[kStripBlocks];
  alignas(64) uint32_t greatest_[kStripBlocks];
  alignas(64) uint32_t falls_[kStripBlocks];
  alignas(64) uint32_t endpoints_[kStripBlocks];
  alignas(64) uint32_t weights_[kStripBlocks];
  alignas(64) uint32_t middle_[kStripBlocks];
  alignas(64) uint32_t inner_[kStripBlocks];
  alignas(64) uint32_t sums_[4][kStripBlocks];
  alignas(64) uint16_t nearer_colour1_[kStripBlocks];
  alignas(64) uint16_t is_inner_[kStripBlocks];
};

template <class V>
void encode_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  if (strip.order == ChannelOrder::kRgba) {
    StripEncoder<V, ChannelOrder::kRgba>(strip).encode(refit, blocks);
  } else {
    StripEncoder<V, ChannelOrder::kBgra>(strip).encode(refit, blocks);
  }
}

template <class V>
void dxt1_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip<V>(strip, false, blocks);
}

template <class V>
void dxt1_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  encode_strip<V>(strip, true, blocks);
}

}  // namespace codecs
