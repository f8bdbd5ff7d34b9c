// Cleanup encoder for any vector width; writes the bytes of ht_encode_reference.cpp. Vectors with
// one dword per quad compute significance, exponents, contexts and bounds of all quads of a row.
// Only quads with bits to write are then processed one by one, in 64-bit words. Bits are stuffed at
// the end, seven bytes at a time.
#pragma once

#include "codecs/ht/ht_kernels.h"
#include "codecs/ht/ht_writers.h"

namespace codecs {

template <class V>
class HtVectorEncoder {
 public:
  HtVectorEncoder(const HtBlock<const int16_t>& block, uint8_t* out)
      : block_(block), out_(out), quads_((block.width + 1) / 2) {
    vlc_.put(0xf, 4);
  }

  size_t encode() {
    const Columns width = columns();
    clear(above_, width);
    for (int y = 0; y < block_.height; y += 2) {
      read_row(y, 0, width);
      read_row(y + 1, 1, width);
      y == 0 ? find_quads<true>() : find_quads<false>();
      y == 0 ? put_first_row() : put_row();
      put_samples();
      above_ ^= 1;
    }
    return any_ ? finish() : 0;
  }

 private:
  using Reg = typename V::Reg;
  static constexpr int kQuads = V::kBytes / 4;    // per vector
  static constexpr int kSamples = V::kBytes / 2;  // per vector
  static constexpr int kMargin = 32;
  static constexpr int kRow = kMargin + kHtMostSide + 2 * kMargin;
  static constexpr int kMostQuads = kHtMostSide / 2 + 32;
  static constexpr int kWord = 64;  // quads per mask
  static constexpr size_t kMostMagSgnBits = size_t{kHtMostSamples} * 15 + 64;
  static constexpr size_t kMostVlcBits = size_t{kHtMostSamples} / 4 * 15 + 256;
  using VlcBits = UnstuffedBits<V, kMostVlcBits>;
  using MagSgnBits = UnstuffedBits<V, kMostMagSgnBits>;

  using Columns = int;
  Columns columns() const { return (block_.width + kSamples - 1) / kSamples * kSamples; }

  // Rows of doubled magnitudes minus one, 0 for 0: the upper row of the quads, their lower row, and
  // the lower row of the quads above.
  uint16_t* upper() { return doubled_[2] + kMargin; }
  uint16_t* lower() { return doubled_[above_ ^ 1] + kMargin; }
  uint16_t* above() { return doubled_[above_] + kMargin; }

  void clear(int row, Columns width) {
    std::memset(doubled_[row], 0, sizeof(uint16_t) * static_cast<size_t>(width + 3 * kMargin));
  }

  void read_row(int y, int half, Columns width) {
    uint16_t* const to = half == 0 ? upper() : lower();
    to[-2] = to[-1] = 0;
    std::memset(to + width, 0, kMargin);
    if (y >= block_.height) {
      std::memset(to, 0, sizeof(uint16_t) * static_cast<size_t>(width));
      return;
    }
    const int16_t* from = block_.samples + block_.stride * y;
    const int whole = block_.width / kSamples * kSamples;
    for (int x = 0; x < whole; x += kSamples) read(V::load(from + x), to + x, values_[half] + x);
    if (whole == block_.width) return;
    read(V::load_some16(from + whole, block_.width - whole), to + whole, values_[half] + whole);
  }
  static void read(Reg sample, uint16_t* doubled, uint16_t* values) {
    const Reg magnitude = V::absolute16(sample);
    const Reg one_less = V::sub_saturate16_unsigned(V::add16(magnitude, magnitude), V::all16(1));
    const Reg negative = V::template shift_right16_signed<15>(sample);
    V::store(doubled, one_less);
    V::store(values, V::sub16(V::sub16(one_less, V::all16(1)), negative));
  }

  // 1 in each half of a dword that is not 0.
  static Reg flags(Reg a) { return V::min16(a, V::all16(1)); }
  static Reg low_half(Reg a) { return V::bit_and(a, V::all32(0xffff)); }
  static Reg either_half(Reg a) { return V::bit_or(a, V::template shift_right32<16>(a)); }
  static Reg pair(const uint16_t* from) { return V::load(from); }
  // Combines the flags of a column's two samples to bits 0 … 3 of a quad's number.
  static Reg four_flags(Reg upper, Reg lower) {
    const Reg two = V::bit_or(upper, V::template shift_left32<1>(lower));
    return V::bit_and(V::bit_or(two, V::template shift_right32<14>(two)), V::all32(15));
  }

  static Reg first_row_context(const uint16_t* upper, const uint16_t* lower) {
    const Reg a = flags(pair(upper - 2)), b = flags(pair(lower - 2));
    const Reg left = V::bit_and(V::bit_or(a, b), V::all32(1));
    const Reg right_upper = V::bit_and(V::template shift_right32<15>(a), V::all32(2));
    const Reg right_lower = V::bit_and(V::template shift_right32<14>(b), V::all32(4));
    return V::bit_or(left, V::bit_or(right_upper, right_lower));
  }
  static Reg one_if(Reg a) { return V::bit_and(either_half(flags(a)), V::all32(1)); }
  static Reg row_context(Reg near, Reg far, const uint16_t* upper, const uint16_t* lower) {
    const Reg side = low_half(V::bit_or(pair(upper - 1), pair(lower - 1)));
    return V::bit_or(one_if(near), V::bit_or(V::template shift_left32<1>(one_if(side)),
                                             V::template shift_left32<2>(one_if(far))));
  }

  template <bool kFirstRow>
  void find_quads() {
    for (int q = 0; q < quads_; q += kQuads) {
      const uint16_t *a = upper() + 2 * q, *b = lower() + 2 * q;
      const Reg one = V::load(a), other = V::load(b);
      const Reg all = low_half(either_half(V::bit_or(one, other)));
      const Reg greatest = V::bit_length32(all);
      const Reg rho = four_flags(flags(one), flags(other));
      // A sample has the greatest exponent if it exceeds the OR of all samples minus itself.
      const Reg twice = V::bit_or(all, V::template shift_left32<16>(all));
      const Reg great = four_flags(flags(V::greater16(one, V::sub16(twice, one))),
                                   flags(V::greater16(other, V::sub16(twice, other))));
      Reg context, known = V::all32(1);
      if constexpr (kFirstRow) {
        context = first_row_context(a, b);
      } else {
        const Reg near = pair(above() + 2 * q - 1), far = pair(above() + 2 * q + 1);
        context = row_context(near, far, a, b);
        const Reg more = V::greater32(V::bit_and(rho, V::sub32(rho, V::all32(1))), V::zero());
        const Reg bound = V::bit_length32(low_half(either_half(V::bit_or(near, far))));
        known = V::max32(known, V::bit_and(more, V::sub32(bound, V::all32(1))));
      }
      const Reg bound = V::max32(greatest, known);
      const Reg excess = V::sub32(bound, known);
      const Reg at_bound = V::bit_and(great, V::greater32(excess, V::zero()));
      V::store(entries_ + q, V::bit_or(V::template shift_left32<8>(context),
                                       V::bit_or(V::template shift_left32<4>(rho), at_bound)));
      V::store(excesses_ + q, excess);
      V::store(bounds_ + q, bound);
      add_masks(q, V::equal_mask32(context, V::zero()), ~V::equal_mask32(rho, V::zero()));
    }
    const auto last = static_cast<size_t>(quads_ - 1) / kWord;
    const int left = quads_ % kWord;
    const uint64_t there = left == 0 ? UINT64_MAX : (uint64_t{1} << left) - 1;
    no_context_[last] &= there;
    significant_[last] &= there;
    if (quads_ % 2 != 0) entries_[quads_] = excesses_[quads_] = 0;
  }
  void add_masks(int q, uint32_t no_context, uint32_t significant) {
    constexpr uint64_t kLanes = (uint64_t{1} << kQuads) - 1;
    const auto word = static_cast<size_t>(q) / kWord;
    const int at = q % kWord;
    if (at == 0) no_context_[word] = significant_[word] = 0;
    no_context_[word] |= (no_context & kLanes) << at;
    significant_[word] |= (significant & kLanes) << at;
  }

  void put_pair(const HtEncodeTable& table, const HtExcessPairCodes& excess_codes, int q,
                typename VlcBits::Writer& vlc) {
    const uint32_t one = table[entries_[q]], other = table[entries_[q + 1]];
    known_[q] = one & 15;
    known_[q + 1] = other & 15;
    const uint32_t excess = excess_codes[excesses_[q] << 4 | excesses_[q + 1]];
    const auto first = static_cast<int>(one >> kHtEncodeLengthShift & kHtEncodeLengthMask);
    const auto second =
        static_cast<int>(other >> kHtEncodeLengthShift & kHtEncodeLengthMask) + first;
    const uint64_t bits = one >> kHtEncodeCodewordShift | other >> kHtEncodeCodewordShift << first |
                          static_cast<uint64_t>(excess >> 8) << second;
    vlc.put(bits, second + static_cast<int>(excess & 0xff));
  }

  void put_first_row() {
    auto vlc = vlc_.writer();
    for (int q = 0; q < quads_; q += 2) {
      put_pair(kHtEncodeTables[0], kHtExcessPairCodes[0], q, vlc);
      for (int i = q; i < std::min(q + 2, quads_); ++i) {
        if (entries_[i] < 256) mel_.put(entries_[i] != 0);
      }
      const uint32_t least = std::min(excesses_[q], excesses_[q + 1]);
      if (least > 0) mel_.put(least > 2);
    }
    vlc_.take(vlc);
  }
  void put_row() {
    for (int q = 0; q < quads_; q += kWord) {
      const auto word = static_cast<size_t>(q) / kWord;
      put_events(no_context_[word], significant_[word]);
      const uint64_t coded = ~no_context_[word] | significant_[word];
      constexpr uint64_t kFirsts = 0x5555555555555555;
      uint64_t pairs = (coded | coded >> 1) & kFirsts;
      const int left = quads_ - q;
      if (left < kWord) pairs &= (uint64_t{1} << left) - 1;
      put_pairs(q, pairs);
    }
  }
  // Not inlined, so that all its variables fit in registers.
  [[gnu::noinline]] void put_pairs(int q, uint64_t pairs) {
    auto vlc = vlc_.writer();
    for (; pairs != 0; pairs &= pairs - 1) {
      put_pair(kHtEncodeTables[1], kHtExcessPairCodes[1], q + std::countr_zero(pairs), vlc);
    }
    vlc_.take(vlc);
  }
  // Writes the significance of quads without context.
  void put_events(uint64_t asked, uint64_t significant) {
    for (uint64_t ones = asked & significant; ones != 0; ones &= ones - 1) {
      const uint64_t before = (ones & -ones) - 1;
      mel_.put_zeros(std::popcount(asked & before));
      mel_.put_one();
      asked &= ~(before << 1 | 1);
    }
    mel_.put_zeros(std::popcount(asked));
  }

  // A sample's bits below its bound if it is significant, and their number.
  struct Bits {
    Reg value;
    Reg count;
  };
  template <int kSample>
  static Bits bits_of(Reg values, Reg flags, Reg bound, Reg known) {
    constexpr bool kRight = kSample >= 2;
    const Reg value = kRight ? V::template shift_right32<16>(values) : low_half(values);
    const Reg flag = kRight ? V::template shift_right32<16>(flags) : V::bit_and(flags, V::all32(1));
    const Reg less = V::bit_and(V::template shift_right32<kSample>(known), V::all32(1));
    const Reg count = V::bit_and(V::sub32(bound, less), V::sub32(V::zero(), flag));
    const Reg mask = V::sub32(V::shift_left_by32(V::all32(1), count), V::all32(1));
    return {V::bit_and(value, mask), count};
  }
  static Reg joined(const Bits& first, const Bits& second) {
    return V::bit_or(first.value, V::shift_left_by32(second.value, first.count));
  }

  void put_samples() {
    auto mag_sgn = mag_sgn_.writer();
    for (int q = 0; q < quads_; q += kQuads) {
      constexpr uint64_t kLanes = (uint64_t{1} << kQuads) - 1;
      uint64_t quads = significant_[static_cast<size_t>(q) / kWord] >> q % kWord & kLanes;
      if (quads == 0) continue;
      any_ = true;
      const Reg bound = V::load(bounds_ + q), known = V::load(known_ + q);
      const Reg one = V::load(values_[0] + 2 * q), other = V::load(values_[1] + 2 * q);
      const Reg one_flags = flags(V::load(upper() + 2 * q));
      const Reg other_flags = flags(V::load(lower() + 2 * q));
      const Bits a = bits_of<0>(one, one_flags, bound, known);
      const Bits b = bits_of<1>(other, other_flags, bound, known);
      const Bits c = bits_of<2>(one, one_flags, bound, known);
      const Bits d = bits_of<3>(other, other_flags, bound, known);
      const Reg left = joined(a, b), right = joined(c, d), zero = V::zero();
      const Reg left_bits = V::add32(a.count, b.count);
      uint64_t values[kQuads];
      uint32_t bits[kQuads];
      const Reg low = V::shift_left_by64(V::low32(right, zero), V::low32(left_bits, zero));
      const Reg high = V::shift_left_by64(V::high32(right, zero), V::high32(left_bits, zero));
      V::store(values, V::bit_or(V::low32(left, zero), low));
      V::store(values + kQuads / 2, V::bit_or(V::high32(left, zero), high));
      V::store(bits, V::add32(left_bits, V::add32(c.count, d.count)));
      for (; quads != 0; quads &= quads - 1) {
        const int i = std::countr_zero(quads);
        put_quad(values[place(i)], static_cast<int>(bits[i]), mag_sgn);
      }
    }
    mag_sgn_.take(mag_sgn);
  }
  // Position of a quad in `values`, where the lower and upper two quads of each lane are apart.
  static int place(int quad) { return quad / 4 * 2 + quad % 2 + (quad & 2) * (kQuads / 4); }
  static void put_quad(uint64_t bits, int count, typename MagSgnBits::Writer& to) {
    constexpr int kMostAtOnce = 56;
    if (count > kMostAtOnce) [[unlikely]] {
      constexpr int kHalf = 32;
      to.put(bits & UINT32_MAX, kHalf);
      bits >>= kHalf;
      count -= kHalf;
    }
    to.put(bits, count);
  }

  size_t finish() {
    mel_.finish_run();
    mag_sgn_.end_with_zeros();
    vlc_.end_with_zeros();
    uint8_t backward[kMostVlcBits / 7 + 16];
    const BackwardBytes vlc = stuff_backward(vlc_, backward);
    return finish_cleanup(out_, stuff_forward(mag_sgn_, out_), mel_, backward, vlc);
  }

  HtBlock<const int16_t> block_;
  uint8_t* out_;
  int quads_;  // per row
  int above_ = 0;
  bool any_ = false;
  uint16_t doubled_[3][kRow];
  uint16_t values_[2][kHtMostSide];  // 2 · |sample| − 2 + sign
  uint32_t entries_[kMostQuads];     // indices into the encoding table
  uint32_t excesses_[kMostQuads];
  uint32_t bounds_[kMostQuads];
  uint32_t known_[kMostQuads];  // e_k
  uint64_t no_context_[kHtMostSide / 2 / kWord + 1];
  uint64_t significant_[kHtMostSide / 2 / kWord + 1];
  MelWriter mel_;
  VlcBits vlc_;
  MagSgnBits mag_sgn_;
};

template <class V>
size_t ht_encode_vector(const HtBlock<const int16_t>& block, uint8_t* out) {
  HtVectorEncoder<V> encoder(block, out);
  return encoder.encode();
}

}  // namespace codecs
