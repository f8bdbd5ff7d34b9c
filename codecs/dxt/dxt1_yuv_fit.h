// Shared by the DXT1 encoders of YUV 4:2:0.
//
// A texel block is sixteen samples of luma and four each of Cb and Cr. Its box, diagonal and inset
// are found in YUV; only its two ends are converted to red, green and blue. The dot product of a
// texel with the colour difference d, d · (M · yuv + offset), equals (Mᵀ · d) · yuv plus a
// constant, so texels are placed without conversion, and without clamping to the RGB cube.
//
// A block's YUV values are in the bytes of a dword: Y, 0, Cb, Cr.
#pragma once

#include <cstdint>

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt_fit.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {

// The ends are quantised from sums in 1/64 of a level; colour differences are in 1/16 of a level.
// An end of 5 bits is 132 · bits / 16 levels, one of 6 bits 65 · bits / 16 levels: less than a
// level from the value that decoders expand.
constexpr int kSpanUnit[3] = {132, 65, 132};
constexpr int kLevelUnit[3] = {4 * 132, 4 * 65, 4 * 132};

// M's luma gain in the unit of YuvMatrix's chroma gains.
constexpr int luma_gain(const YuvMatrix& m) {
  return (m.luma * 257 + (1 << 8)) >> 9;
}

// Upper bound of the sum of the weights' magnitudes, so that a texel's sum fits 16 bits.
constexpr int kSumOfWeights = 127;

// Weights are Mᵀ · d in units of 1/(16 · 8192), times scale. The sums of the two colours differ by
// |d|² in that unit, while d · d is in units of 1/256.
constexpr int kSquareUnit = 16 * 8192 / 256;
constexpr float kYuvStepScale =
    static_cast<float>(kPlaceSteps) * 65536 / static_cast<float>(kSquareUnit * kSumOfWeights);
// Units of a sum per product of d (unit: 1/16 level) and an error (unit: 1/64 level).
constexpr int kErrorUnit = 16 * 8192 / (16 * 64);
constexpr auto kYuvErrorScale = static_cast<float>(kErrorUnit);

// One texel, converted as in convert.h.
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

// The colour for a single-colour block of this box: halfway.
CODECS_INLINE uint32_t middle_of(uint32_t least, uint32_t greatest, const YuvMatrix& m) {
  int middle[4];
  for (int i = 0; i < 4; ++i) middle[i] = (byte_of(least, i) + byte_of(greatest, i) + 1) >> 1;
  return bgra_of(middle[0], middle[2], middle[3], m);
}

}  // namespace codecs
