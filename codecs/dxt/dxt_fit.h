// The per-block work of every encoder of colour and alpha blocks: from a block's extremes to
// endpoints, and from endpoints to the inputs of the index search. Written once for the reference,
// where `I` is int32_t and a call handles one block, and for vector kernels, where `I` is a
// compiler vector of int32_t with the same operators and a call handles many blocks. Floats follow
// IEEE 754 strictly, so both give the same bits.
//
// Channels are in memory order: 0 and 2 are red and blue or blue and red, 1 is green.
#pragma once

#include <cstdint>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/simd/kernels.h"

// Always inlined, so that the code is compiled for the caller's instruction set.
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

// Channel 0, 1 or 2 of a 5:6:5 colour, expanded as decoders do.
template <class I>
CODECS_INLINE I expand_565(I colour, int channel, ChannelOrder order) {
  if (channel == 1) {
    const I v = colour >> 5 & 63;
    return v << 2 | v >> 4;
  }
  const I v = colour >> shift_565(channel, order) & 31;
  return v << 3 | v >> 2;
}

// multiply_round(v, gain) is round(v · 31 / 255) or round(v · 63 / 255) for a byte v.
constexpr int kTo5Bits = 3984;
constexpr int kTo6Bits = 8096;

// The endpoints as stored in a block, with colour0 >= colour1.
template <class I>
CODECS_INLINE I order_endpoints(I a, I b) {
  return (a > b ? a : b) | (a > b ? b : a) << 16;
}

// The sign of the covariance over the block tells whether two channels rise together or in
// opposition. kGood computes it from all texels, with halved values. kFast computes it from the
// differences between the column means of the first two rows and those of the last two rows,
// shifted one column to the right (the last column's partner is the first). Because of the shift,
// no simple pattern of columns makes all differences zero. Rows or checks of single texels do, and
// kFast may then take the wrong diagonal. Single texels instead of means would detect those but
// lose 1 to 2 dB in noise. Differences are clamped to a signed byte and made odd, since -128 has no
// negative there.
constexpr int kColumnToTheRight[4] = {1, 2, 3, 0};

// Endpoints move inwards by 1/16 of the box, and by a further 1/32 if a refit follows. Photographs
// gain from a larger inset and hard edges lose; the refit compensates the loss.
constexpr int kInsetShift = 4;
constexpr int kRefitInsetShift = 5;

// Sums over a block's texels for a line fit; p: a texel's position from colour1 (0) to colour0 (3).
template <class I>
struct RefitSums {
  I weighted[4];  // [0 … 2]: Σ p · channel; [3]: Σ p²
  I plain[4];     // [0 … 2]: Σ channel; [3]: Σ p
};

// Quantises a channel from 0 … 255 to 0 … greatest.
template <class I>
CODECS_INLINE I quantise(Floats<I> value, float greatest) {
  const Floats<I> scaled = value * (greatest / 255.0F) + 0.5F;
  const Floats<I> low = scaled > 0.0F ? scaled : scaled * 0.0F;
  const Floats<I> limit = low * 0.0F + greatest;
  return to_ints<I>(low < limit ? low : limit);
}

// The endpoints of the least-squares line through the texels, whose positions come from their
// indices. Keeps the old endpoints if all positions are equal.
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

// A texel's position between a block's colours is the distance of t = Σ weight · channel from
// colour0's t, in kPlaceSteps steps to colour1, rounded down and never below 0. Weights stay within
// ±42 so that t fits 16 bits for any pixel: 3 · 42 · 255 < 2^15.
constexpr int kMaxWeight = 42;
constexpr int kPlaceSteps = 6;

// Index and RefitSums position by step; the last entry holds for all larger steps.
constexpr uint8_t kIndexOfStep[16] = {0, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr uint8_t kPlaceOfStep[16] = {3, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

// Colour differences are scaled by 64 to use the range of 16 bits. A block's weights are its
// differences times kWeightScale / longest, by multiply_round. Apart from rounding of the weights,
// t differs between the colours by kMaxWeight · square / longest, where square is the sum of the
// squared differences. A step is kStepScale · longest / square, in 1/2^16. kLeastSpan, one step of
// green, is the smallest difference of two colours.
constexpr int kSpanScale = 64;
constexpr int kLeastSpan = 4 * kSpanScale;
constexpr float kWeightScale = static_cast<float>(kMaxWeight) * 32768;
constexpr float kStepScale = static_cast<float>(kPlaceSteps) * 65536 * kSpanScale / kMaxWeight;

// Alpha blocks (the first half of BC3) have eight levels: alpha0 > alpha1, or equal and all indices
// 0.
constexpr int kAlphaSteps = 7;

// A value's step down from alpha0, 0 … 7, is ((8 · d + bias) · multiplier) >> 16, at most 7, where
// d is alpha0 − value, at least 0. The factors fit 16 bits for any range.
template <class I>
struct AlphaSearch {
  I bias;        // half a step in units of 8 · d; 0 … 145
  I multiplier;  // unsigned 16 bits
};

template <class I>
CODECS_INLINE AlphaSearch<I> alpha_search(I high, I low) {
  const I range = high - low;
  const I divisor = range > 0 ? range : range + 1;
  const I multiplier = to_ints<I>(8192.0F * kAlphaSteps / to_floats<I>(divisor) + 0.5F);
  return {range * 585 >> 10, range > 0 ? multiplier : range & 0};
}

}  // namespace codecs
