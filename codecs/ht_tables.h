// Tables of the HT block coder, made of the standard's codewords when the program is compiled.
// Internal to codecs/. Names of T.814: rho: significance of a quad's four samples, bit n for sample
// n (0 and 1: the left column from above, 2 and 3: the right one); U: the bound of their exponents,
// kappa: what is known of it beforehand, u = U − kappa; e_k and e_1: as in ht_codewords.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace codecs {

constexpr int kHtContexts = 8;
constexpr int kHtCodewordBits = 7;  // the longest
// Sides and samples of a code-block.
constexpr int kHtMostSide = 1024;
constexpr int kHtMostSamples = 4096;

// What a quad is coded as, by (context << 8 | rho << 4 | samples whose exponent is U, none if u is
// 0): codeword << 8 | length << 4 | e_k.
using HtEncodeTable = std::array<uint16_t, kHtContexts * 256>;
constexpr int kHtEncodeLengthShift = 4, kHtEncodeCodewordShift = 8;
constexpr uint32_t kHtEncodeLengthMask = 7;

// What a quad is, by (context << 7 | the next seven bits), with everything where it is needed next:
// the codeword's length in the lowest six bits, to be shifted by; what it gives to the context of
// the quad to its right where that stands in the index; u_off, where a pair's first quad has it in
// the index of HtExcessPairTable; rho, e_1, e_k. The highest byte is left
// for the excess. 0: no codeword, as for the contexts beyond kHtContexts, of quads that are not
// there.
using HtDecodeTable = std::array<uint32_t, 2 * kHtContexts << kHtCodewordBits>;
constexpr uint32_t kHtLengthMask = 63;
constexpr uint32_t kHtNear = 1U << kHtCodewordBits, kHtSide = kHtNear << 1, kHtFar = kHtNear << 2;
constexpr uint32_t kHtNoQuad = kHtFar << 1;
constexpr uint32_t kHtContextMask = kHtNear | kHtSide | kHtFar;
constexpr int kHtExcessModeShift = 10;
constexpr uint32_t kHtHasExcess = 1U << kHtExcessModeShift;
constexpr int kHtRhoShift = 12, kHtOneShift = 16, kHtKnownShift = 20, kHtExcessShift = 24;

// [0]: for the first row of quads, [1]: for the others.
extern const std::array<HtEncodeTable, 2> kHtEncodeTables;

// The code of an excess u (T.814, table 3): prefix, then suffix, the first bit lowest. Codes of 33
// and more have an extension; no quad of samples with at most 31 bits has one.
struct HtExcessCode {
  uint8_t prefix;
  uint8_t prefix_bits;
  uint8_t suffix;
  uint8_t suffix_bits;
};
constexpr int kHtMostExcess = 32;
constexpr HtExcessCode ht_excess_code(int u) {
  if (u == 0) return {0, 0, 0, 0};
  if (u == 1) return {1, 1, 0, 0};
  if (u == 2) return {2, 2, 0, 0};
  if (u <= 4) return {4, 3, static_cast<uint8_t>(u - 3), 1};
  return {0, 3, static_cast<uint8_t>(u - 5), 5};
}

// The code of a pair's excesses below 16, by (first << 4 | second): bits << 8 | how many.
using HtExcessPairCodes = std::array<uint32_t, 256>;
extern const std::array<HtExcessPairCodes, 2> kHtExcessPairCodes;

// The prefixes of a pair of quads, by (mode << 6 | the next six bits). Modes 0 … 3 say which of
// them have an excess (bit 0: the first); 4, in the first row of quads: both have more than two.
struct HtExcessPair {
  uint8_t prefix_bits;  // of both
  uint8_t suffix_bits;  // of both
  uint8_t first_suffix_bits;
  uint8_t first;  // without its suffix
  uint8_t second;
};
constexpr int kHtExcessModes = 5;
using HtExcessTable = std::array<HtExcessPair, kHtExcessModes * 64>;
extern const std::array<HtExcessTable, 2> kHtExcessTables;

// The same, with suffixes of a bit or none, by (mode << kHtExcessModeShift | the
// next eight bits): how many bits both codes take in the lowest six, kHtIsLong where a suffix is
// longer; the excesses at kHtExcessShift of each half, the first in the lower one.
using HtExcessPairTable = std::array<uint64_t, ((kHtExcessModes - 1) << kHtExcessModeShift) + 256>;
constexpr uint64_t kHtIsLong = 1U << 8;
constexpr uint64_t ht_excesses(unsigned first, unsigned second) {
  return static_cast<uint64_t>(first) << kHtExcessShift | static_cast<uint64_t>(second)
                                                              << (32 + kHtExcessShift);
}

// What a row of quads is decoded by, in one place. [0]: the first one, [1]: the others.
struct HtRowTables {
  HtDecodeTable quads;
  HtExcessPairTable excesses;
};
extern const std::array<HtRowTables, 2> kHtRowTables;

// Of the adaptive run-length code MEL (T.814, table 2): a run of 2^exponent zeros is one bit.
constexpr std::array<uint8_t, 13> kHtMelExponents = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5};

// The state behind a run that a one ends, and behind a whole one.
constexpr std::array<uint8_t, 13> kHtMelStates[] = {{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12}};

// What the next six bits of it say, by (state << kHtMelBits | the bits): events in the lower half,
// the next one lowest; how many they are, at most 32; how many of the bits are gone then; and the
// state behind them, as it stands in the index.
constexpr int kHtMelBits = 6;
using HtMelTable = std::array<uint64_t, kHtMelExponents.size() << kHtMelBits>;
extern const HtMelTable kHtMelTable;
constexpr int kHtMelCountShift = 32, kHtMelUsedShift = 40, kHtMelStateShift = 48;

// The bits of a number from the first to the highest that is set.
constexpr int bit_length(uint32_t value) {
  return static_cast<int>(std::bit_width(value));
}

}  // namespace codecs
