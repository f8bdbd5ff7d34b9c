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
    constexpr size_t kThere = 8;   // that have been read, but not yet taken
    vlc_end_ = vlc_.bytes() + vlc_.bits() / 8 + 1 + kThere;
    vlc_.end_with_zeros(static_cast<size_t>(quads_) * 2 + 2 * kAhead);
  }

  void read() {
    Place place(*this);
    while (place.row < rows_) step(place);
  }
  // Of two blocks at once: while a codeword of one is looked up, that of the other is, too.
  static void read(HtCodewordReader& first, HtCodewordReader& second) {
    Place one(first), other(second);
    while (one.row < first.rows_ && other.row < second.rows_) {
      first.step(one);
      second.step(other);
    }
    while (one.row < first.rows_) first.step(one);
    while (other.row < second.rows_) second.step(other);
  }

  int quads() const { return quads_; }
  // Of a row of quads; behind the last of them are zeros.
  const uint32_t* row(int y) const { return entries_ + kMargin + ptrdiff_t{stride_} * y; }

 private:
  using Reg = typename V::Reg;
  static constexpr int kQuads = V::kBytes / 4;  // of a vector
  static constexpr int kMargin = 16;
  static constexpr int kWord = 64;  // quads of a mask
  static constexpr int kMostQuads = kHtMostSide / 2 + kMargin;
  static constexpr int kMostRows = kHtMostSide / 2;
  static constexpr int kLeastSkipped = 8;  // quads
  static constexpr uint32_t kCodewordMask = (1U << kHtCodewordBits) - 1;

  // Where a block is: kept in registers.
  struct Place {
    explicit Place(HtCodewordReader& reader)
        : from(reader.vlc_.bytes()), zeros(reader.mel_.next()) {
      reader.begin_row(0);
    }
    // At least 56 bits are there then.
    void fill() {
      uint64_t more;
      std::memcpy(&more, from, sizeof(more));
      bits |= more << count;
      from += (63 - count) >> 3;
      count |= 56;
    }
    const uint8_t* from;
    uint64_t bits = 0;
    uint32_t count = 0;
    int zeros;          // MEL's, before the next one
    uint32_t side = 0;  // what the quad to the left gives to the context
    int q = 0;
    int row = 0;
  };

  uint32_t* entries(int y) { return entries_ + kMargin + ptrdiff_t{stride_} * y; }

  // What the row above gives to the contexts: samples 1 and 3 of the quads around (equation 2).
  void begin_row(int y) {
    uint32_t* const here = entries(y);
    std::memset(here + quads_, 0, sizeof(uint32_t) * static_cast<size_t>(stride_ - quads_));
    if (y == 0) std::memset(entries_, 0, sizeof(uint32_t) * kMargin);
    if (y == 0) return;
    const uint32_t* const above = entries(y - 1);
    for (int q = 0; q < quads_; q += kQuads) {
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
      V::store(contexts_ + q, context);
      constexpr uint64_t kLanes = (uint64_t{1} << kQuads) - 1;
      const uint64_t some = ~V::equal_mask32(context, V::zero()) & kLanes;
      uint64_t& word = has_context_[q / kWord];
      word = (q % kWord == 0 ? 0 : word) | some << q % kWord;
    }
  }

  [[gnu::always_inline]] void step(Place& place) {
    if (place.row == 0) [[unlikely]] {
      read_first_row_pair(place);
    } else {
      read_pair(place);
    }
    if (place.q < quads_) return;
    place.q = 0;
    place.side = 0;
    if (place.from > vlc_end_) {
      place.from = vlc_end_;
      place.bits = 0;
      place.count = 0;
    }
    if (++place.row < rows_) begin_row(place.row);
  }

  // The entry, or none where MEL is asked and says so.
  [[gnu::always_inline]] uint32_t unless_zero(uint32_t entry, bool asked, Place& place) {
    place.zeros -= asked ? 1 : 0;
    if (place.zeros < 0) [[unlikely]] {
      place.zeros = mel_.next();
      return entry;
    }
    return asked ? 0 : entry;
  }

  [[gnu::always_inline]] void read_pair(Place& place) {
    const HtDecodeTable& table = kHtDecodeTables[1];
    const int q = place.q;
    uint32_t context = contexts_[q] | place.side;
    if (context == 0 && place.zeros >= kLeastSkipped) [[unlikely]] {
      if (skip_pairs(place)) return;
    }
    place.fill();
    uint64_t bits = place.bits;
    const uint32_t first =
        unless_zero(table[context | (bits & kCodewordMask)], context == 0, place);
    bits >>= first & kHtLengthMask;
    uint32_t second = 0;
    if (q + 1 < quads_) [[likely]] {
      context = contexts_[q + 1] | (first & kHtSide);
      second = unless_zero(table[context | (bits & kCodewordMask)], context == 0, place);
      bits >>= second & kHtLengthMask;
    }
    const uint32_t mode = (first & kHtFirstExcess) | (second & kHtSecondExcess);
    uint32_t code = kHtExcessPairTable[mode | (bits & 0xff)];
    if ((code & kHtIsLong) != 0) [[unlikely]] {
      code = long_excess(bits, mode >> kHtExcessModeShift, kHtExcessTables[1]);
    }
    put_pair(place, first, second, bits, code);
    place.side = second & kHtSide;
  }
  [[gnu::always_inline]] void put_pair(Place& place, uint32_t first, uint32_t second, uint64_t bits,
                                       uint32_t code) {
    uint32_t* const to = entries(place.row) + place.q;
    to[0] = first | (code & 0xff000000);
    to[1] = second | (code << 8 & 0xff000000);
    place.bits = bits >> (code & kHtLengthMask);
    place.count -= (first + second + code) & kHtLengthMask;
    place.q += 2;
  }
  // Pairs of which none has a context, nor anything else.
  [[gnu::always_inline]] bool skip_pairs(Place& place) {
    const int q = place.q;
    const int most = std::min(place.zeros, quads_ - q);
    const uint64_t some = has_context_[q / kWord] >> q % kWord;
    const int none = std::min(some == 0 ? kWord - q % kWord : std::countr_zero(some), most) & ~1;
    if (none < kLeastSkipped) return false;
    place.zeros -= none;
    uint32_t* const to = entries(place.row);
    for (int i = q; i < q + none; ++i) to[i] = 0;
    place.q += none;
    return true;
  }

  void read_first_row_pair(Place& place) {
    uint32_t found[2] = {};
    place.fill();
    uint64_t bits = place.bits;
    for (int i = 0; i < 2 && place.q + i < quads_; ++i) {
      const uint32_t entry = kHtDecodeTables[0][place.side | (bits & kCodewordMask)];
      found[i] = unless_zero(entry, place.side == 0, place);
      bits >>= found[i] & kHtLengthMask;
      place.side = found[i] & kHtContextMask;
    }
    size_t mode =
        ((found[0] & kHtFirstExcess) | (found[1] & kHtSecondExcess)) >> kHtExcessModeShift;
    if (mode == 3 && unless_zero(1, true, place) != 0) mode = 4;
    put_pair(place, found[0], found[1], bits, long_excess(bits, mode, kHtExcessTables[0]));
  }
  // As HtExcessPairTable has it, of any length.
  [[gnu::noinline]] static uint32_t long_excess(uint64_t bits, size_t mode,
                                                const HtExcessTable& table) {
    const HtExcessPair& pair = table[mode << 6 | (bits & 63)];
    bits >>= pair.prefix_bits;
    const uint32_t first =
        pair.first + (static_cast<uint32_t>(bits) & ((1U << pair.first_suffix_bits) - 1));
    bits >>= pair.first_suffix_bits;
    const int second_bits = pair.suffix_bits - pair.first_suffix_bits;
    const uint32_t second = pair.second + (static_cast<uint32_t>(bits) & ((1U << second_bits) - 1));
    const uint32_t used = uint32_t{pair.prefix_bits} + pair.suffix_bits;
    return used | second << 16 | first << 24;
  }

  int quads_;  // of a row
  int rows_;
  int stride_;
  MelRuns mel_;
  const uint8_t* vlc_end_;
  uint64_t has_context_[kHtMostSide / 2 / kWord + 1];
  uint32_t contexts_[kMostQuads];
  uint32_t entries_[kMostRows * 2 * kMargin + kHtMostSamples / 4 + 2 * kMargin];
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
      constexpr uint32_t kLanes = static_cast<uint32_t>((uint64_t{1} << kQuads) - 1);
      const Reg significant = V::bit_and(entry, V::all32(15 << kHtRhoShift));
      const uint32_t quads = ~V::equal_mask32(significant, V::zero()) & kLanes;
      if (quads == 0) {
        V::store(below + 2 * q, V::zero());
        put(y, q, V::zero(), V::zero());
        continue;
      }
      const Reg excess = V::template shift_right32<kHtExcessShift>(entry);
      const Reg bound = V::add32(excess, known_bound<kFirstRow>(q, entry));
      too_much = V::bit_or(too_much, V::bit_and(V::greater32(bound, V::all32(most_)),
                                                V::greater32(significant, V::zero())));
      read_quads(y, q, entry, V::min32(bound, V::all32(kMostBits)), quads);
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

  void read_quads(int y, int q, Reg entry, Reg bound, uint32_t quads) {
    const Reg a = count_of<0>(entry, bound), b = count_of<1>(entry, bound);
    const Reg c = count_of<2>(entry, bound), d = count_of<3>(entry, bound);
    uint32_t left[kQuads], left_bits[kQuads], right[kQuads], all_bits[kQuads];
    V::store(left_bits, V::add32(a, b));
    const Reg all = V::add32(V::add32(a, b), V::add32(c, d));
    V::store(all_bits, all);
    size_t at = at_;
    if (std::popcount(quads) <= kFewQuads) {
      V::store(left, V::zero());
      V::store(right, V::zero());
      for (; quads != 0; quads &= quads - 1) {
        const int i = std::countr_zero(quads);
        left[i] = static_cast<uint32_t>(mag_sgn_.at(at));
        right[i] = static_cast<uint32_t>(mag_sgn_.at(at + left_bits[i]));
        at += all_bits[i];
      }
    } else if (V::all_below(all, kBitsAtOnce + 1)) [[likely]] {
      for (int i = 0; i < kQuads; ++i) {
        const uint64_t bits = mag_sgn_.at(at);
        left[i] = static_cast<uint32_t>(bits);
        right[i] = static_cast<uint32_t>(bits >> left_bits[i]);
        at += all_bits[i];
      }
    } else {
      for (int i = 0; i < kQuads; ++i) {
        left[i] = static_cast<uint32_t>(mag_sgn_.at(at));
        right[i] = static_cast<uint32_t>(mag_sgn_.at(at + left_bits[i]));
        at += all_bits[i];
      }
    }
    at_ = at;
    const Reg one = V::load(left), other = V::load(right);
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
  static constexpr int kBitsAtOnce = 57;
  static constexpr int kFewQuads = kQuads / 4;

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
  // Where there are few codewords to wait for, it does not pay.
  constexpr size_t kSamplesAByte = 5;
  for (int i = 0; i < 2; ++i) {
    const auto samples = static_cast<size_t>(blocks[i].width * blocks[i].height);
    if (coded[i].cleanup.size() * kSamplesAByte >= samples) continue;
    return ht_decode_vector<V>(coded[0], blocks[0]) && ht_decode_vector<V>(coded[1], blocks[1]);
  }
  const auto first = read_ht_cleanup(coded[0]), second = read_ht_cleanup(coded[1]);
  if (!first || !second) return false;
  HtCodewordReader<V> one(*first, blocks[0].width, blocks[0].height);
  HtCodewordReader<V> other(*second, blocks[1].width, blocks[1].height);
  HtCodewordReader<V>::read(one, other);
  return ht_read_samples<V>(coded[0], *first, blocks[0], one) &&
         ht_read_samples<V>(coded[1], *second, blocks[1], other);
}

}  // namespace codecs
