// What every DXT1 encoder does once per texel block: from a block's extremes to endpoints, and from
// endpoints to what the index search needs. Written once for the reference, where `I` is int32_t
// and a call looks at one block, and for vector kernels, where `I` is a vector of int32_t (a
// compiler's vector type, with the same operators) and a call looks at many. Floats follow IEEE 754
// to the letter, so both give the same bits.
//
// Channels are in memory order: 0 and 2 are red and blue or blue and red, 1 is green.
#pragma once

#include <cstdint>

#include "codecs/dxt1_block.h"
#include "codecs/kernels.h"

// Part of the caller's instruction set, whatever that is.
#define CODECS_INLINE [[gnu::always_inline]] inline

namespace codecs {

using Ints4 = int32_t __attribute__((vector_size(16)));
using Ints8 = int32_t __attribute__((vector_size(32)));
using Ints16 = int32_t __attribute__((vector_size(64)));

template <class I>
struct FloatsOf;
template <>
struct FloatsOf<int32_t> {
  using Type = float;
};
template <>
struct FloatsOf<Ints4> {
  using Type = float __attribute__((vector_size(16)));
};
template <>
struct FloatsOf<Ints8> {
  using Type = float __attribute__((vector_size(32)));
};
template <>
struct FloatsOf<Ints16> {
  using Type = float __attribute__((vector_size(64)));
};
template <class I>
using Floats = typename FloatsOf<I>::Type;

template <class I>
CODECS_INLINE Floats<I> to_floats(I value) {
  if constexpr (sizeof(I) == sizeof(int32_t)) {
    return static_cast<float>(value);
  } else {
    return __builtin_convertvector(value, Floats<I>);
  }
}

// Rounds towards zero.
template <class I>
CODECS_INLINE I to_ints(Floats<I> value) {
  if constexpr (sizeof(I) == sizeof(int32_t)) {
    return static_cast<int32_t>(value);
  } else {
    return __builtin_convertvector(value, I);
  }
}

// Channel 0, 1 or 2 of a 5:6:5 colour, as a decoder expands it.
template <class I>
CODECS_INLINE I expand_565(I colour, int channel, ChannelOrder order) {
  if (channel == 1) {
    const I v = colour >> 5 & 63;
    return v << 2 | v >> 4;
  }
  const I v = colour >> shift_565(channel, order) & 31;
  return v << 3 | v >> 2;
}

// round(v · greatest / 255).
template <class I>
CODECS_INLINE I to_levels(I v, int greatest) {
  const I scaled = v * greatest + 128;
  return (scaled + (scaled >> 8)) >> 8;
}

// The endpoints as a block stores them, colour0 >= colour1.
template <class I>
CODECS_INLINE I order_endpoints(I a, I b) {
  return (a > b ? a : b) | (a > b ? b : a) << 16;
}

// Bits of `falls`, set where one channel falls as the other rises: channel 0 and green, channel 2
// and green, channels 0 and 2.
constexpr int kChannel0Falls = 7;
constexpr int kChannel2Falls = 23;
constexpr int kChannels02Fall = 31;

// Photographs gain from a larger inset and hard edges lose by it; a refit makes up for that.
constexpr int kFastInset = 2;
constexpr int kGoodInset = 3;

// Endpoints from the least and greatest value of every channel, along the diagonal of that box that
// `falls` asks for: as green runs, or as channel 0 does where green has the least to say. They move
// inwards by `inset` 32nds of the range.
template <class I>
CODECS_INLINE I box_endpoints(I least, I greatest, I falls, int inset, ChannelOrder order) {
  I low[3], high[3], range[3];
  for (int c = 0; c < 3; ++c) {
    low[c] = least >> (8 * c) & 0xff;
    high[c] = greatest >> (8 * c) & 0xff;
    range[c] = high[c] - low[c];
    const I step = range[c] * inset >> 5;
    low[c] = to_levels<I>(low[c] + step, c == 1 ? 63 : 31);
    high[c] = to_levels<I>(high[c] - step, c == 1 ? 63 : 31);
  }
  const I falls_0 = falls >> kChannel0Falls & 1;
  const I falls_2_by_green = falls >> kChannel2Falls & 1;
  const I falls_2_by_0 = (falls >> kChannels02Fall & 1) ^ falls_0;
  const I other_range = range[0] < range[2] ? range[0] : range[2];
  const I falls_2 = range[1] < other_range ? falls_2_by_0 : falls_2_by_green;
  const int shift_0 = shift_565(0, order), shift_2 = shift_565(2, order);
  const I a = (falls_0 != 0 ? low[0] : high[0]) << shift_0 | high[1] << 5 |
              (falls_2 != 0 ? low[2] : high[2]) << shift_2;
  const I b = (falls_0 != 0 ? high[0] : low[0]) << shift_0 | low[1] << 5 |
              (falls_2 != 0 ? high[2] : low[2]) << shift_2;
  return order_endpoints(a, b);
}

// Sums over a block's sixteen texels for a line through them, where p is a texel's place from
// colour1 (0) to colour0 (3).
template <class I>
struct RefitSums {
  I weighted[4];  // Σ p · channel; Σ p²
  I plain[4];     // Σ channel; Σ p
};

// A channel as a fraction of 255 to 0 … greatest.
template <class I>
CODECS_INLINE I quantise(Floats<I> value, float greatest) {
  const Floats<I> scaled = value * (greatest / 255.0F) + 0.5F;
  const Floats<I> low = scaled > 0.0F ? scaled : scaled * 0.0F;
  const Floats<I> limit = low * 0.0F + greatest;
  return to_ints<I>(low < limit ? low : limit);
}

// The endpoints of the least-squares line through the texels at the places that their indices gave
// them; the old endpoints when all are at one place.
template <class I>
CODECS_INLINE I refit_endpoints(I endpoints, const RefitSums<I>& sums, ChannelOrder order) {
  const I determinant = 16 * sums.weighted[3] - sums.plain[3] * sums.plain[3];
  const Floats<I> inverse = 1.0F / to_floats<I>(determinant > 0 ? determinant : determinant + 1);
  I a = endpoints & 0, b = a;
  for (int c = 0; c < 3; ++c) {
    const I product = 16 * sums.weighted[c] - sums.plain[3] * sums.plain[c];
    const Floats<I> slope = to_floats<I>(product) * inverse;
    const Floats<I> start =
        (to_floats<I>(sums.plain[c]) - to_floats<I>(sums.plain[3]) * slope) * 0.0625F;
    const Floats<I> end = start + 3.0F * slope;
    const float greatest = c == 1 ? 63.0F : 31.0F;
    a |= quantise<I>(end, greatest) << shift_565(c, order);
    b |= quantise<I>(start, greatest) << shift_565(c, order);
  }
  return determinant > 0 ? order_endpoints(a, b) : endpoints;
}

// Sixteen positions along the line of a block are told apart by t = Σ weight · channel.
template <class I>
struct IndexSearch {
  I weights;  // four signed bytes, in memory order; the last is 0
  I middle;   // t halfway between the endpoints; it and `inner` twice, as 16-bit numbers
  I inner;    // |t − middle| below this is an inner index
};

// Weights stay within ±42 so that t fits 16 bits for any pixel: 3 · 42 · 255 < 2^15.
constexpr float kMaxWeight = 42.0F;

// Equal endpoints give an `inner` of 0 and weights of 0, and so only the index 0.
template <class I>
CODECS_INLINE IndexSearch<I> index_search(I endpoints, ChannelOrder order) {
  const I colour0 = endpoints & 0xffff;
  const I colour1 = endpoints >> 16 & 0xffff;
  I sum[3], span[3], longest = (endpoints & 0) + 1;
  for (int c = 0; c < 3; ++c) {
    const I e0 = expand_565(colour0, c, order);
    const I e1 = expand_565(colour1, c, order);
    sum[c] = e0 + e1;
    span[c] = e0 - e1;
    const I length = span[c] < 0 ? -span[c] : span[c];
    longest = length > longest ? length : longest;
  }
  const Floats<I> scale = kMaxWeight / to_floats<I>(longest);
  I weights = endpoints & 0, middle_twice = weights, length = weights;
  for (int c = 0; c < 3; ++c) {
    // Above zero, so that it rounds to the nearest.
    const Floats<I> scaled = to_floats<I>(span[c]) * scale + (kMaxWeight + 0.5F);
    const I weight = to_ints<I>(scaled) - static_cast<int32_t>(kMaxWeight);
    weights |= (weight & 0xff) << (8 * c);
    middle_twice += weight * sum[c];
    length += weight * span[c];
  }
  const I third = length * 21846 >> 16;
  const I middle = middle_twice >> 1 & 0xffff;
  return {weights, middle | middle << 16, third | third << 16};
}

}  // namespace codecs
