// Reads the codewords of a code-block, one row of quads at a time: for each quad, its entry of the
// decoding table and the excess above it. For any vector width. Internal to codecs/.
//
// Each codeword determines where the next one begins. Two blocks are therefore read interleaved,
// which hides the latency of table lookups. Most quads have no context and no codeword; they are
// skipped by counting bits, as many as possible at a time. The rest is decoded without
// data-dependent branches.
#pragma once

#include <algorithm>

#include "codecs/ht/ht_block.h"
#include "codecs/ht/ht_readers.h"

namespace codecs {

template <class V>
class HtCodewordReader {
 public:
  using Reg = typename V::Reg;

  HtCodewordReader(const HtCleanup& cleanup, int width)
      : quads_((width + 1) / 2), mel_(cleanup.mel) {
    unstuff_backward(cleanup.vlc, cleanup.vlc_half, vlc_);
    constexpr size_t kAhead = 16;  // bytes that a row may read beyond the end
    vlc_end_ = vlc_.bits();
    vlc_.end_with_zeros(static_cast<size_t>(quads_) * 2 + 2 * kAhead);
    for (auto& row : rows_) {
      const size_t bytes = sizeof(uint32_t) * static_cast<size_t>(kMargin + quads_ + kBehind);
      std::memset(row, 0, bytes);
      std::memset(row + kExcesses, 0, bytes);
      std::fill_n(row + kMargin + kContexts + quads_, kBehind, kHtNoQuad);
    }
    place_.vlc = vlc_.bytes();
  }

  void read_row() {
    if (y_++ == 0) {
      Place place = place_;
      for (int q = 0; q < quads_; q += 2) read_first_row_pair(place, q);
      place_ = place;
      return end_row();
    }
    begin_row();
    for (int i = 0; i < runs(); ++i) {
      fill_events();
      Place place = begin_run(i);
      while (place.to < place.end) read_pair(place);
      place_ = place;
    }
    end_row();
  }
  // Reads the next row of two blocks that are at the same row.
  static void read_row(HtCodewordReader& first, HtCodewordReader& second) {
    if (first.y_ == 0) return read_first_row(first, second);
    if (first.runs() > 1 || second.runs() > 1) {
      first.read_row();
      second.read_row();
      return;
    }
    ++first.y_;
    ++second.y_;
    // Recent stores are not yet readable as vectors, so start with work that does not need them.
    first.fill_events();
    second.fill_events();
    first.begin_row();
    second.begin_row();
    Place one = first.begin_run(0), other = second.begin_run(0);
    while (one.to < one.end || other.to < other.end) {
      read_pair(one);
      read_pair(other);
    }
    first.place_ = one;
    second.place_ = other;
    first.end_row();
    second.end_row();
  }

  int quads() const { return quads_; }
  // The entries of the row that was read last, and of the row before it.
  const uint32_t* entries() const { return rows_[(y_ - 1) & 1] + kMargin; }
  const uint32_t* entries_above() const { return rows_[y_ & 1] + kMargin; }
  // Loads the entries with their excesses for a vector of quads. Zeros follow the end of a row.
  static Reg load(const uint32_t* entries) {
    return V::bit_or(V::load(entries), V::load(entries + kExcesses));
  }

 private:
  static constexpr int kQuads = V::kBytes / 4;  // per vector
  static constexpr int kMostQuads = kHtMostSide / 2;
  static constexpr int kRun = MelEvents<V>::kAhead;  // quads of a row that are processed at a time
  // Margins of a row: entries that a vector reads before it, and quads visited behind it if the
  // other of two rows is longer.
  static constexpr int kMargin = 16, kBehind = 2 * kRun;
  static constexpr int kRowQuads = kMargin + kMostQuads + kBehind;
  static constexpr int kContexts = kRowQuads,
                       kExcesses = 2 * kRowQuads;  // offsets
  static constexpr uint64_t kEven = 0x5555555555555555, kEndless = uint64_t{1} << 63;

  // Read position in a block; kept in registers.
  struct Place {
    uint64_t fresh_bits() const {
      uint64_t fresh;
      std::memcpy(&fresh, vlc + at / 8, sizeof(fresh));
      return fresh >> at % 8;
    }
    // Advances to the next pair that may have a codeword. `side`: the previous pair's contribution
    // to its context.
    [[gnu::always_inline]] void pass(uint32_t side) {
      // The lowest bit set in any of them is the next such pair; `side` sets bit 0. Pairs are at
      // even bits.
      // `ends` is not 0; std::countr_zero would test for it.
      const uint64_t ends = static_cast<uint64_t>(pairs) | events | side / kHtSide;
      const auto passed = static_cast<uint64_t>(__builtin_ctzll(ends)) & ~uint64_t{1};
      events >>= passed;
      pairs >>= passed;
      to += passed;
    }
    const uint8_t* vlc = nullptr;
    size_t at = 0;        // bits consumed
    uint64_t events = 1;  // MEL events
    int64_t pairs = 0;    // pairs with a context from above, from this one on, at even bits
    // Table index of the next quad, without the contribution of the row above. This part is known
    // before the fresh bits are.
    uint32_t ahead = 0;
    uint32_t* to = nullptr;
    uint32_t* end = nullptr;
  };

  int runs() const { return (quads_ + kRun - 1) / kRun; }
  void fill_events() { place_.events = mel_.fill(place_.events); }

  // Computes the row above's share in the contexts: samples 1 and 3 of quads around (equation 2).
  void begin_row() {
    uint32_t* const here = rows_[(y_ - 1) & 1] + kMargin;
    const uint32_t* const above = rows_[y_ & 1] + kMargin;
    for (int i = 0; i < runs(); ++i) {
      has_context_[i] =
          begin_run_of_row(here + i * kRun, above + i * kRun, std::min(quads_ - i * kRun, kRun));
    }
    V::store(here + kContexts + quads_, V::all32(kHtNoQuad));
    place_.to = here;
    place_.ahead = codeword_of(place_.fresh_bits());
  }
  [[gnu::always_inline]] static uint64_t begin_run_of_row(uint32_t* here, const uint32_t* above,
                                                          int count) {
    uint64_t has_context = 0;
    for (int q = 0; q < count; q += kQuads) {
      const Reg left = V::load(above + q - 1), middle = V::load(above + q);
      const Reg right = V::load(above + q + 1);
      // Sample 3 of the left and 1 of the middle quad; 3 of the middle and 1 of the right quad.
      static_assert(kHtNear << (kHtRhoShift + 3 - kHtCodewordBits) == 1U << (kHtRhoShift + 3));
      constexpr int kThird = kHtRhoShift + 3 - kHtCodewordBits, kFirst = kThird - 2;
      const Reg both = V::template shift_right32<kFirst>(middle);
      const Reg near = V::bit_or(V::template shift_right32<kThird>(left), both);
      const Reg far = V::bit_or(both, V::template shift_right32<kFirst - 2>(right));
      const Reg context =
          V::bit_or(V::bit_and(near, V::all32(kHtNear)), V::bit_and(far, V::all32(kHtFar)));
      V::store(here + kContexts + q, context);
      V::store(here + q, V::zero());
      V::store(here + kExcesses + q, V::zero());
      constexpr uint64_t kLanes = (uint64_t{1} << kQuads) - 1;
      const uint64_t some = ~V::equal_mask32(context, V::zero()) & kLanes;
      has_context |= some << q;
    }
    return has_context;
  }
  Place begin_run(int run) const {
    Place place = place_;
    const int first = run * kRun, count = std::min(quads_ - first, kRun);
    place.to = const_cast<uint32_t*>(entries()) + first;
    place.end = place.to + (count + 1) / 2 * 2;
    // Quads behind the end are visited, not skipped.
    const uint64_t some = has_context_[run] | UINT64_MAX << count;
    place.pairs = static_cast<int64_t>(((some | some >> 1) & kEven) | kEndless);
    place.pass(place.ahead & kHtSide);
    return place;
  }
  void end_row() { place_.at = std::min(place_.at, vlc_end_); }

  // Looks up the entry by context and bits; 0 if a MEL event says that the quad has no codeword.
  [[gnu::always_inline]] static uint32_t read_quad(const HtDecodeTable& table, uint32_t index,
                                                   uint64_t& events) {
    const uint32_t asked = (index - (1U << kHtCodewordBits)) >> 31;  // 1: no context
    const uint32_t silent = asked & ~static_cast<uint32_t>(events);
    events >>= asked;
    return table[index] & (silent - 1);
  }
  static uint32_t codeword_of(uint64_t bits) {
    return static_cast<uint32_t>(bits) & ((1U << kHtCodewordBits) - 1);
  }

  // Reads a pair of quads; reads nothing behind the end of a row.
  [[gnu::always_inline]] static void read_pair(Place& place) {
    const HtRowTables& tables = kHtRowTables[1];
    uint64_t bits = place.fresh_bits();
    const uint32_t first = read_quad(tables.quads, place.to[kContexts] | place.ahead, place.events);
    bits >>= first & kHtLengthMask;
    const uint32_t second =
        read_quad(tables.quads, place.to[kContexts + 1] | (first & kHtSide) | codeword_of(bits),
                  place.events);
    bits >>= second & kHtLengthMask;
    const uint32_t mode = excess_mode(first, second);
    uint64_t code = tables.excesses[mode | (bits & 0xff)];
    if ((code & kHtIsLong) != 0) [[unlikely]] {
      code = long_excess(bits, mode >> kHtExcessModeShift, kHtExcessTables[1]);
    }
    const uint32_t side = second & kHtSide;
    place.ahead = codeword_of(bits >> (code & kHtLengthMask)) | side;
    put_pair(place, first, second, code);
    place.pairs >>= 2;
    place.to += 2;
    place.pass(side);
  }
  [[gnu::always_inline]] static void put_pair(Place& place, uint32_t first, uint32_t second,
                                              uint64_t code) {
    place.to[0] = first;
    place.to[1] = second;
    std::memcpy(place.to + kExcesses, &code, sizeof(code));
    place.at += (first + second + code) & kHtLengthMask;
  }
  // Which quads have an excess, in the position of the table's index. In the first row, callers
  // mask the entries, which have one more bit that would interfere.
  static uint32_t excess_mode(uint32_t first, uint32_t second) {
    return (first + 2 * second) & (3 * kHtHasExcess);
  }

  static void read_first_row(HtCodewordReader& first, HtCodewordReader& second) {
    ++first.y_;
    ++second.y_;
    Place one = first.place_, other = second.place_;
    const int quads = std::max(first.quads_, second.quads_);
    for (int q = 0; q < quads; q += 2) {
      if (q < first.quads_) first.read_first_row_pair(one, q);
      if (q < second.quads_) second.read_first_row_pair(other, q);
    }
    first.place_ = one;
    second.place_ = other;
    first.end_row();
    second.end_row();
  }
  [[gnu::always_inline]] void read_first_row_pair(Place& place, int q) {
    const HtRowTables& tables = kHtRowTables[0];
    constexpr int kMostAsked = 3;  // MEL events per pair
    if (q % (kRun / kMostAsked) < 2) place.events = mel_.fill(place.events);
    uint64_t bits = place.fresh_bits();
    const uint32_t first = read_quad(tables.quads, place.ahead | codeword_of(bits), place.events);
    bits >>= first & kHtLengthMask;
    const uint32_t context = q + 1 < quads_ ? first & kHtContextMask : kHtNoQuad;
    const uint32_t second = read_quad(tables.quads, context | codeword_of(bits), place.events);
    bits >>= second & kHtLengthMask;
    uint32_t mode = excess_mode(first & kHtHasExcess, second & kHtHasExcess);
    const uint32_t asked = mode == 3 * kHtHasExcess ? 1 : 0;
    mode += (asked & static_cast<uint32_t>(place.events)) << kHtExcessModeShift;
    place.events >>= asked;
    uint64_t code = tables.excesses[mode | (bits & 0xff)];
    if ((code & kHtIsLong) != 0) {
      code = long_excess(bits, mode >> kHtExcessModeShift, kHtExcessTables[0]);
    }
    place.to = rows_[0] + kMargin + q;
    put_pair(place, first, second, code);
    place.ahead = second & kHtContextMask;
  }
  // Like HtExcessPairTable, for suffixes of any length.
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

  int quads_;  // per row
  int y_ = 0;  // rows begun
  MelEvents<V> mel_;
  Place place_;
  size_t vlc_end_;  // in bits
  uint64_t has_context_[kMostQuads / kRun];
  uint32_t rows_[2][3 * kRowQuads];  // the last two rows: entries, contexts, excesses
  UnstuffedBits<V, size_t{8} * 4096, kHtMostSide + 32> vlc_;
};

}  // namespace codecs
