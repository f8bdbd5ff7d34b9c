// Cleanup decoding for any vector width: the samples of ht_decode_reference.cpp. A block is gone
// through twice: first its codewords, one after another, as each says where the next begins; then,
// by vectors, a dword a quad, how many bits each sample has, and the samples. Stuffed bits are
// taken out beforehand.
#pragma once

#include "codecs/ht_kernels.h"
#include "codecs/ht_readers.h"
#include "codecs/ht_segments.h"

namespace codecs {

// The codewords of a block: for each quad its entry of the decoding table, and the excess above it.
//
// Most quads have no context and say nothing. They are passed over by counting bits, as many at
// once as there are; what is left is done without a branch that depends on them.
template <class V>
class HtCodewordReader {
 public:
  HtCodewordReader(const HtCleanup& cleanup, int width, int height)
      : quads_((width + 1) / 2),
        rows_((height + 1) / 2),
        stride_((quads_ + kQuads - 1) / kQuads * kQuads + kMargin),
        mel_(cleanup.mel) {
    unstuff_backward(cleanup.vlc, cleanup.vlc_half, vlc_);
    constexpr size_t kAhead = 16;  // what a row may read behind the end
    vlc_end_ = vlc_.bits();
    vlc_.end_with_zeros(static_cast<size_t>(quads_) * 2 + 2 * kAhead);
  }

  void read() {
    Place place(vlc_.bytes());
    read_first_row(place);
    read_rows(place, 1);
  }
  // Of two blocks at once: while a codeword of one is looked up, that of the other is, too.
  static void read(HtCodewordReader& first, HtCodewordReader& second) {
    if (first.runs() > 1 || second.runs() > 1) {
      first.read();
      second.read();
      return;
    }
    Place one(first.vlc_.bytes()), other(second.vlc_.bytes());
    first.read_first_row(one);
    second.read_first_row(other);
    const int rows = std::min(first.rows_, second.rows_);
    for (int y = 1; y < rows; ++y) {
      first.begin_row(y);
      second.begin_row(y);
      first.begin_run(one, y, 0);
      second.begin_run(other, y, 0);
      while (one.to < one.end || other.to < other.end) {
        read_pair(one);
        read_pair(other);
      }
      first.end_row(one);
      second.end_row(other);
    }
    first.read_rows(one, rows);
    second.read_rows(other, rows);
  }

  int quads() const { return quads_; }
  // Of a row of quads; behind the last of them are zeros.
  const uint32_t* row(int y) const { return entries_ + kMargin + ptrdiff_t{stride_} * y; }

 private:
  using Reg = typename V::Reg;
  static constexpr int kQuads = V::kBytes / 4;  // of a vector
  static constexpr int kMargin = 16;
  static constexpr int kRun = MelEvents::kAhead;  // quads of a row that are gone through at once
  static constexpr uint64_t kEven = 0x5555555555555555, kEndless = uint64_t{1} << 63;
  static constexpr int kMostRows = kHtMostSide / 2;
  static constexpr int kContexts = kMostRows * 2 * kMargin + kHtMostSamples / 4 + 2 * kMargin;
  static constexpr uint32_t kCodewordMask = (1U << kHtCodewordBits) - 1;

  // Where a block is: kept in registers.
  struct Place {
    explicit Place(const uint8_t* bytes) : vlc(bytes) {}
    uint64_t bits() const {
      uint64_t bits;
      std::memcpy(&bits, vlc + at / 8, sizeof(bits));
      return bits >> at % 8;
    }
    // On to the next pair that may say anything.
    void pass() {
      // Neither is 0: std::countr_zero would ask.
      const int none = __builtin_ctzll(static_cast<uint64_t>(pairs));
      const int zeros = __builtin_ctzll(events) & ~1;
      const int passed = std::min(none, zeros);
      events >>= passed;
      pairs >>= passed;
      to += passed;
    }
    const uint8_t* vlc;
    size_t at = 0;        // bits of it that are taken
    uint64_t events = 1;  // MEL's
    int64_t pairs = 0;    // from this one on, those with a context, at even places
    uint32_t* to = nullptr;
    uint32_t* end = nullptr;
  };

  uint32_t* entries(int y) { return entries_ + kMargin + ptrdiff_t{stride_} * y; }
  int runs() const { return (quads_ + kRun - 1) / kRun; }

  // From row `first` on.
  void read_rows(Place& place, int first) {
    for (int y = first; y < rows_; ++y) {
      begin_row(y);
      for (int i = 0; i < runs(); ++i) {
        begin_run(place, y, i);
        while (place.to < place.end) read_pair(place);
      }
      end_row(place);
    }
  }

  // What the row above gives to the contexts: samples 1 and 3 of the quads around (equation 2).
  void begin_row(int y) {
    uint32_t* const here = entries(y);
    for (int i = 0; i < runs(); ++i) has_context_[i] = begin_run_of_row(here + i * kRun, i);
    for (int q = stride_ - kMargin; q < stride_; q += kQuads) V::store(here + q, V::zero());
    constexpr int kBehind = 3;  // the rest of a pair, and one that is not there
    std::fill_n(here + kContexts + quads_, kBehind, kHtNoQuad);
  }
  [[gnu::always_inline]] uint64_t begin_run_of_row(uint32_t* here, int run) const {
    const uint32_t* const above = here - stride_;
    const int count = std::min(quads_ - run * kRun, kRun);
    uint64_t has_context = 0;
    for (int q = 0; q < count; q += kQuads) {
      const Reg left = V::load(above + q - 1), middle = V::load(above + q);
      const Reg right = V::load(above + q + 1);
      // Sample 3 to the left and 1 in the middle; 3 in the middle and 1 to the right.
      static_assert(kHtNear << (kHtRhoShift + 3 - kHtCodewordBits) == 1U << (kHtRhoShift + 3));
      constexpr int kThird = kHtRhoShift + 3 - kHtCodewordBits, kFirst = kThird - 2;
      const Reg both = V::template shift_right32<kFirst>(middle);
      const Reg near = V::bit_or(V::template shift_right32<kThird>(left), both);
      const Reg far = V::bit_or(both, V::template shift_right32<kFirst - 2>(right));
      const Reg context =
          V::bit_or(V::bit_and(near, V::all32(kHtNear)), V::bit_and(far, V::all32(kHtFar)));
      V::store(here + kContexts + q, context);
      V::store(here + q, V::zero());
      constexpr uint64_t kLanes = (uint64_t{1} << kQuads) - 1;
      const uint64_t some = ~V::equal_mask32(context, V::zero()) & kLanes;
      has_context |= some << q;
    }
    return has_context;
  }
  void begin_run(Place& place, int y, int run) {
    const int first = run * kRun, count = std::min(quads_ - first, kRun);
    place.to = entries(y) + first;
    place.end = place.to + (count + 1) / 2 * 2;
    place.events = mel_.fill(place.events);
    // What is behind the end is gone to, not passed over.
    const uint64_t some =
        has_context_[run] | UINT64_MAX << count | (place.to[kContexts] & kHtSide) / kHtSide;
    place.pairs = static_cast<int64_t>(((some | some >> 1) & kEven) | kEndless);
    place.pass();
  }
  void end_row(Place& place) const { place.at = std::min(place.at, vlc_end_); }

  // The entry, or none where MEL is asked and says so.
  [[gnu::always_inline]] static uint32_t read_quad(Place& place, const HtDecodeTable& table,
                                                   uint32_t context, uint64_t& bits) {
    const uint32_t entry = table[context | (bits & kCodewordMask)];
    const uint32_t asked = context == 0 ? 1 : 0;
    const uint32_t there = 1 - (asked & ~static_cast<uint32_t>(place.events));
    place.events >>= asked;
    const uint32_t found = entry & (0 - there);
    bits >>= found & kHtLengthMask;
    return found;
  }

  // Or nothing, at the end of a row.
  [[gnu::always_inline]] static void read_pair(Place& place) {
    const HtDecodeTable& table = kHtDecodeTables[1];
    uint64_t bits = place.bits();
    const uint32_t first = read_quad(place, table, place.to[kContexts], bits);
    const uint32_t second =
        read_quad(place, table, place.to[kContexts + 1] | (first & kHtSide), bits);
    const uint32_t mode = (first & kHtFirstExcess) | (second & kHtSecondExcess);
    uint64_t code = kHtExcessPairTable[mode | (bits & 0xff)];
    if ((code & kHtIsLong) != 0) [[unlikely]] {
      code = long_excess(bits, mode >> kHtExcessModeShift, kHtExcessTables[1]);
    }
    put_pair(place, first, second, code);
    const uint32_t side = second & kHtSide;
    place.to[kContexts + 2] |= side;
    place.pairs = place.pairs >> 2 | side / kHtSide;
    place.to += 2;
    place.pass();
    place.to = std::min(place.to, place.end);
  }
  [[gnu::always_inline]] static void put_pair(Place& place, uint32_t first, uint32_t second,
                                              uint64_t code) {
    // What a code has below its excesses is nobody's any more.
    const uint64_t both = code | first | uint64_t{second} << 32;
    std::memcpy(place.to, &both, sizeof(both));
    place.at += (first + second + code) & kHtLengthMask;
  }

  void read_first_row(Place& place) {
    constexpr int kMostAsked = 3;  // of MEL, by a pair
    std::memset(entries_, 0, sizeof(uint32_t) * static_cast<size_t>(kMargin + stride_));
    uint32_t context = 0;
    for (int q = 0; q < quads_; q += 2) {
      if (q % (kRun / kMostAsked) < 2) place.events = mel_.fill(place.events);
      place.to = entries(0) + q;
      context = read_first_row_pair(place, context, q + 1 < quads_);
    }
    end_row(place);
  }
  static uint32_t read_first_row_pair(Place& place, uint32_t context, bool has_second) {
    const HtDecodeTable& table = kHtDecodeTables[0];
    uint64_t bits = place.bits();
    const uint32_t first = read_quad(place, table, context, bits);
    const uint32_t second =
        read_quad(place, table, has_second ? first & kHtContextMask : kHtNoQuad, bits);
    size_t mode = ((first & kHtFirstExcess) | (second & kHtSecondExcess)) >> kHtExcessModeShift;
    if (mode == 3) {
      mode += place.events & 1;
      place.events >>= 1;
    }
    put_pair(place, first, second, long_excess(bits, mode, kHtExcessTables[0]));
    return second & kHtContextMask;
  }
  // As HtExcessPairTable has it, of any length.
  [[gnu::noinline]] static uint64_t long_excess(uint64_t bits, size_t mode,
                                                const HtExcessTable& table) {
    const HtExcessPair& pair = table[mode << 6 | (bits & 63)];
    bits >>= pair.prefix_bits;
    const uint32_t first =
        pair.first + (static_cast<uint32_t>(bits) & ((1U << pair.first_suffix_bits) - 1));
    bits >>= pair.first_suffix_bits;
    const int second_bits = pair.suffix_bits - pair.first_suffix_bits;
    const uint32_t second = pair.second + (static_cast<uint32_t>(bits) & ((1U << second_bits) - 1));
    return (uint64_t{pair.prefix_bits} + pair.suffix_bits) | ht_excesses(first, second);
  }

  int quads_;  // of a row
  int rows_;
  int stride_;
  MelEvents mel_;
  size_t vlc_end_;  // in bits
  uint64_t has_context_[kHtMostSide / 2 / kRun];
  uint32_t entries_[2 * kContexts];  // and the contexts
  PlainBits<size_t{8} * 4096, kHtMostSide + 32> vlc_;
};

template <class V>
class HtVectorDecoder {
 public:
  HtVectorDecoder(const HtCodedBlock& coded, const HtCleanup& cleanup,
                  const HtBlock<int16_t>& block, const HtCodewordReader<V>& codewords)
      : block_(block),
        codewords_(codewords),
        most_(coded.zero_planes + 2),
        scale_(static_cast<int16_t>(1 << (coded.planes - 1 - coded.zero_planes))) {
    unstuff_forward(cleanup.mag_sgn, mag_sgn_);
    end_ = mag_sgn_.bits();
    constexpr size_t kAhead = 16;  // what a row may read behind the end
    mag_sgn_.end_with_ones(static_cast<size_t>(codewords.quads()) * 8 + kAhead);
  }

  bool decode() {
    const int quads = (codewords_.quads() + kQuads - 1) / kQuads * kQuads;
    const size_t bytes = sizeof(uint16_t) * static_cast<size_t>(2 * quads + 2 * kMargin);
    std::memset(doubled_[0], 0, bytes);
    std::memset(doubled_[1], 0, bytes);
    if (!read_row<true>(0)) return false;
    for (int y = 2; y < block_.height; y += 2) {
      above_ ^= 1;
      at_ = std::min(at_, end_);
      if (!read_row<false>(y)) return false;
    }
    return true;
  }

 private:
  using Reg = typename V::Reg;
  static constexpr int kQuads = V::kBytes / 4;    // of a vector
  static constexpr int kSamples = V::kBytes / 2;  // likewise
  static constexpr int kMargin = 32;

  uint16_t* lower() { return doubled_[above_ ^ 1] + kMargin; }
  uint16_t* above() { return doubled_[above_] + kMargin; }

  static Reg low_half(Reg a) { return V::bit_and(a, V::all32(0xffff)); }
  static Reg either_half(Reg a) { return V::bit_or(a, V::template shift_right32<16>(a)); }
  template <int kBit>
  static Reg bit_of(Reg a) {
    return V::bit_and(V::template shift_right32<kBit>(a), V::all32(1));
  }

  template <bool kFirstRow>
  bool read_row(int y) {
    const uint32_t* const entries = codewords_.row(y / 2);
    uint16_t* const below = lower();
    Reg too_much = V::zero();
    for (int q = 0; q < codewords_.quads(); q += kQuads) {
      const Reg entry = V::load(entries + q);
      const Reg significant = V::bit_and(entry, V::all32(15 << kHtRhoShift));
      if (V::all_below(significant, 1)) {
        V::store(below + 2 * q, V::zero());
        put(y, q, V::zero(), V::zero());
        continue;
      }
      const Reg excess = V::template shift_right32<kHtExcessShift>(entry);
      const Reg bound = V::add32(excess, known_bound<kFirstRow>(q, entry));
      too_much = V::bit_or(too_much, V::bit_and(V::greater32(bound, V::all32(most_)),
                                                V::greater32(significant, V::zero())));
      read_quads(y, q, entry, V::min32(bound, V::all32(kMostBits)));
    }
    uint32_t bad[kQuads];
    V::store(bad, too_much);
    return std::all_of(bad, bad + kQuads, [](uint32_t value) { return value == 0; });
  }
  template <bool kFirstRow>
  Reg known_bound(int q, Reg entry) {
    if constexpr (kFirstRow) return V::all32(1);
    const Reg rho = V::bit_and(V::template shift_right32<kHtRhoShift>(entry), V::all32(15));
    const Reg more = V::greater32(V::bit_and(rho, V::sub32(rho, V::all32(1))), V::zero());
    const Reg all = V::bit_or(V::load(above() + 2 * q - 1), V::load(above() + 2 * q + 1));
    const Reg bound = V::bit_length32(low_half(either_half(all)));
    return V::max32(V::all32(1), V::bit_and(more, V::sub32(bound, V::all32(1))));
  }

  // How many bits a significant sample has, and which one is known beforehand.
  template <int kSample>
  static Reg count_of(Reg entry, Reg bound) {
    const Reg less = bit_of<kHtKnownShift + kSample>(entry);
    const Reg significant = V::sub32(V::zero(), bit_of<kHtRhoShift + kSample>(entry));
    return V::bit_and(V::sub32(bound, less), significant);
  }
  template <int kSample>
  static Reg value_of(Reg bits, Reg count, Reg entry) {
    const Reg one = V::shift_left_by32(V::all32(1), count);
    const Reg known = V::bit_and(one, V::sub32(V::zero(), bit_of<kHtOneShift + kSample>(entry)));
    return V::bit_or(V::bit_and(bits, V::sub32(one, V::all32(1))), known);
  }

  // Of each quad the bits of its left samples and those of its right ones.
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

  void read_quads(int y, int q, Reg entry, Reg bound) {
    const Reg a = count_of<0>(entry, bound), b = count_of<1>(entry, bound);
    const Reg c = count_of<2>(entry, bound), d = count_of<3>(entry, bound);
    const Reg left_bits = V::add32(a, b), all_bits = V::add32(left_bits, V::add32(c, d));
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
    const Reg upper = V::bit_or(value_of<0>(one, a, entry),
                                V::template shift_left32<16>(value_of<2>(other, c, entry)));
    const Reg under_one = V::shift_right_by32(one, a), under_other = V::shift_right_by32(other, c);
    const Reg lower = V::bit_or(value_of<1>(under_one, b, entry),
                                V::template shift_left32<16>(value_of<3>(under_other, d, entry)));
    const Reg rho = V::template shift_right32<kHtRhoShift>(entry);
    const Reg upper_there = mask_of(V::bit_or(rho, V::template shift_left32<14>(rho)));
    const Reg lower_there =
        mask_of(V::bit_or(V::template shift_right32<1>(rho), V::template shift_left32<13>(rho)));
    V::store(this->lower() + 2 * q, V::bit_and(lower_there, V::bit_or(lower, V::all16(1))));
    put(y, q, halves(upper, upper_there), halves(lower, lower_there));
  }
  static Reg mask_of(Reg flags) {
    return V::sub16(V::zero(), V::bit_and(flags, V::all32(0x10001)));
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
    int16_t rest[kSamples];
    const size_t bytes = sizeof(int16_t) * static_cast<size_t>(block_.width - x);
    V::store(rest, upper);
    std::memcpy(to, rest, bytes);
    V::store(rest, lower);
    if (two) std::memcpy(to + block_.stride, rest, bytes);
  }

  static constexpr int kMostBits = 15;

  HtBlock<int16_t> block_;
  const HtCodewordReader<V>& codewords_;
  int most_;  // that a bound may be
  int16_t scale_;
  int above_ = 0;
  size_t at_ = 0;  // in mag_sgn_
  size_t end_ = 0;
  uint16_t doubled_[2][kMargin + kHtMostSide + 2 * kMargin];  // of the lower rows, as in encoding
  PlainBits<8 * kHtMostCleanupBytes, size_t{kHtMostSide} * 4 + 16> mag_sgn_;
};

template <class V>
bool ht_read_samples(const HtCodedBlock& coded, const HtCleanup& cleanup,
                     const HtBlock<int16_t>& block, const HtCodewordReader<V>& codewords) {
  HtVectorDecoder<V> decoder(coded, cleanup, block, codewords);
  if (!decoder.decode()) return false;
  if (coded.passes > 1) reference::ht_refine(coded, block);
  return true;
}

template <class V>
bool ht_decode_vector(const HtCodedBlock& coded, const HtBlock<int16_t>& block) {
  const auto cleanup = read_ht_cleanup(coded);
  if (!cleanup) return false;
  HtCodewordReader<V> codewords(*cleanup, block.width, block.height);
  codewords.read();
  return ht_read_samples<V>(coded, *cleanup, block, codewords);
}

template <class V>
bool ht_decode_two_vector(const HtCodedBlock (&coded)[2], const HtBlock<int16_t> (&blocks)[2]) {
  const auto first = read_ht_cleanup(coded[0]), second = read_ht_cleanup(coded[1]);
  if (!first || !second) return false;
  HtCodewordReader<V> one(*first, blocks[0].width, blocks[0].height);
  HtCodewordReader<V> other(*second, blocks[1].width, blocks[1].height);
  HtCodewordReader<V>::read(one, other);
  return ht_read_samples<V>(coded[0], *first, blocks[0], one) &&
         ht_read_samples<V>(coded[1], *second, blocks[1], other);
}

}  // namespace codecs
