// DXT1 encoders of 4:2:0 for any vector width. A dword holds a block, or a block's part of a row of
// luma (Y, Y, Y, Y) or of chroma (Cb, Cr, Cb, Cr), so only the last pass moves samples between
// dwords. The passes are as in dxt1_encode_vector.h.
#pragma once

#include <bit>
#include <cstring>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_endpoints_vector.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/dxt1_yuv_fit.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// A matrix's gains, in every word. to_luma is in every dword; to_cb and to_cr have a pair of gains
// in every dword.
template <class V>
struct YuvGains {
  using Reg = typename V::Reg;

  explicit YuvGains(const YuvMatrix& m)
      : luma(V::all16(static_cast<int16_t>(m.luma))),
        luma_offset(V::all16(m.luma_offset)),
        cr_to_red(V::all16(m.cr_to_red)),
        cb_to_green(V::all16(m.cb_to_green)),
        cr_to_green(V::all16(m.cr_to_green)),
        cb_to_blue(V::all16(m.cb_to_blue)),
        to_luma(V::all32(luma_gain(m))),
        to_cb(V::bit_or(V::bit_and(cb_to_blue, V::all32(0xffff)),
                        V::template shift_left32<16>(cb_to_green))),
        to_cr(V::bit_or(V::bit_and(cr_to_red, V::all32(0xffff)),
                        V::template shift_left32<16>(cr_to_green))) {}

  Reg luma, luma_offset, cr_to_red, cb_to_green, cr_to_green, cb_to_blue;
  Reg to_luma, to_cb, to_cr;  // gains from red, green and blue to Y, Cb and Cr
};

template <class V, bool kInterleaved>
class YuvStripEncoder {
 public:
  YuvStripEncoder(const YuvStrip& strip, const YuvMatrix& matrix)
      : strip_(strip), matrix_(matrix), gains_(matrix) {}

  void encode(uint8_t* blocks) {
    bool flat = strip_.blocks > 0;
    for (int i = 0; i < strip_.blocks; i += kGroup) {
      find_box(i);
      flat &= is_flat(i, 0);
    }
    if (flat) return fill(0, strip_.blocks, blocks);
    fit(0);
    uint64_t solid = 0;
    for (int i = 0; i < strip_.blocks; i += kGroup) {
      if (i + kGroup < strip_.blocks) fit(i + kGroup);
      solid |= uint64_t{write(i, blocks)} << i;
    }
    write_solid(solid, blocks);
  }

 private:
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  static constexpr int kGroup = V::kBytes / 4;
  static_assert(kStripGroup % kGroup == 0 && kStripBlocks <= 64);

  static Reg reg(Ints value) { return reinterpret_cast<Reg>(value); }
  static Ints ints(Reg value) { return reinterpret_cast<Ints>(value); }

  Reg luma(int row, int block) const { return V::load(strip_.luma[row] + block * ptrdiff_t{4}); }

  Reg gather_chroma(int row, int block) {
    if constexpr (kInterleaved) {
      return V::load(strip_.cb[row] + block * ptrdiff_t{4});
    } else {
      const Reg cb = V::load_widened(strip_.cb[row] + block * ptrdiff_t{2});
      const Reg cr = V::load_widened(strip_.cr[row] + block * ptrdiff_t{2});
      const Reg chroma = V::bit_or(cb, V::template shift_left16<8>(cr));
      V::store(chroma_[row] + block, chroma);
      return chroma;
    }
  }
  Reg chroma(int row, int block) const {
    if constexpr (kInterleaved) {
      return V::load(strip_.cb[row] + block * ptrdiff_t{4});
    } else {
      return V::load(chroma_[row] + block);
    }
  }

  // A block's extremes as Y, 0, Cb, Cr.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg reduce(const Reg (&rows)[4], Reg chroma0, Reg chroma1) {
    Reg y = Reduce(Reduce(rows[0], rows[1]), Reduce(rows[2], rows[3]));
    y = Reduce(y, V::template shift_right32<16>(y));
    y = Reduce(y, V::template shift_right32<8>(y));
    Reg c = Reduce(chroma0, chroma1);
    c = Reduce(c, V::template shift_left32<16>(c));
    return V::bit_or(V::bit_and(y, V::all32(0xff)),
                     V::bit_and(c, V::all32(static_cast<int32_t>(0xffff0000))));
  }

  // The four samples of a block, two words for each row of chroma.
  struct Samples {
    Reg upper;
    Reg lower;
  };

  // Deviations of the samples from their mean, times four.
  static Samples deviations(const Samples& s) {
    const Reg sum = both_words<V>(V::multiply_pairs16(V::add16(s.upper, s.lower), V::all16(1)));
    return {V::sub16(V::template shift_left16<2>(s.upper), sum),
            V::sub16(V::template shift_left16<2>(s.lower), sum)};
  }

  // reference::covariance
  static Reg covariance(const Samples& deviations, const Samples& s) {
    return V::add32(V::multiply_pairs16(deviations.upper, s.upper),
                    V::multiply_pairs16(deviations.lower, s.lower));
  }

  // Bytes that are negative if Cr falls against Cb (byte 1), Cb or Cr against luma (2, 3).
  static Reg falls(const Reg (&rows)[4], Reg chroma0, Reg chroma1) {
    const Reg low_bytes = V::all16(0xff), ones = V::all8(1);
    const Samples y = {V::multiply_pairs8(V::average8(rows[0], rows[1]), ones),
                       V::multiply_pairs8(V::average8(rows[2], rows[3]), ones)};
    const Samples cb = {V::bit_and(chroma0, low_bytes), V::bit_and(chroma1, low_bytes)};
    const Samples cr = {V::template shift_right16<8>(chroma0),
                        V::template shift_right16<8>(chroma1)};
    const Samples over_mean = deviations(y);
    const Reg by_cb =
        V::bit_and(V::template shift_right32<16>(covariance(deviations(cb), cr)), V::all32(0x8000));
    const Reg cb_by_luma =
        V::bit_and(V::template shift_right32<8>(covariance(over_mean, cb)), V::all32(0x800000));
    const Reg cr_by_luma =
        V::bit_and(covariance(over_mean, cr), V::all32(static_cast<int32_t>(0x80000000)));
    return V::bit_or(by_cb, V::bit_or(cb_by_luma, cr_by_luma));
  }

  void find_box(int block) {
    const Reg rows[4] = {luma(0, block), luma(1, block), luma(2, block), luma(3, block)};
    const Reg chroma0 = gather_chroma(0, block), chroma1 = gather_chroma(1, block);
    V::store(least_ + block, reduce<V::min8>(rows, chroma0, chroma1));
    V::store(greatest_ + block, reduce<V::max8>(rows, chroma0, chroma1));
    V::store(falls_ + block, falls(rows, chroma0, chroma1));
  }

  // 0xff in the bytes of Cb and Cr if the component falls against luma on the diagonal.
  static Reg fallen_chroma(Reg falls, Reg range) {
    const Reg by_luma = V::negative8(falls);
    // Results are in Cr's byte, the highest.
    const Reg by_cb =
        V::bit_xor(V::template shift_left32<8>(by_luma), V::template shift_left32<16>(by_luma));
    const Reg luma = V::template shift_left32<24>(range);
    const Reg least = V::min8(range, V::template shift_left32<8>(range));
    const Reg luma_counts = V::bit_or(V::equal8(V::max8(luma, least), luma), V::all32(0xffffff));
    return V::bit_and(V::bit_or(V::bit_and(luma_counts, by_luma), V::and_not(luma_counts, by_cb)),
                      V::all32(static_cast<int32_t>(0xffff0000)));
  }

  // reference::sums_of for both ends of a diagonal, the first in the low word.
  struct Sums {
    Reg at[3];
  };
  Sums sums_of(Reg first, Reg second) const {
    const Reg y =
        V::bit_or(V::bit_and(first, V::all32(0xff)), V::template shift_left32<16>(second));
    const Reg luma =
        V::add16(V::multiply_high16(V::bit_or(y, V::template shift_left16<8>(y)), gains_.luma),
                 gains_.luma_offset);
    const Reg chroma =
        V::bit_xor(V::bit_or(V::template shift_right32<16>(first),
                             V::bit_and(second, V::all32(static_cast<int32_t>(0xffff0000)))),
                   V::all8(-128));
    const Reg u = V::template shift_left16<8>(chroma);
    const Reg v = V::bit_and(chroma, V::all16(static_cast<int16_t>(0xff00)));
    const Reg green = V::add16(V::multiply_round16(u, gains_.cb_to_green),
                               V::multiply_round16(v, gains_.cr_to_green));
    return {{V::add_saturate16(luma, V::multiply_round16(u, gains_.cb_to_blue)),
             V::add_saturate16(luma, green),
             V::add_saturate16(luma, V::multiply_round16(v, gains_.cr_to_red))}};
  }

  static Reg quantise(Reg sums, int16_t gain) {
    const Reg levels = V::template shift_right16_signed<6>(sums);
    const Reg limited = V::low8(V::pack16_unsigned(levels, levels), V::zero());
    return V::multiply_round16(limited, V::all16(gain));
  }

  // The weights of a block in a dword; `start` and `steps` in both words.
  struct Axis {
    Reg weights;
    Reg start;
    Reg steps;
  };

  // reference::axis_of; `first`: the YUV ends that belong to the low words of bits and sums.
  Axis axis_of(const Reg (&bits)[3], const Sums& sums, Reg first) const {
    Reg spans[3], words[3], square = V::zero(), error = V::zero();
    for (int c = 0; c < 3; ++c) {
      spans[c] = V::multiply_pairs16(bits[c], V::all32(kSpanUnit[c] - kSpanUnit[c] * 65536));
      words[c] = V::bit_and(spans[c], V::all32(0xffff));
      const Reg beyond = V::sub_saturate16(
          V::multiply16(bits[c], V::all16(static_cast<int16_t>(kLevelUnit[c]))), sums.at[c]);
      square = V::add32(square, V::multiply_pairs16(words[c], words[c]));
      error = V::add32(error, V::multiply_pairs16(words[c], beyond));
    }
    const Reg green = V::template shift_left32<16>(spans[1]);
    const Reg sum = V::add32(V::add32(spans[0], spans[1]), spans[2]);
    const Reg y = V::multiply_pairs16(sum, gains_.to_luma);
    const Reg cb = V::multiply_pairs16(V::bit_or(words[0], green), gains_.to_cb);
    const Reg cr = V::multiply_pairs16(V::bit_or(words[2], green), gains_.to_cr);
    const Reg magnitudes =
        V::add32(V::add32(V::absolute32(y), V::absolute32(cb)), V::absolute32(cr));
    const auto length = floats(V::max32(magnitudes, V::all32(1)));
    const auto scale = kSumOfWeights / length;
    const Reg weights = weight_bytes(biased(y, scale), biased(cb, scale), biased(cr, scale));
    const Reg at_end = V::multiply_pairs16(V::multiply_pairs8(first, weights), V::all16(1));
    const Reg start = V::pack32(
        V::add32(at_end, reg(to_ints<Ints>(floats(error) * (scale * kYuvErrorScale)))), V::zero());
    const Reg steps =
        reg(to_ints<Ints>(kYuvStepScale * length / floats(V::max32(square, V::all32(1))) + 0.5F));
    return {weights, V::low16(start, start), both_words<V>(steps)};
  }

  static Floats<Ints> floats(Reg value) { return to_floats(ints(value)); }
  static Reg biased(Reg product, Floats<Ints> scale) {
    return reg(to_ints<Ints>(floats(product) * scale + 128.5F));
  }
  static Reg weight_bytes(Reg y, Reg cb, Reg cr) {
    const Reg biased =
        V::bit_or(y, V::bit_or(V::template shift_left32<16>(cb), V::template shift_left32<24>(cr)));
    return V::bit_xor(biased, V::all32(static_cast<int32_t>(0x80800080)));
  }

  void fit(int block) {
    const Reg least = V::load(least_ + block), greatest = V::load(greatest_ + block);
    const Reg range = V::sub8(greatest, least);
    const Reg inset =
        V::bit_and(V::template shift_right16<kInsetShift>(range), V::all8(0xff >> kInsetShift));
    const Reg low = V::add8(least, inset), high = V::sub8(greatest, inset);
    const Reg swap =
        V::bit_and(V::bit_xor(low, high), fallen_chroma(V::load(falls_ + block), range));
    const Reg first = V::bit_xor(high, swap);
    const Sums sums = sums_of(first, V::bit_xor(low, swap));
    const Reg bits[3] = {quantise(sums.at[0], kTo5Bits), quantise(sums.at[1], kTo6Bits),
                         quantise(sums.at[2], kTo5Bits)};
    const Axis axis = axis_of(bits, sums, first);
    V::store(weights_ + block, axis.weights);
    V::store(start_ + block, axis.start);
    V::store(steps_ + block, axis.steps);
    store_endpoints(block, V::bit_or(bits[0], V::bit_or(V::template shift_left16<5>(bits[1]),
                                                        V::template shift_left16<11>(bits[2]))));
  }

  void store_endpoints(int block, Reg colours) {
    const Reg a = V::bit_and(colours, V::all32(0xffff)), b = V::template shift_right32<16>(colours);
    V::store(endpoints_ + block,
             V::bit_or(V::max32(a, b), V::template shift_left32<16>(V::min32(a, b))));
    const Reg rises = V::template shift_right32<31>(V::sub32(a, b));
    V::store(flips_ + block, V::bit_and(V::sub32(V::zero(), rises), V::all32(0x55555555)));
  }

  // The distance without chroma's share, for the luma of rows 2 · i and 2 · i + 1: one word per
  // pair of pixels that shares a chroma sample.
  Reg rest(int i, int block, Reg weights, Reg start) const {
    return V::sub_saturate16(start, V::multiply_pairs8(chroma(i, block), weights));
  }

  // Sixteen steps of left or of right pixels per lane, eight of each row.
  static Reg steps(Reg rest0, Reg luma0, Reg rest1, Reg luma1, Reg weights, Reg scale) {
    const Reg t0 = V::sub_saturate16(rest0, V::multiply_pairs8(luma0, weights));
    const Reg t1 = V::sub_saturate16(rest1, V::multiply_pairs8(luma1, weights));
    return V::min8(V::pack16_unsigned(V::multiply_high16_signed(t0, scale),
                                      V::multiply_high16_signed(t1, scale)),
                   V::all8(15));
  }

  // A word with the eight index bits of a row from the left and right pixels' steps.
  static Reg row_indices(Reg left, Reg right) {
    const Reg table = V::lanes(load128(kIndexOfStep));
    return V::add16(V::multiply_pairs8(V::shuffle8(table, left), V::all16(0x1001)),
                    V::multiply_pairs8(V::shuffle8(table, right), V::all16(0x4004)));
  }

  // All indices of a block in its dword.
  Reg indices(int block) const {
    const Reg weights = V::load(weights_ + block), scale = V::load(steps_ + block);
    const Reg start = V::load(start_ + block);
    const Reg left = V::shuffle8(
        weights, V::lanes(bytes128(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1)));
    const Reg right = V::template shift_left16<8>(left);
    const Reg both = V::shuffle8(
        weights, V::lanes(bytes128(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15)));
    const Reg upper = rest(0, block, both, start), lower = rest(1, block, both, start);
    const Reg row0 = luma(0, block), row1 = luma(1, block);
    const Reg row2 = luma(2, block), row3 = luma(3, block);
    const Reg even = row_indices(steps(upper, row0, lower, row2, left, scale),
                                 steps(upper, row0, lower, row2, right, scale));
    const Reg odd = row_indices(steps(upper, row1, lower, row3, left, scale),
                                steps(upper, row1, lower, row3, right, scale));
    const Reg halves = V::bit_or(even, V::template shift_left16<8>(odd));
    return V::shuffle8(halves,
                       V::lanes(bytes128(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)));
  }

  // Whether the whole group has the single colour of block `like`.
  bool is_flat(int block, int like) const {
    const Reg colour = V::all32(static_cast<int32_t>(least_[like]));
    const uint32_t least = V::equal_mask32(V::load(least_ + block), colour);
    const uint32_t greatest = V::equal_mask32(V::load(greatest_ + block), colour);
    return (least & greatest) == (uint32_t{1} << kGroup) - 1;
  }

  Dxt1Block solid(int block) const {
    const uint32_t middle = middle_of(least_[block], greatest_[block], matrix_);
    return solid_block(middle, middle, ChannelOrder::kBgra);
  }

  // Blocks of a single colour are frequent in slides and desktops: encodes one and copies it.
  void fill(int block, int count, uint8_t* to) const {
    const Dxt1Block one = solid(block);
    for (int i = 0; i < count; ++i, to += kDxt1BlockBytes) std::memcpy(to, &one, sizeof(one));
  }

  // Writes the group's blocks. Returns a mask of blocks with equal endpoints, which write_solid()
  // must replace; 0 if the whole group has one colour.
  uint32_t write(int block, uint8_t* blocks) const {
    uint8_t* to = blocks + kDxt1BlockBytes * static_cast<size_t>(block);
    if (is_flat(block, block)) {
      fill(block, kGroup, to);
      return 0;
    }
    const Reg endpoints = V::load(endpoints_ + block);
    const Reg low = V::qwords_to_lanes(endpoints);
    const Reg high = V::qwords_to_lanes(V::bit_xor(indices(block), V::load(flips_ + block)));
    V::store(to, V::low32(low, high));
    V::store(to + V::kBytes, V::high32(low, high));
    const Reg swapped = V::bit_or(V::template shift_left32<16>(endpoints),
                                  V::template shift_right32<16>(endpoints));
    return V::equal_mask32(endpoints, swapped);
  }

  // Runs once per strip: the number of such blocks is unpredictable.
  void write_solid(uint64_t mask, uint8_t* blocks) const {
    for (; mask != 0; mask &= mask - 1) {
      const int i = std::countr_zero(mask);
      const Dxt1Block one = solid(i);
      std::memcpy(blocks + kDxt1BlockBytes * static_cast<size_t>(i), &one, sizeof(one));
    }
  }

  // Copied, because writes through `blocks` might change the originals as far as compilers know.
  const YuvStrip strip_;
  const YuvMatrix matrix_;
  const YuvGains<V> gains_;
  alignas(64) uint32_t chroma_[2][kStripBlocks];  // Cb, Cr, Cb, Cr
  alignas(64) uint32_t least_[kStripBlocks];
  alignas(64) uint32_t greatest_[kStripBlocks];
  alignas(64) uint32_t falls_[kStripBlocks];
  alignas(64) uint32_t endpoints_[kStripBlocks];
  alignas(64) uint32_t flips_[kStripBlocks];
  alignas(64) uint32_t weights_[kStripBlocks];
  alignas(64) uint32_t start_[kStripBlocks];  // start_ and steps_ are in both words
  alignas(64) uint32_t steps_[kStripBlocks];
};

template <class V>
void dxt1_encode_nv12(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks) {
  YuvStripEncoder<V, true>(strip, matrix).encode(blocks);
}

template <class V>
void dxt1_encode_i420(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks) {
  YuvStripEncoder<V, false>(strip, matrix).encode(blocks);
}

}  // namespace codecs
