// What the DXT1 encoders of YUV 4:2:0 share: the axis of a block in YUV. Written once for the
// reference, where `I` is int32_t, and for vectors, as dxt1_fit.h has it.
//
// A texel block is sixteen samples of luma and four of Cb and of Cr. Its box, diagonal and inset
// are found there; only the two ends become red, green and blue. The dot product of a texel with
// the difference d of the colours, d · (M · yuv + offset), is (Mᵀ · d) · yuv and a constant, so
// texels are placed without being converted, too. Texels outside of the RGB cube are placed as they
// are, not clamped.
//
// What is known of a block in YUV stands in the bytes of a dword: Y, 0, Cb, Cr.
#pragma once

#include <cstdint>

#include "codecs/dxt1_block.h"
#include "codecs/dxt1_fit.h"
#include "codecs/yuv_matrix.h"

namespace codecs {

// M as fractions.
struct YuvGains {
  float luma;
  float cr_to_red;
  float cb_to_green;
  float cr_to_green;
  float cb_to_blue;
};

CODECS_INLINE YuvGains gains_of(const YuvMatrix& m) {
  constexpr float kLumaUnit = 257.0F / (64 * 65536), kChromaUnit = 1.0F / 8192;
  return {.luma = static_cast<float>(m.luma) * kLumaUnit,
          .cr_to_red = static_cast<float>(m.cr_to_red) * kChromaUnit,
          .cb_to_green = static_cast<float>(m.cb_to_green) * kChromaUnit,
          .cr_to_green = static_cast<float>(m.cr_to_green) * kChromaUnit,
          .cb_to_blue = static_cast<float>(m.cb_to_blue) * kChromaUnit};
}

// The colours of a block still in the order of their YUV ends, first less second.
template <class I>
struct YuvSpan {
  I blue;
  I green;
  I red;
  I square;  // of the length, at least 1
  I error;   // the dot product with what the first colour has over its YUV end, in 64ths of a level
};

// Weights of Y, Cb and Cr, biased by 128; where the first colour lies beyond its YUV end; steps as
// in dxt1_fit.h.
template <class I>
struct YuvAxis {
  I luma;
  I cb;
  I cr;
  I shift;
  I steps;
};

// Magnitudes of weights add up to this at most, so that a texel's sum fits 16 bits.
constexpr float kSumOfWeights = 127;

template <class F>
CODECS_INLINE F magnitude(F value) {
  return value < 0.0F ? -value : value;
}

template <class I>
CODECS_INLINE YuvAxis<I> yuv_axis(const YuvSpan<I>& span, const YuvGains& gains) {
  using F = Floats<I>;
  const F red = to_floats<I>(span.red), green = to_floats<I>(span.green),
          blue = to_floats<I>(span.blue);
  const F luma = gains.luma * to_floats<I>(span.red + span.green + span.blue);
  const F cb = gains.cb_to_blue * blue + gains.cb_to_green * green;
  const F cr = gains.cr_to_red * red + gains.cr_to_green * green;
  const F sum = magnitude(luma) + magnitude(cb) + magnitude(cr);
  const F one = sum * 0.0F + 1.0F;
  const F length = sum > one ? sum : one;
  const F scale = kSumOfWeights / length;
  constexpr float kStep = kPlaceSteps * 65536.0F / kSumOfWeights;
  return {to_ints<I>(luma * scale + 128.5F), to_ints<I>(cb * scale + 128.5F),
          to_ints<I>(cr * scale + 128.5F),
          to_ints<I>(to_floats<I>(span.error) * (scale * (1.0F / 64))),
          to_ints<I>(kStep * length / to_floats<I>(span.square) + 0.5F)};
}

// One texel as convert.h has it.
CODECS_INLINE uint32_t bgra_of(int y, int cb, int cr, const YuvMatrix& m) {
  const int luma = multiply_high(y * 257, m.luma) + m.luma_offset;
  const int u = (cb - 128) * 256, v = (cr - 128) * 256;
  const int sums[3] = {luma + multiply_round(u, m.cb_to_blue),
                       luma + multiply_round(u, m.cb_to_green) + multiply_round(v, m.cr_to_green),
                       luma + multiply_round(v, m.cr_to_red)};
  uint32_t pixel = 0;
  for (int c = 0; c < 3; ++c) {
    const int level = sums[c] >> 6;
    pixel |= static_cast<uint32_t>(level < 0 ? 0 : level > 255 ? 255 : level) << (8 * c);
  }
  return pixel;
}

// What a solid block of this box is drawn with: the colour halfway.
CODECS_INLINE uint32_t middle_of(uint32_t least, uint32_t greatest, const YuvMatrix& m) {
  int middle[4];
  for (int i = 0; i < 4; ++i) middle[i] = (byte_of(least, i) + byte_of(greatest, i) + 1) >> 1;
  return bgra_of(middle[0], middle[2], middle[3], m);
}

}  // namespace codecs
