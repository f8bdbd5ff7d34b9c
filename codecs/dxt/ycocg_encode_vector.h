// DXT5-YCoCg encoders for any vector width. A strip goes through several short passes, as in
// dxt1_encode_vector.h. First its pixels are converted to planes of Co, Cg and Y, one 128-bit lane
// per plane for the sixteen bytes of a texel block.
#pragma once

#include <bit>
#include <cstring>

#include "codecs/dxt/alpha_encode_vector.h"
#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt1_solid.h"
#include "codecs/dxt/ycocg_fit.h"
#include "codecs/simd/kernels.h"

namespace codecs {

template <class V, ChannelOrder kOrder>
class YCoCgStripEncoder {
 public:
  explicit YCoCgStripEncoder(const PixelStrip& strip) : strip_(strip) {}

  void encode(bool refit, uint8_t* blocks) {
    for (int i = 0; i < strip_.blocks; i += Group::kBlocks) convert(i);
    for (int i = 0; i < strip_.blocks; i += Group::kInts) fit_box(i);
    if (refit) {
      for (int i = 0; i < strip_.blocks; i += Group::kBlocks) sum_places(i);
      for (int i = 0; i < strip_.blocks; i += Group::kInts) fit_lines(i);
    }
    for (int i = 0; i < strip_.blocks; i += Group::kBlocks) write(i, blocks);
    write_solid(blocks);
  }

 private:
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  using Group = LaneGroup<V>;

  struct Planes {
    Reg co, cg, y;
  };

  // Converts to the bytes defined in ycocg_fit.h.
  Planes load(int block) const {
    const Reg by_channel = V::lanes(bytes128(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    Reg rows[4];
    for (int row = 0; row < 4; ++row) {
      rows[row] = V::shuffle8(V::load(strip_.rows[row] + block * ptrdiff_t{16}), by_channel);
    }
    const Reg low01 = V::low32(rows[0], rows[1]), low23 = V::low32(rows[2], rows[3]);
    const Reg channel0 = V::low64(low01, low23), green = V::high64(low01, low23);
    const Reg channel2 = V::low64(V::high32(rows[0], rows[1]), V::high32(rows[2], rows[3]));
    const Reg red = kOrder == ChannelOrder::kRgba ? channel0 : channel2;
    const Reg blue = kOrder == ChannelOrder::kRgba ? channel2 : channel0;

    const Reg all_bits = V::all8(-1);
    const Reg odd = V::bit_and(V::bit_xor(red, blue), V::all8(1));
    const Reg middle = V::sub8(V::average8(red, blue), odd);  // rounded down
    return {V::average8(red, V::bit_xor(blue, all_bits)),
            V::average8(green, V::bit_xor(middle, all_bits)), V::average8(middle, green)};
  }

  void convert(int block) {
    Reg least[4], greatest[4], products[4], sums[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Planes planes = load(at);
      V::store(co_ + 16 * at, planes.co);
      V::store(cg_ + 16 * at, planes.cg);
      luma_.put_values(at, planes.y);
      least[i] = extreme<V::min8>(planes);
      greatest[i] = extreme<V::max8>(planes);
      add_products(planes, products[i], sums[i]);
      for (int line = 0; line < V::kLanes; ++line) {
        __builtin_prefetch(strip_.ahead[i] + block * ptrdiff_t{16} + line * ptrdiff_t{64});
      }
    }
    V::store(least_ + block, Group::template reduce<V::min8>(least));
    V::store(greatest_ + block, Group::template reduce<V::max8>(greatest));
    put_covariance(block, Group::template reduce<V::add32>(products), sums);
  }

  // Extremes of Co, Cg and Y in the bytes of each lane's four dwords; the last byte is undefined.
  template <Reg (*Reduce)(Reg, Reg)>
  static Reg extreme(const Planes& planes) {
    const Reg chroma = Reduce(V::low8(planes.co, planes.cg), V::high8(planes.co, planes.cg));
    const Reg luma = Reduce(planes.y, V::template shift_right16<8>(planes.y));
    return Reduce(V::low16(chroma, luma), V::high16(chroma, luma));
  }

  // Parts of reference::covariance: products in four dwords; sums of Co in two, of Cg in two.
  static void add_products(const Planes& planes, Reg& products, Reg& sums) {
    const Reg ones8 = V::all8(1), ones16 = V::all16(1);
    const Reg co = V::bit_and(V::template shift_right16<1>(planes.co), V::all8(0x7f));
    const Reg cg = V::bit_xor(planes.cg, V::all8(INT8_MIN));
    products = V::multiply_pairs16(V::multiply_pairs8(co, cg), ones16);
    const Reg co_sums = V::multiply_pairs16(V::multiply_pairs8(co, ones8), ones16);
    const Reg cg_sums = V::multiply_pairs16(V::multiply_pairs8(ones8, cg), ones16);
    sums = V::multiply_pairs16(V::pack32(co_sums, cg_sums), ones16);
  }

  void put_covariance(int block, Reg products, const Reg (&sums)[4]) {
    constexpr int kApart = dword_order(3, 1, 2, 0);
    const Reg ones16 = V::all16(1);
    const Reg first =
        V::template shuffle32<kApart>(V::multiply_pairs16(V::pack32(sums[0], sums[1]), ones16));
    const Reg second =
        V::template shuffle32<kApart>(V::multiply_pairs16(V::pack32(sums[2], sums[3]), ones16));
    const Ints co = reinterpret_cast<Ints>(V::by_dword(V::low64(first, second)));
    const Ints cg = reinterpret_cast<Ints>(V::by_dword(V::high64(first, second)));
    Group::put(covariance_ + block, 16 * reinterpret_cast<Ints>(products) - co * cg);
  }

  void fit_box(int block) {
    const Ints least = Group::ints(least_ + block), greatest = Group::ints(greatest_ + block);
    const Ints scale = chroma_scale<Ints>(least, greatest);
    Group::put(scale_ + block, scale);
    const Ints chroma = box_chroma<Ints>(least, greatest, Group::ints(covariance_ + block), scale);
    put_ends(block, {chroma, box_luma<Ints>(least, greatest)});
  }

  void put_ends(int block, const YCoCgEnds<Ints>& ends) {
    Group::put(chroma_ + block, ends.chroma);
    const ChromaSearch<Ints> search = chroma_search<Ints>(ends.chroma, Group::ints(scale_ + block));
    Group::put(weights_ + block, search.weights);
    Group::put(middle_ + block, search.middle);
    Group::put(inner_ + block, search.inner);
    luma_.put_ends(block, ends.luma & 0xff, ends.luma >> 8);
  }

  // Byte masks per texel: nearer to colour1 than to colour0; inner index.
  struct Signs {
    Reg nearer_colour1;
    Reg is_inner;
  };
  void find_signs(int block, Signs (&signs)[4]) const {
    const Reg weights = Group::in_lanes(weights_ + block);
    const Reg middle = Group::in_lanes(middle_ + block);
    const Reg inner = Group::in_lanes(inner_ + block);
    for (int i = 0; i < 4; ++i) {
      const Reg co = V::load(co_ + 16 * (block + i * V::kLanes));
      const Reg cg = V::load(cg_ + 16 * (block + i * V::kLanes));
      const Reg weight = Group::spread(weights, i);
      const Reg zero = Group::spread(middle, i), limit = Group::spread(inner, i);
      const Reg upper = V::sub16(V::multiply_pairs8(V::low8(co, cg), weight), zero);
      const Reg lower = V::sub16(V::multiply_pairs8(V::high8(co, cg), weight), zero);
      signs[i] = {V::negative8(V::pack16(upper, lower)),
                  V::pack16(V::greater16(limit, V::absolute16(upper)),
                            V::greater16(limit, V::absolute16(lower)))};
    }
  }

  void write(int block, uint8_t* blocks) const {
    Signs signs[4];
    find_signs(block, signs);
    Reg rows[4];  // the indices of a row in the low byte of a dword
    for (int i = 0; i < 4; ++i) {
      const Reg indices = V::bit_or(V::bit_and(signs[i].nearer_colour1, V::all8(1)),
                                    V::bit_and(signs[i].is_inner, V::all8(2)));
      rows[i] = V::multiply_pairs16(V::multiply_pairs8(indices, V::all16(0x0401)),
                                    V::all32(16 << 16 | 1));
    }
    const Reg indices =
        V::pack16_unsigned(V::pack32(rows[0], rows[1]), V::pack32(rows[2], rows[3]));
    const Reg ends = Group::in_lanes(chroma_ + block);
    const Reg colours[2] = {V::low32(ends, indices), V::high32(ends, indices)};
    Reg alpha[2];
    luma_.encode(block, alpha);
    store_dxt5_group<V>(alpha, colours, blocks + kDxt5BlockBytes * static_cast<size_t>(block));
  }

  // Replaces the blocks that have equal endpoints by better ones.
  void write_solid(uint8_t* blocks) const {
    for (int i = 0; i < strip_.blocks; i += Group::kInts) {
      const Reg ends = V::load(chroma_ + i);
      const Reg swapped =
          V::bit_or(V::template shift_left32<16>(ends), V::template shift_right32<16>(ends));
      for (uint32_t solid = V::equal_mask32(ends, swapped); solid != 0; solid &= solid - 1) {
        const int at = i + std::countr_zero(solid);
        const Dxt1Block block = solid_chroma(least_[at], greatest_[at], scale_[at]);
        std::memcpy(blocks + kDxt5BlockBytes * static_cast<size_t>(at) + 8, &block, sizeof(block));
      }
    }
  }

  // The sums of YCoCgSums, two 16-bit numbers per dword.
  void sum_places(int block) {
    Signs signs[4];
    find_signs(block, signs);
    Reg steps[4];
    luma_.find_steps(block, steps);
    Reg sums[4], luma[4];
    for (int i = 0; i < 4; ++i) {
      const int at = block + i * V::kLanes;
      const Reg p = V::bit_xor(V::and_not(signs[i].nearer_colour1, V::all8(3)),
                               V::bit_and(signs[i].is_inner, V::all8(1)));
      const Reg co = V::load(co_ + 16 * at), cg = V::load(cg_ + 16 * at);
      const Reg q = steps[i], y = luma_.values(at), ones = V::all8(1);
      sums[i] = V::pack32(sum4(sum2(V::multiply_pairs8(co, p), V::multiply_pairs8(cg, p)),
                               sum2(V::multiply_pairs8(p, p), V::multiply_pairs8(p, ones))),
                          sum4(sum2(V::multiply_pairs8(co, ones), V::multiply_pairs8(cg, ones)),
                               sum2(V::multiply_pairs8(y, q), V::multiply_pairs8(q, q))));
      luma[i] = sum2(V::multiply_pairs8(q, ones), V::multiply_pairs8(y, ones));
    }
    V::store(sums_[4] + block,
             V::by_dword(V::pack32(sum4(luma[0], luma[1]), sum4(luma[2], luma[3]))));
    const Reg low01 = V::low32(sums[0], sums[1]), low23 = V::low32(sums[2], sums[3]);
    const Reg high01 = V::high32(sums[0], sums[1]), high23 = V::high32(sums[2], sums[3]);
    V::store(sums_[0] + block, V::by_dword(V::low64(low01, low23)));
    V::store(sums_[1] + block, V::by_dword(V::high64(low01, low23)));
    V::store(sums_[2] + block, V::by_dword(V::low64(high01, high23)));
    V::store(sums_[3] + block, V::by_dword(V::high64(high01, high23)));
  }
  // Eight words: four sums of a, then four of b; all stay below 2^15.
  static Reg sum2(Reg a, Reg b) {
    return V::pack32(V::multiply_pairs16(a, V::all16(1)), V::multiply_pairs16(b, V::all16(1)));
  }
  // Four dwords: the two sums of a, then the two of b.
  static Reg sum4(Reg a, Reg b) { return V::multiply_pairs16(sum2(a, b), V::all16(1)); }

  static Ints first(Ints pair) { return pair & 0xffff; }
  static Ints second(Ints pair) { return pair >> 16; }

  void fit_lines(int block) {
    Ints pairs[5];
    for (int i = 0; i < 5; ++i) pairs[i] = Group::ints(sums_[i] + block);
    const YCoCgSums<Ints> sums{first(pairs[0]), second(pairs[0]), first(pairs[1]), second(pairs[1]),
                               first(pairs[2]), second(pairs[2]), first(pairs[3]), second(pairs[3]),
                               first(pairs[4]), second(pairs[4])};
    put_ends(block, refit_ycocg<Ints>({Group::ints(chroma_ + block), luma_.ends(block)}, sums,
                                      Group::ints(scale_ + block)));
  }

  const PixelStrip& strip_;
  AlphaEncoder<V> luma_;
  alignas(64) uint8_t co_[kStripBlocks * 16];
  alignas(64) uint8_t cg_[kStripBlocks * 16];
  alignas(64) uint32_t least_[kStripBlocks];
  alignas(64) uint32_t greatest_[kStripBlocks];
  alignas(64) uint32_t covariance_[kStripBlocks];
  alignas(64) uint32_t scale_[kStripBlocks];
  alignas(64) uint32_t chroma_[kStripBlocks];
  alignas(64) uint32_t weights_[kStripBlocks];
  alignas(64) uint32_t middle_[kStripBlocks];
  alignas(64) uint32_t inner_[kStripBlocks];
  alignas(64) uint32_t sums_[5][kStripBlocks];
};

template <class V>
void ycocg_encode_strip(const PixelStrip& strip, bool refit, uint8_t* blocks) {
  if (strip.order == ChannelOrder::kRgba) {
    YCoCgStripEncoder<V, ChannelOrder::kRgba>(strip).encode(refit, blocks);
  } else {
    YCoCgStripEncoder<V, ChannelOrder::kBgra>(strip).encode(refit, blocks);
  }
}

template <class V>
void ycocg_encode_fast(const PixelStrip& strip, uint8_t* blocks) {
  ycocg_encode_strip<V>(strip, false, blocks);
}

template <class V>
void ycocg_encode_good(const PixelStrip& strip, uint8_t* blocks) {
  ycocg_encode_strip<V>(strip, true, blocks);
}

}  // namespace codecs
