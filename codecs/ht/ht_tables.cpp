#include "codecs/ht/ht_tables.h"

#include <algorithm>

#include "codecs/ht/ht_codewords.h"

namespace codecs {
namespace {

struct Codeword {
  unsigned context, rho, excess, known, ones, bits, length;
};

constexpr Codeword unpacked(uint32_t row) {
  return {row >> 28,      row >> 24 & 15,  row >> 20 & 15, row >> 16 & 15,
          row >> 12 & 15, row >> 4 & 0xff, row & 15};
}

// Chooses, among the matching rows, the one that determines most exponents; of equals the last.
template <size_t kRows>
constexpr HtEncodeTable encode_table(const std::array<uint32_t, kRows>& rows) {
  HtEncodeTable table{};
  std::array<int, kHtContexts * 256> most_known{};
  for (const uint32_t packed : rows) {
    const Codeword row = unpacked(packed);
    const int known = 1 + std::popcount(row.known);
    for (unsigned at_bound = 0; at_bound < 16; ++at_bound) {
      if ((at_bound & ~row.rho) != 0 || (at_bound != 0) != (row.excess != 0)) continue;
      if ((at_bound & row.known) != row.ones) continue;
      const size_t i = row.context << 8 | row.rho << 4 | at_bound;
      if (known < most_known[i]) continue;
      most_known[i] = known;
      table[i] = static_cast<uint16_t>(row.bits << kHtEncodeCodewordShift |
                                       row.length << kHtEncodeLengthShift | row.known);
    }
  }
  return table;
}

// Equations 1 and 2: the contribution of the left quad's samples to the context.
constexpr uint32_t given_context(unsigned rho, bool first_row) {
  const bool left = (rho & 0b0011) != 0, right = (rho & 0b1100) != 0;
  if (!first_row) return right ? kHtSide : 0;
  return (left ? kHtNear : 0) | ((rho & 0b0100) != 0 ? kHtSide : 0) |
         ((rho & 0b1000) != 0 ? kHtFar : 0);
}

template <size_t kRows>
constexpr HtDecodeTable decode_table(const std::array<uint32_t, kRows>& rows, bool first_row) {
  HtDecodeTable table{};
  for (const uint32_t packed : rows) {
    const Codeword row = unpacked(packed);
    const uint32_t excess = row.excess != 0 ? kHtHasExcess : 0;
    for (unsigned bits = row.bits; bits < 1U << kHtCodewordBits; bits += 1U << row.length) {
      table[row.context << kHtCodewordBits | bits] =
          row.known << kHtKnownShift | row.ones << kHtOneShift | row.rho << kHtRhoShift | excess |
          given_context(row.rho, first_row) | row.length;
    }
  }
  return table;
}

struct Prefix {
  uint8_t bits, suffix_bits, base;
};

constexpr Prefix prefix_of(unsigned bits) {
  if ((bits & 1) != 0) return {1, 0, 1};
  if ((bits & 2) != 0) return {2, 0, 2};
  if ((bits & 4) != 0) return {3, 1, 3};
  return {3, 5, 5};
}

constexpr HtExcessPair excess_pair(unsigned mode, unsigned bits, bool first_row) {
  constexpr Prefix kNone{0, 0, 0};
  const bool both_more_than_two = mode == 4, both = mode == 3;
  const Prefix first = (mode & 1) != 0 || both_more_than_two ? prefix_of(bits) : kNone;
  bits >>= first.bits;
  Prefix second = (mode & 2) != 0 || both_more_than_two ? prefix_of(bits) : kNone;
  // In the first row of quads, if the first excess is more than two, the second is at most two: it
  // is coded as one bit.
  if (first_row && both && first.base > 2) {
    second = {1, 0, static_cast<uint8_t>(1 + (bits & 1))};
  }
  const int more = both_more_than_two ? 2 : 0;
  return {static_cast<uint8_t>(first.bits + second.bits),
          static_cast<uint8_t>(first.suffix_bits + second.suffix_bits), first.suffix_bits,
          static_cast<uint8_t>(first.base + more), static_cast<uint8_t>(second.base + more)};
}

constexpr HtExcessTable excess_table(bool first_row) {
  HtExcessTable table{};
  for (unsigned i = 0; i < table.size(); ++i) table[i] = excess_pair(i >> 6, i & 63, first_row);
  return table;
}

// Concatenated bits, the first lowest.
struct Bits {
  uint32_t bits = 0;
  unsigned count = 0;

  constexpr void add(uint32_t more, unsigned length) {
    bits |= more << count;
    count += length;
  }
};

constexpr uint32_t excess_pair_code(int first, int second, bool first_row) {
  const bool both = first_row && first > 0 && second > 0;
  const bool both_more_than_two = both && std::min(first, second) > 2;
  const int less = both_more_than_two ? 2 : 0;
  const HtExcessCode one = ht_excess_code(first - less), other = ht_excess_code(second - less);
  Bits code;
  code.add(one.prefix, one.prefix_bits);
  if (both && !both_more_than_two && first > 2) {
    code.add(static_cast<uint32_t>(second - 1), 1);
    code.add(one.suffix, one.suffix_bits);
  } else {
    code.add(other.prefix, other.prefix_bits);
    code.add(one.suffix, one.suffix_bits);
    code.add(other.suffix, other.suffix_bits);
  }
  return code.bits << 8 | code.count;
}

constexpr HtExcessPairCodes excess_pair_codes(bool first_row) {
  HtExcessPairCodes codes{};
  for (int i = 0; i < 256; ++i) {
    codes[static_cast<size_t>(i)] = excess_pair_code(i >> 4, i & 15, first_row);
  }
  return codes;
}

constexpr uint64_t short_excess_pair(unsigned mode, unsigned bits, bool first_row) {
  const HtExcessPair pair = excess_pair(mode, bits & 63, first_row);
  const unsigned second_bits = pair.suffix_bits - pair.first_suffix_bits;
  if (pair.first_suffix_bits > 1 || second_bits > 1) return kHtIsLong;
  bits >>= pair.prefix_bits;
  const unsigned first = pair.first + (bits & ((1U << pair.first_suffix_bits) - 1));
  bits >>= pair.first_suffix_bits;
  const unsigned second = pair.second + (bits & ((1U << second_bits) - 1));
  return static_cast<uint64_t>(pair.prefix_bits + pair.suffix_bits) | ht_excesses(first, second);
}

constexpr HtExcessPairTable excess_pair_table(bool first_row) {
  HtExcessPairTable table{};
  for (unsigned mode = 0; mode < kHtExcessModes; ++mode) {
    for (unsigned bits = 0; bits < 256; ++bits) {
      table[mode << kHtExcessModeShift | bits] = short_excess_pair(mode, bits, first_row);
    }
  }
  return table;
}

// Decodes as many codes as are complete and whose events fit.
constexpr uint64_t mel_events(size_t state, unsigned bits) {
  constexpr int kMostEvents = 32;
  uint64_t events = 0;
  int count = 0, used = 0;
  while (used < kHtMelBits) {
    const int exponent = kHtMelExponents[state];
    const unsigned left = bits & ((1U << (kHtMelBits - used)) - 1);  // the next bit is the highest
    const bool whole = left >> (kHtMelBits - 1 - used) != 0;
    const int length = whole ? 1 : 1 + exponent;
    if (used + length > kHtMelBits) break;
    const auto zeros = static_cast<int>(left >> (kHtMelBits - used - length));
    const int more = whole ? 1 << exponent : zeros + 1;
    if (count + more > kMostEvents) break;
    if (!whole) events |= uint64_t{1} << (count + zeros);
    count += more;
    used += length;
    state = kHtMelStates[whole ? 1 : 0][state];
  }
  return events | static_cast<uint64_t>(count) << kHtMelCountShift |
         static_cast<uint64_t>(used) << kHtMelUsedShift |
         static_cast<uint64_t>(state << kHtMelBits) << kHtMelStateShift;
}

constexpr HtMelTable mel_table() {
  HtMelTable table{};
  for (size_t i = 0; i < table.size(); ++i) {
    table[i] = mel_events(i >> kHtMelBits, static_cast<unsigned>(i & ((1U << kHtMelBits) - 1)));
  }
  return table;
}

}  // namespace

constexpr std::array<HtRowTables, 2> kHtRowTables = {
    HtRowTables{decode_table(kHtFirstRowCodewords, true), excess_pair_table(true)},
    HtRowTables{decode_table(kHtOtherRowsCodewords, false), excess_pair_table(false)}};
constexpr HtMelTable kHtMelTable = mel_table();
constexpr std::array<HtExcessPairCodes, 2> kHtExcessPairCodes = {excess_pair_codes(true),
                                                                 excess_pair_codes(false)};
constexpr std::array<HtEncodeTable, 2> kHtEncodeTables = {encode_table(kHtFirstRowCodewords),
                                                          encode_table(kHtOtherRowsCodewords)};
constexpr std::array<HtExcessTable, 2> kHtExcessTables = {excess_table(true), excess_table(false)};

}  // namespace codecs
