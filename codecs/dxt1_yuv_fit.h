// What the DXT1 encoders of YUV 4:2:0 share.
//
// A texel block is sixteen samples of luma and four of Cb and of Cr. Its box, diagonal and inset
// are found there; only its two ends become red, green and blue. The dot product of a texel with
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

// Ends are quantised from 64ths of a level, and the colours' differences held in 16ths: an end of 5
// bits is 132 · bits / 16, one of 6 bits 65 · bits / 16, less than a level from what decoders
// expand.
constexpr int kSpanUnit[3] = {132, 65, 132};
constexpr int kLevelUnit[3] = {4 * 132, 4 * 65, 4 * 132};

// M's luma gain in the unit of YuvMatrix's gains of chroma.
constexpr int luma_gain(const YuvMatrix& m) {
  return (m.luma * 257 + (1 << 8)) >> 9;
}

// Magnitudes of weights add up to this at most, so that a texel's sum fits 16 bits.
constexpr int kSumOfWeights = 127;

// Weights are Mᵀ · d, 16 · 8192-fold, times scale.
// The difference of the sums of both colours is |d|² in the same unit, where d · d is in 256ths.
constexpr int kSquareUnit = 16 * 8192 / 256;
constexpr float kYuvStepScale =
    static_cast<float>(kPlaceSteps) * 65536 / static_cast<float>(kSquareUnit * kSumOfWeights);
// What a product of d, in 16ths, and 64ths of a level adds to a sum.
constexpr int kErrorUnit = 16 * 8192 / (16 * 64);
constexpr auto kYuvErrorScale = static_cast<float>(kErrorUnit);

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
