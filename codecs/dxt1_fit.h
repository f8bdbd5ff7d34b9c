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

// What multiply_round makes of v · gain is round(v · 31 / 255) and round(v · 63 / 255), v a byte.
constexpr int kTo5Bits = 3984;
constexpr int kTo6Bits = 8096;

// The endpoints as a block stores them, colour0 >= colour1.
template <class I>
CODECS_INLINE I order_endpoints(I a, I b) {
  return (a > b ? a : b) | (a > b ? b : a) << 16;
}

// Whether two channels rise together or against each other is the sign of their covariance over the
// block: kGood takes it from the means of the first two rows and of the last two, halved; kFast
// from what each mean of the first two rows has over one of the last two, a column to the right
// (the last one's neighbour is the first). Uneven neighbours: no plain pattern of columns has all
// equal. Differences are held to a signed byte and made odd, as -128 has no opposite among those.
constexpr int kColumnToTheRight[4] = {1, 2, 3, 0};

// Endpoints move inwards by a 16th of the box, by a 32nd more where a refit follows. Photographs
// gain from a larger inset and hard edges lose by it; a refit makes up for that.
constexpr int kInsetShift = 4;
constexpr int kRefitInsetShift = 5;

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

// How texels are placed between a block's colours: by how far t = Σ weight · channel lies from
// that of colour0, in kPlaceSteps steps to colour1, rounded down and never below 0. Weights stay
// within ±42 so that t fits 16 bits for any pixel: 3 · 42 · 255 < 2^15.
constexpr int kMaxWeight = 42;
constexpr int kPlaceSteps = 6;

// To index and, as RefitSums has it, to place; the last entry holds for all steps beyond, of which
// there may be any number.
constexpr uint8_t kIndexOfStep[16] = {0, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr uint8_t kPlaceOfStep[16] = {3, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

// Differences of colours are held 64-fold, to use 16 bits well. The weights of a block are its
// differences times kWeightScale / longest, by multiply_round. So the difference of t between the
// colours is kMaxWeight · square / longest but for the rounding of weights, where square is the
// sum of the squared differences, and a step is a 2^16th of kStepScale · longest / square. No two
// colours are nearer than one step of green, kLeastSpan.
constexpr int kSpanScale = 64;
constexpr int kLeastSpan = 4 * kSpanScale;
constexpr float kWeightScale = static_cast<float>(kMaxWeight) * 32768;
constexpr float kStepScale = static_cast<float>(kPlaceSteps) * 65536 * kSpanScale / kMaxWeight;

}  // namespace codecs
