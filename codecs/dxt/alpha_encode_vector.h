// Encodes alpha blocks (the first half of BC3) for any vector width, and assembles whole DXT5
// blocks. One 128-bit lane holds the sixteen values of one texel block. Work proceeds in groups of
// four vectors: a 4×4 transposition of dwords gives each vector one dword of every block.
#pragma once

#include <cstring>

#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// A group of four vectors: lane j of vector i holds texel block i · V::kLanes + j of the group. If
// one vector has a dword for every block, dword i of lane j belongs to that block. V::by_dword
// converts that order to block order, V::to_lanes converts back.
template <class V>
struct LaneGroup {
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  static constexpr int kBlocks = 4 * V::kLanes;
  static constexpr int kInts = V::kBytes / 4;
  static_assert(kStripGroup % kBlocks == 0 && kBlocks == kInts);

  static Ints ints(const uint32_t* from) {
    Ints value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }
  static void put(uint32_t* to, Ints value) { std::memcpy(to, &value, sizeof(value)); }

  // Reduces the four dwords in each lane with `Reduce`; results are in block order.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg reduce(const Reg (&v)[4]) {
    const Reg ab = Reduce(V::low32(v[0], v[1]), V::high32(v[0], v[1]));
    const Reg cd = Reduce(V::low32(v[2], v[3]), V::high32(v[2], v[3]));
    return V::by_dword(Reduce(V::low64(ab, cd), V::high64(ab, cd)));
  }

  // Fills each lane with its dword i.
  static Reg spread(Reg lanes, int i) {
    switch (i) {
      case 0:
        return V::template shuffle32<0x00>(lanes);
      case 1:
        return V::template shuffle32<0x55>(lanes);
      case 2:
        return V::template shuffle32<0xaa>(lanes);
      default:
        return V::template shuffle32<0xff>(lanes);
    }
  }

  static Reg in_lanes(const uint32_t* values) { return V::to_lanes(V::load(values)); }
};

// The alpha blocks of a strip. Call put_values, then put_ends, then encode.
template <class V>
class AlphaEncoder {
 public:
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  using Group = LaneGroup<V>;

  void put_values(int block, Reg values) { V::store(values_ + 16 * block, values); }
  Reg values(int block) const { return V::load(values_ + 16 * block); }

  void put_ends(int block, Ints high, Ints low) {
    const AlphaSearch<Ints> search = alpha_search<Ints>(high, low);
    Group::put(ends_ + block, high | low << 8);
    Group::put(high_ + block, in_each_byte(high));
    Group::put(bias_ + block, in_each_byte(search.bias));
    Group::put(multiplier_ + block, search.multiplier | search.multiplier << 16);
  }
  Ints ends(int block) const { return Group::ints(ends_ + block); }

  // The steps of all values of a group, equal to reference::alpha_steps.
  void find_steps(int block, Reg (&steps)[4]) const {
    const Reg high = Group::in_lanes(high_ + block);
    const Reg bias = Group::in_lanes(bias_ + block);
    const Reg multiplier = Group::in_lanes(multiplier_ + block);
    for (int i = 0; i < 4; ++i) {
      const Reg d = V::sub_saturate8(Group::spread(high, i), values(block + i * V::kLanes));
      const Reg half = Group::spread(bias, i), factor = Group::spread(multiplier, i);
      const Reg eight_and_one = V::all16(0x0108);
      const Reg upper =
          V::multiply_high16(V::multiply_pairs8(V::low8(d, half), eight_and_one), factor);
      const Reg lower =
          V::multiply_high16(V::multiply_pairs8(V::high8(d, half), eight_and_one), factor);
      steps[i] = V::min8(V::pack16_unsigned(upper, lower), V::all8(kAlphaSteps));
    }
  }

  // Lane j of pairs[k] holds the alpha blocks of lane j in vectors 2 · k and 2 · k + 1.
  void encode(int block, Reg (&pairs)[2]) const {
    Reg steps[4];
    find_steps(block, steps);
    const Reg ends = Group::in_lanes(ends_ + block);
    pairs[0] = V::bit_or(indices(steps[0], steps[1]), V::low32(ends, V::zero()));
    pairs[1] = V::bit_or(indices(steps[2], steps[3]), V::high32(ends, V::zero()));
  }

 private:
  static Ints in_each_byte(Ints byte) {
    const Ints twice = byte | byte << 8;
    return twice | twice << 16;
  }
  // Packs sixteen 3-bit indices from the third byte of each half of a lane on.
  static Reg indices(Reg first, Reg second) {
    const Reg bits12 = V::pack32(twelve_bits(first), twelve_bits(second));
    const Reg bits24 = V::multiply_pairs16(bits12, V::all32(4096 << 16 | 1));
    return V::shuffle8(bits24,
                       V::lanes(bytes128(-1, -1, 0, 1, 2, 4, 5, 6, -1, -1, 8, 9, 10, 12, 13, 14)));
  }
  static Reg twelve_bits(Reg steps) {
    const Reg index =
        V::shuffle8(V::lanes(bytes128(0, 2, 3, 4, 5, 6, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0)), steps);
    return V::multiply_pairs16(V::multiply_pairs8(index, V::all16(0x0801)), V::all32(64 << 16 | 1));
  }

  alignas(64) uint8_t values_[kStripBlocks * 16];
  alignas(64) uint32_t ends_[kStripBlocks];
  alignas(64) uint32_t high_[kStripBlocks];
  alignas(64) uint32_t bias_[kStripBlocks];
  alignas(64) uint32_t multiplier_[kStripBlocks];
};

// Stores the texel blocks of a group; the pairs are in the order of AlphaEncoder::encode.
template <class V>
void store_dxt5_group(const typename V::Reg (&alpha)[2], const typename V::Reg (&colours)[2],
                      uint8_t* blocks) {
  for (int i = 0; i < 2; ++i) {
    V::store(blocks + 2 * i * V::kBytes, V::low64(alpha[i], colours[i]));
    V::store(blocks + (2 * i + 1) * V::kBytes, V::high64(alpha[i], colours[i]));
  }
}

}  // namespace codecs
