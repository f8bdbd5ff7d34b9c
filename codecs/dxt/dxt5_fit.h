// The per-block work of encoders of alpha blocks (the first half of BC3), for the reference and for
// vectors as in dxt1_fit.h. Blocks have eight levels: alpha0 > alpha1, or equal and all indices 0.
#pragma once

#include <cstdint>

#include "codecs/dxt/dxt1_fit.h"

namespace codecs {

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
