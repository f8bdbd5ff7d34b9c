// Cleanup decoder for any vector width; gives the samples of ht_decode_reference.cpp. Stuffed bits
// are removed first. Each row of quads is processed twice: first its codewords, serially; then, as
// vectors with one dword per quad, the samples' bit counts and the samples.
#pragma once

#include "codecs/ht/ht_codeword_reader.h"
#include "codecs/ht/ht_kernels.h"

namespace codecs {

// Decodes the samples of a block row by row; the codewords are read beforehand.
template <class V>
class HtSampleReader {
 public:
  HtSampleReader(const HtCodedBlock& coded, const HtCleanup& cleanup, const HtBlock<int16_t>& block)
      : block_(block),
        quads_((block.width + 1) / 2),
        most_(coded.zero_planes + 2),
        scale_(static_cast<int16_t>(1 << (coded.planes - 1 - coded.zero_planes))) {
    unstuff_forward(cleanup.mag_sgn, mag_sgn_);
    end_ = mag_sgn_.bits();
    constexpr size_t kAhead = 16;  // bytes that a row may read beyond the end
    mag_sgn_.end_with_ones(static_cast<size_t>(quads_) * 8 + kAhead);
    const int quads = (quads_ + kQuads - 1) / kQuads * kQuads;
    const size_t bytes = sizeof(uint16_t) * static_cast<size_t>(2 * quads + 2 * kMargin);
    std::memset(doubled_[0], 0, bytes);
    std::memset(doubled_[1], 0, bytes);
  }

  // Decodes the next row of quads; false if it is invalid.
  bool read_row(const uint32_t* entries) {
    const bool good = y_ == 0 ? read_row<true>(0, entries) : read_row<false>(y_, entries);
    y_ += 2;
    above_ ^= 1;
    at_ = std::min(at_, end_);
    return good;
  }

 private:
  using Reg = typename V::Reg;
  static constexpr int kQuads = V::kBytes / 4;    // per vector
  static constexpr int kSamples = V::kBytes / 2;  // per vector
  static constexpr int kMargin = 32;

  uint16_t* lower() { return doubled_[above_ ^ 1] + kMargin; }
  uint16_t* above() { return doubled_[above_] + kMargin; }

  static Reg low_half(Reg a) { return V::bit_and(a, V::all32(0xffff)); }
  // Repeats byte kByte of each dword four times.
  template <int kByte>
  static Reg everywhere(Reg a) {
    constexpr int kStep = 0x01010101;
    return V::shuffle8(a, V::lanes(dwords128(kByte * kStep, (4 + kByte) * kStep,
                                             (8 + kByte) * kStep, (12 + kByte) * kStep)));
  }
  // Repeats bytes kFirst and kFirst + 2 of each dword twice each.
  template <int kFirst>
  static Reg twice(Reg a) {
    constexpr int kOrder = kFirst * 0x01010101 + 0x02020000, kNext = 0x04040404;
    return V::shuffle8(
        a, V::lanes(dwords128(kOrder, kOrder + kNext, kOrder + 2 * kNext, kOrder + 3 * kNext)));
  }
  // 1 in each byte whose bit is set: bit `first` in byte 0 of a dword, the next higher in byte 1, …
  static Reg flags(Reg a, uint32_t first) {
    const auto bits = static_cast<int32_t>(first * 0x08040201);
    return V::min8(V::bit_and(a, V::all32(bits)), V::all8(1));
  }
  static Reg mask_of(Reg flags) { return V::sub8(V::zero(), flags); }

  template <bool kFirstRow>
  bool read_row(int y, const uint32_t* entries) {
    Reg greatest = V::zero();
    for (int q = 0; q < quads_; q += kQuads) {
      const Reg entry = HtCodewordReader<V>::load(entries + q);
      const Reg rho = V::bit_and(V::template shift_right32<kHtRhoShift>(entry), V::all32(15));
      if (V::all_below(rho, 1)) {
        V::store(lower() + 2 * q, V::zero());
        put(y, q, V::zero(), V::zero());
        continue;
      }
      const Reg excess = V::template shift_right32<kHtExcessShift>(entry);
      const Reg bound = V::add32(excess, known_bound<kFirstRow>(q, rho));
      greatest = V::max32(greatest, bound);
      read_quads(y, q, entry, V::min32(bound, V::all32(kMostBits)));
    }
    return V::all_below(greatest, most_ + 1);
  }
  // Bound of a quad with two or more significant samples, from the samples of the row above.
  template <bool kFirstRow>
  Reg known_bound(int q, Reg rho) {
    if constexpr (kFirstRow) return V::all32(1);
    const Reg two_or_more =
        V::lanes(bytes128(0, 0, 0, -1, 0, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1));
    const Reg pairs = V::bit_or(V::load(above() + 2 * q - 1), V::load(above() + 2 * q + 1));
    const Reg all = low_half(V::bit_or(pairs, V::template shift_right32<16>(pairs)));
    const Reg bound = V::sub32(V::bit_length32(V::bit_or(all, V::all32(1))), V::all32(1));
    return V::max32(V::all32(1), V::bit_and(bound, V::shuffle8(two_or_more, rho)));
  }

  // Reads the bits of each quad's left and right samples, one quad at a time.
  [[gnu::noinline]] void read_long_quads(Reg before, Reg left_bits, Reg& one, Reg& other) const {
    uint32_t at[kQuads], left[kQuads], of_left[kQuads], right[kQuads];
    V::store(at, before);
    V::store(of_left, left_bits);
    for (int i = 0; i < kQuads; ++i) {
      left[i] = static_cast<uint32_t>(mag_sgn_.at(at_ + at[i]));
      right[i] = static_cast<uint32_t>(mag_sgn_.at(at_ + at[i] + of_left[i]));
    }
    one = V::load(left);
    other = V::load(right);
  }

  [[gnu::always_inline]] void read_quads(int y, int q, Reg entry, Reg bound) {
    // Each byte of a quad's dword stands for one sample.
    const Reg marks = everywhere<kHtOneShift / 8>(entry);
    const Reg less = flags(marks, 1U << (kHtKnownShift % 8)), ones = mask_of(flags(marks, 1));
    const Reg significant =
        mask_of(flags(everywhere<kHtRhoShift / 8>(entry), 1U << (kHtRhoShift % 8)));
    const Reg counts = V::bit_and(V::sub8(everywhere<0>(bound), less), significant);
    const Reg columns = V::multiply_pairs8(counts, V::all8(1));
    const Reg left_bits = low_half(columns), all_bits = V::multiply_pairs16(columns, V::all16(1));
    const Reg before = V::sums_before32(all_bits);
    const auto total = V::last32(V::add32(before, all_bits));
    Reg one, other;
    constexpr uint32_t kWindowBits = 8 * V::kBytes - 8;
    if (total <= kWindowBits && V::all_below(all_bits, 33)) [[likely]] {
      const auto first = static_cast<int32_t>(at_ % 8);
      one = V::bits_at32(mag_sgn_.bytes() + at_ / 8, V::add32(before, V::all32(first)));
      other = V::shift_right_by32(one, left_bits);
    } else {
      read_long_quads(before, left_bits, one, other);
    }
    at_ += total;
    const Reg byte = V::all32(255);
    const Reg under_one = V::shift_right_by32(one, V::bit_and(counts, byte));
    const Reg under_other =
        V::shift_right_by32(other, V::bit_and(V::template shift_right32<16>(counts), byte));
    const Reg upper = values(one, other, twice<0>(counts), twice<0>(ones));
    const Reg lower = values(under_one, under_other, twice<1>(counts), twice<1>(ones));
    const Reg upper_there = twice<0>(significant), lower_there = twice<1>(significant);
    V::store(this->lower() + 2 * q, V::bit_and(lower_there, V::bit_or(lower, V::all16(1))));
    put(y, q, halves(upper, upper_there), halves(lower, lower_there));
  }
  // The lowest `counts` bits of each column's value, with the known bit above them.
  static Reg values(Reg one, Reg other, Reg counts, Reg ones) {
    // The lower byte of 2^n, and the upper one from n − 8; negative exponents give 0.
    const Reg powers = V::lanes(bytes128(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    const Reg power = V::shuffle8(powers, V::add8(counts, V::all16(-8 * 256)));
    const Reg bits = V::bit_or(low_half(one), V::template shift_left32<16>(other));
    return V::bit_or(V::bit_and(bits, V::sub16(power, V::all16(1))), V::bit_and(power, ones));
  }
  Reg halves(Reg values, Reg there) const {
    const Reg middle = V::add16(V::bit_or(values, V::all16(1)), V::all16(2));
    const Reg negative = V::sub16(V::zero(), V::bit_and(values, V::all16(1)));
    const Reg magnitude = V::multiply16(middle, V::all16(scale_));
    return V::bit_and(there, V::sub16(V::bit_xor(magnitude, negative), negative));
  }

  void put(int y, int q, Reg upper, Reg lower) const {
    const int x = 2 * q;
    int16_t* const to = block_.samples + block_.stride * y + x;
    const bool two = y + 1 < block_.height;
    if (x + kSamples <= block_.width) {
      V::store(to, upper);
      if (two) V::store(to + block_.stride, lower);
      return;
    }
    put_some(to, upper, block_.width - x);
    if (two) put_some(to + block_.stride, lower, block_.width - x);
  }
  // Stores fewer samples than a vector: the memory behind them belongs to another block. Recursive,
  // since compilers turn a loop into a call.
  static void put_some(int16_t* to, Reg samples, int count) {
    int16_t all[kSamples];
    V::store(all, samples);
    put_piece<kSamples / 2>(to, all, count);
  }
  template <int kCount>
  [[gnu::always_inline]] static void put_piece(int16_t* to, const int16_t* from, int count) {
    const int here = count & kCount;
    if (here != 0) std::memcpy(to, from, sizeof(int16_t) * kCount);
    if constexpr (kCount > 1) put_piece<kCount / 2>(to + here, from + here, count);
  }

  static constexpr int kMostBits = 15;

  HtBlock<int16_t> block_;
  int quads_;  // per row
  int y_ = 0;  // next row of samples
  int most_;   // largest valid bound
  int16_t scale_;
  int above_ = 0;
  size_t at_ = 0;  // bit position in mag_sgn_
  size_t end_ = 0;
  uint16_t doubled_[2][kMargin + kHtMostSide + 2 * kMargin];  // lower rows of quads, as in encoding
  UnstuffedBits<V, 8 * kHtMostCleanupBytes, size_t{kHtMostSide} * 4 + 16> mag_sgn_;
};

// The two readers of a block. Samples are decoded one row behind the codewords, because recent
// stores are not yet readable as vectors.
template <class V>
class HtBlockReader {
 public:
  HtBlockReader(const HtCodedBlock& coded, const HtCleanup& cleanup, const HtBlock<int16_t>& block)
      : coded_(coded),
        block_(block),
        left_((block.height + 1) / 2),
        codewords_(cleanup, block.width),
        samples_(coded, cleanup, block) {}

  // Reads the rows of quads that both blocks have, interleaved; false if the samples are invalid.
  static bool read_rows(HtBlockReader& one, HtBlockReader& other) {
    for (int rows = std::min(one.left_, other.left_); rows > 0; --rows) {
      HtCodewordReader<V>::read_row(one.codewords_, other.codewords_);
      if (!one.begin_row() || !other.begin_row()) return false;
    }
    return true;
  }
  // Reads the remaining rows, then the refinement passes.
  bool finish() {
    while (left_ > 0) {
      codewords_.read_row();
      if (!begin_row()) return false;
    }
    if (!samples_.read_row(codewords_.entries())) return false;
    if (coded_.passes > 1) reference::ht_refine(coded_, block_);
    return true;
  }

 private:
  bool begin_row() {
    --left_;
    if (is_first_) return !(is_first_ = false);
    return samples_.read_row(codewords_.entries_above());
  }

  const HtCodedBlock& coded_;
  const HtBlock<int16_t>& block_;
  int left_;  // rows whose codewords are not read yet
  bool is_first_ = true;
  HtCodewordReader<V> codewords_;
  HtSampleReader<V> samples_;
};

template <class V>
bool ht_decode_vector(const HtCodedBlock& coded, const HtBlock<int16_t>& block) {
  const auto cleanup = read_ht_cleanup(coded);
  return cleanup && HtBlockReader<V>(coded, *cleanup, block).finish();
}

template <class V>
bool ht_decode_two_vector(const HtCodedBlock (&coded)[2], const HtBlock<int16_t> (&blocks)[2]) {
  const auto first = read_ht_cleanup(coded[0]), second = read_ht_cleanup(coded[1]);
  if (!first || !second) return false;
  HtBlockReader<V> one(coded[0], *first, blocks[0]), other(coded[1], *second, blocks[1]);
  return HtBlockReader<V>::read_rows(one, other) && one.finish() && other.finish();
}

}  // namespace codecs
