// Tables of the HT block coder, computed at compile time from the standard's codewords. Internal to
// codecs/. Names from T.814: rho: significance of a quad's four samples, bit n for sample n (0 and
// 1: the left column from the top, 2 and 3: the right one); U: the bound of their exponents; kappa:
// the part of it known in advance; u = U − kappa; e_k and e_1: as in ht_codewords.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace codecs {

constexpr int kHtContexts = 8;
constexpr int kHtCodewordBits = 7;  // the longest codeword
// Limits of a code-block's side and number of samples.
constexpr int kHtMostSide = 1024;
constexpr int kHtMostSamples = 4096;

// Code of a quad, indexed by (context << 8 | rho << 4 | samples with exponent U, none if u is 0):
// codeword << 8 | length << 4 | e_k.
using HtEncodeTable = std::array<uint16_t, kHtContexts * 256>;
constexpr int kHtEncodeLengthShift = 4, kHtEncodeCodewordShift = 8;
constexpr uint32_t kHtEncodeLengthMask = 7;

// Decoded quad, indexed by (context << 7 | the next seven bits). Each field is at the position
// where it is needed next: the codeword's length in the lowest six bits, as a shift count; the
// contribution to the right quad's context at its position in the index; u_off at the position of a
// pair's first quad in the index of HtExcessPairTable; rho, e_1, e_k. The highest byte is free for
// the excess. 0: no codeword, as for contexts from kHtContexts on: quads outside the block.
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

// Code of an excess u (T.814, table 3): prefix, then suffix, the first bit lowest. Codes from 33 on
// have an extension, which samples of at most 31 bits never need.
struct HtExcessCode {
  uint8_t prefix;
  uint8_t prefix_bits;
  uint8_t suffix;
  uint8_t suffix_bits;
};
constexpr HtExcessCode ht_excess_code(int u) {
  if (u == 0) return {0, 0, 0, 0};
  if (u == 1) return {1, 1, 0, 0};
  if (u == 2) return {2, 2, 0, 0};
  if (u <= 4) return {4, 3, static_cast<uint8_t>(u - 3), 1};
  return {0, 3, static_cast<uint8_t>(u - 5), 5};
}

// Code of a pair's excesses below 16, indexed by (first << 4 | second): bits << 8 | number of bits.
using HtExcessPairCodes = std::array<uint32_t, 256>;
extern const std::array<HtExcessPairCodes, 2> kHtExcessPairCodes;

// Excess prefixes of a pair of quads, indexed by (mode << 6 | the next six bits). Modes 0 … 3:
// which quads have an excess (bit 0: the first). Mode 4 (first row of quads): both exceed two.
struct HtExcessPair {
  uint8_t prefix_bits;  // of both quads
  uint8_t suffix_bits;  // of both quads
  uint8_t first_suffix_bits;
  uint8_t first;  // excess without its suffix
  uint8_t second;
};
constexpr int kHtExcessModes = 5;
using HtExcessTable = std::array<HtExcessPair, kHtExcessModes * 64>;
extern const std::array<HtExcessTable, 2> kHtExcessTables;

// The same including suffixes of at most one bit, indexed by (mode << kHtExcessModeShift | the next
// eight bits). The lowest six bits hold the length of both codes; kHtIsLong is set if a suffix is
// longer. The excesses are at kHtExcessShift of each half, the first in the lower half.
using HtExcessPairTable = std::array<uint64_t, ((kHtExcessModes - 1) << kHtExcessModeShift) + 256>;
constexpr uint64_t kHtIsLong = 1U << 8;
constexpr uint64_t ht_excesses(unsigned first, unsigned second) {
  return static_cast<uint64_t>(first) << kHtExcessShift | static_cast<uint64_t>(second)
                                                              << (32 + kHtExcessShift);
}

// The tables for decoding a row of quads, contiguous. [0]: the first row, [1]: the others.
struct HtRowTables {
  HtDecodeTable quads;
  HtExcessPairTable excesses;
};
extern const std::array<HtRowTables, 2> kHtRowTables;

// Adaptive run-length code MEL (T.814, table 2): a run of 2^exponent zeros is one bit.
constexpr std::array<uint8_t, 13> kHtMelExponents = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5};

// The next state after a run that ends with a one ([0]) and after a full run ([1]).
constexpr std::array<uint8_t, 13> kHtMelStates[] = {{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                                    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12}};

// Decodes the next six bits of MEL, indexed by (state << kHtMelBits | the bits): the events in the
// lower half, the next one lowest; their number, at most 32; the bits consumed; and the next state,
// at its position in the index.
constexpr int kHtMelBits = 6;
using HtMelTable = std::array<uint64_t, kHtMelExponents.size() << kHtMelBits>;
extern const HtMelTable kHtMelTable;
constexpr int kHtMelCountShift = 32, kHtMelUsedShift = 40, kHtMelStateShift = 48;

// Number of bits up to the highest that is set.
constexpr int bit_length(uint32_t value) {
  return static_cast<int>(std::bit_width(value));
}

}  // namespace codecs
