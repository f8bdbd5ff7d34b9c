// The DXT1 encoders for any vector width: one 128-bit lane holds one row of one texel block. A
// strip goes through several short passes, whose arrays stay in the first-level cache: pixels to
// extremes, extremes to endpoints (many blocks in a vector), pixels to indices. One long pass would
// wait for each block's endpoints.
#pragma once

#include <cstring>

#include "codecs/dxt1.h"
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
    for (int i = 0; i < strip_.blocks; ++i) {
      endpoints_[i] = box_endpoints(least_[i], greatest_[i], (falls_[i] & 0x80) != 0,
                                    (falls_[i] & 0x800000) != 0, kOrder);
    }
    prepare_search();
    if (refit) {
      for (int i = 0; i < strip_.blocks; i += kGroup) sum_places(i);
      for (int i = 0; i < strip_.blocks; ++i) {
        endpoints_[i] = refit_endpoints(endpoints_[i], refit_sums(i), kOrder);
      }
      prepare_search();
    }
    for (int i = 0; i < strip_.blocks; i += V::kLanes) find_indices(i);
    write(blocks);
  }

 private:
  using Reg = typename V::Reg;
  // Blocks of four vectors: a 4×4 transposition of dwords gives each of them one dword.
  static constexpr int kGroup = 4 * V::kLanes;
  static_assert(kStripGroup % kGroup == 0);

  Reg pixels(int row, int block) const { return V::load(strip_.rows[row] + block * ptrdiff_t{16}); }

  // The four bytes of each channel side by side.
  static Reg by_channel(Reg pixels) {
    return V::shuffle8(
        pixels, V::lanes(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)));
  }

  // Of four dwords in each lane, the one that `Reduce` leaves, in the order of the blocks.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg reduce_lanes(const Reg (&v)[4]) {
    const Reg ab = Reduce(V::low32(v[0], v[1]), V::high32(v[0], v[1]));
    const Reg cd = Reduce(V::low32(v[2], v[3]), V::high32(v[2], v[3]));
    return V::by_dword(Reduce(V::low64(ab, cd), V::high64(ab, cd)));
  }

  // reference::falls_against_green: eight times the covariance, one dword a channel.
  static Reg covariance_with_green(Reg row0, Reg row1, Reg row2, Reg row3) {
    const Reg seven_bits = V::all8(0x7f);
    const Reg upper = V::bit_and(V::template shift_right16<1>(V::average8(row0, row1)), seven_bits);
    const Reg lower = V::bit_and(V::template shift_right16<1>(V::average8(row2, row3)), seven_bits);
    const Reg upper_channels = by_channel(upper);
    const Reg lower_channels = by_channel(lower);
    const Reg ones16 = V::all16(1);
    const Reg products = V::add32(
        V::multiply_pairs16(V::multiply_pairs8(upper_channels, green(upper_channels)), ones16),
        V::multiply_pairs16(V::multiply_pairs8(lower_channels, green(lower_channels)), ones16));
    const Reg ones8 = V::all8(1);
    const Reg sums = V::multiply_pairs16(V::add16(V::multiply_pairs8(upper_channels, ones8),
                                                  V::multiply_pairs8(lower_channels, ones8)),
                                         ones16);
    return V::sub32(V::template shift_left32<3>(products), V::multiply_pairs16(sums, green(sums)));
  }
  static Reg green(Reg channels) { return V::template shuffle32<0x55>(channels); }

  void find_extremes(int block) {
    Reg least[4], greatest[4], covariance[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg row0 = pixels(0, at), row1 = pixels(1, at);
      const Reg row2 = pixels(2, at), row3 = pixels(3, at);
      least[i] = V::min8(V::min8(row0, row1), V::min8(row2, row3));
      greatest[i] = V::max8(V::max8(row0, row1), V::max8(row2, row3));
      covariance[i] = covariance_with_green(row0, row1, row2, row3);
      for (int line = 0; line < V::kLanes; ++line) {
        __builtin_prefetch(strip_.ahead[i] + block * ptrdiff_t{16} + line * ptrdiff_t{64});
      }
    }
    V::store(least_ + block, reduce_lanes<V::min8>(least));
    V::store(greatest_ + block, reduce_lanes<V::max8>(greatest));
    const Reg signs =
        V::pack16(V::pack32(covariance[0], covariance[1]), V::pack32(covariance[2], covariance[3]));
    V::store(falls_ + block, V::by_dword(signs));
  }

  void prepare_search() {
    for (int i = 0; i < strip_.blocks; ++i) {
      const IndexSearch search = index_search(endpoints_[i], kOrder);
      weights_[i] = search.weights;
      middle_[i] = search.middle;
      inner_[i] = search.inner;
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

  static int32_t low(uint32_t pair) { return static_cast<int32_t>(pair & 0xffff); }
  static int32_t high(uint32_t pair) { return static_cast<int32_t>(pair >> 16); }

  RefitSums refit_sums(int i) const {
    return {{low(sums_[0][i]), high(sums_[0][i]), low(sums_[1][i]), high(sums_[1][i])},
            {low(sums_[2][i]), high(sums_[2][i]), low(sums_[3][i]), high(sums_[3][i])}};
  }

  // 16 bits to every second bit of 32.
  static uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
  }

  void write(uint8_t* blocks) const {
    uint32_t solid = 0;
    Dxt1Block out[kStripBlocks];
    for (int i = 0; i < strip_.blocks; ++i) {
      out[i].endpoints = endpoints_[i];
      out[i].indices = spread(nearer_colour1_[i]) | spread(is_inner_[i]) << 1;
      solid |= is_solid(endpoints_[i]);
    }
    for (int i = 0; solid != 0 && i < strip_.blocks; ++i) {
      if (is_solid(out[i].endpoints)) out[i] = solid_block(least_[i], greatest_[i], kOrder);
    }
    std::memcpy(blocks, out, kDxt1BlockBytes * static_cast<size_t>(strip_.blocks));
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
