// What every DXT1 encoder does once per texel block, in plain arithmetic: from a block's extremes
// to endpoints, and from endpoints to what the index search needs. Reference and vector kernels
// compile these same functions, so the choice of colours is written once; the vector kernels run
// them over arrays of blocks, which the compiler turns into vector code (no branches, no calls, no
// tables).
//
// Channels are in memory order: 0 and 2 are red and blue or blue and red, 1 is green.
#pragma once

#include <cstdint>

#include "codecs/kernels.h"

namespace codecs {

// Sixteen positions along the line of a block are told apart by t = Σ weight · channel.
struct IndexSearch {
  uint32_t weights;  // four signed bytes, in memory order; the last is 0
  uint32_t middle;   // t halfway between the endpoints; it and `inner` twice, as 16-bit numbers
  uint32_t inner;    // |t − middle| below this is an inner index
};

// A texel block as it is stored.
struct Dxt1Block {
  uint32_t endpoints;  // colour0 in the low half
  uint32_t indices;    // two bits a texel, row by row from the lowest
};

// Sums over a block's sixteen texels for a line through them, where p is a texel's place from
// colour1 (0) to colour0 (3).
struct RefitSums {
  int32_t weighted[4];  // Σ p · channel; Σ p²
  int32_t plain[4];     // Σ channel; Σ p
};

// Weights stay within ±42 so that t fits 16 bits for any pixel: 3 · 42 · 255 < 2^15.
constexpr int kMaxWeight = 42;

[[gnu::always_inline]] inline int32_t byte_of(uint32_t word, int channel) {
  return static_cast<int32_t>(word >> (8 * channel) & 0xff);
}

// round(v · 31 / 255) and round(v · 63 / 255).
[[gnu::always_inline]] inline int32_t to_5_bits(int32_t v) {
  const int32_t t = v * 31 + 128;
  return (t + (t >> 8)) >> 8;
}
[[gnu::always_inline]] inline int32_t to_6_bits(int32_t v) {
  const int32_t t = v * 63 + 128;
  return (t + (t >> 8)) >> 8;
}

// Channels 0, 1, 2 to a 5:6:5 colour.
[[gnu::always_inline]] inline int32_t pack_565(int32_t c0, int32_t c1, int32_t c2,
                                               ChannelOrder order) {
  const int32_t first_shift = order == ChannelOrder::kRgba ? 11 : 0;
  return to_5_bits(c0) << first_shift | to_6_bits(c1) << 5 | to_5_bits(c2) << (11 - first_shift);
}

// Channel 0, 1 or 2 of a 5:6:5 colour, as a decoder expands it.
[[gnu::always_inline]] inline int32_t expand_565(int32_t colour, int channel, ChannelOrder order) {
  if (channel == 1) {
    const int32_t v = colour >> 5 & 63;
    return v << 2 | v >> 4;
  }
  const bool red = (channel == 0) == (order == ChannelOrder::kRgba);
  const int32_t v = colour >> (red ? 11 : 0) & 31;
  return v << 3 | v >> 2;
}

// The endpoints as a block stores them: colour0 in the low half, colour0 >= colour1.
[[gnu::always_inline]] inline uint32_t order_endpoints(int32_t a, int32_t b) {
  const int32_t high = a > b ? a : b;
  const int32_t low = a > b ? b : a;
  return static_cast<uint32_t>(high | low << 16);
}

// Endpoints from the least and greatest value of every channel, moved inwards by a sixteenth of the
// range (half a palette step would be a sixth, but the extremes are seldom noise). Channels 0 and 2
// run against green where `falls` says so.
[[gnu::always_inline]] inline uint32_t box_endpoints(uint32_t least, uint32_t greatest,
                                                     bool falls_0, bool falls_2,
                                                     ChannelOrder order) {
  int32_t low[3], high[3];
  for (int c = 0; c < 3; ++c) {
    low[c] = byte_of(least, c);
    high[c] = byte_of(greatest, c);
    const int32_t inset = (high[c] - low[c]) >> 4;
    low[c] += inset;
    high[c] -= inset;
  }
  const int32_t a =
      pack_565(falls_0 ? low[0] : high[0], high[1], falls_2 ? low[2] : high[2], order);
  const int32_t b = pack_565(falls_0 ? high[0] : low[0], low[1], falls_2 ? high[2] : low[2], order);
  return order_endpoints(a, b);
}

// A channel as a fraction of 255 to 0 … greatest.
[[gnu::always_inline]] inline int32_t quantise(float value, float greatest) {
  const float scaled = value * (greatest / 255.0F) + 0.5F;
  const float low = scaled > 0.0F ? scaled : 0.0F;
  return static_cast<int32_t>(low < greatest ? low : greatest);
}

// The endpoints of the least-squares line through the texels at the places that their indices gave
// them; the old endpoints when all are at one place.
[[gnu::always_inline]] inline uint32_t refit_endpoints(uint32_t endpoints, const RefitSums& sums,
                                                       ChannelOrder order) {
  const int32_t determinant = 16 * sums.weighted[3] - sums.plain[3] * sums.plain[3];
  const float inverse = 1.0F / static_cast<float>(determinant > 0 ? determinant : 1);
  int32_t a = 0, b = 0;
  for (int c = 0; c < 3; ++c) {
    const int32_t product = 16 * sums.weighted[c] - sums.plain[3] * sums.plain[c];
    const float slope = static_cast<float>(product) * inverse;
    const float start =
        (static_cast<float>(sums.plain[c]) - static_cast<float>(sums.plain[3]) * slope) * 0.0625F;
    const float end = start + 3.0F * slope;
    const float greatest = c == 1 ? 63.0F : 31.0F;
    const int shift = c == 1 ? 5 : (c == 0) == (order == ChannelOrder::kRgba) ? 11 : 0;
    a |= quantise(end, greatest) << shift;
    b |= quantise(start, greatest) << shift;
  }
  const uint32_t refitted = order_endpoints(a, b);
  return determinant > 0 ? refitted : endpoints;
}

[[gnu::always_inline]] inline bool is_solid(uint32_t endpoints) {
  return (endpoints & 0xffff) == endpoints >> 16;
}

// Equal endpoints give an `inner` of 0 and weights of 0, and so only the index 0.
[[gnu::always_inline]] inline IndexSearch index_search(uint32_t endpoints, ChannelOrder order) {
  const int32_t colour0 = static_cast<int32_t>(endpoints & 0xffff);
  const int32_t colour1 = static_cast<int32_t>(endpoints >> 16);
  int32_t sum[3], span[3], longest = 1;
  for (int c = 0; c < 3; ++c) {
    const int32_t e0 = expand_565(colour0, c, order);
    const int32_t e1 = expand_565(colour1, c, order);
    sum[c] = e0 + e1;
    span[c] = e0 - e1;
    const int32_t length = span[c] < 0 ? -span[c] : span[c];
    longest = length > longest ? length : longest;
  }
  const float scale = static_cast<float>(kMaxWeight) / static_cast<float>(longest);
  uint32_t weights = 0;
  int32_t middle_twice = 0, length = 0;
  for (int c = 0; c < 3; ++c) {
    const float scaled = static_cast<float>(span[c]) * scale + (kMaxWeight + 0.5F);
    const int32_t weight = static_cast<int32_t>(scaled) - kMaxWeight;
    weights |= static_cast<uint32_t>(weight & 0xff) << (8 * c);
    middle_twice += weight * sum[c];
    length += weight * span[c];
  }
  const uint32_t third = static_cast<uint32_t>(length) * 21846 >> 16;
  const uint32_t middle = static_cast<uint32_t>(middle_twice >> 1) & 0xffff;
  return {weights, middle * 0x10001, third * 0x10001};
}

}  // namespace codecs
