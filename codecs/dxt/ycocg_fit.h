// The per-block work of every DXT5-YCoCg encoder and decoder, for the reference and for vectors as
// in dxt_fit.h. After J.M.P. van Waveren, I. Castaño, "Real-Time YCoCg-DXT Compression", 2007.
//
// Pixels are converted to bytes
//   Y = (R + 2 G + B + 2) / 4,  Co = 128 + (R − B) / 2,  Cg = 128 + (G − (R + B) / 2) / 2,
// all divisions rounding down, so that saturated colours stay within 0 … 255. The colour block
// holds 128 + (Co − 128) · scale in red, 128 + (Cg − 128) · scale in green and scale − 1 in the
// five bits of blue. The scale is 4, 2 or 1, the greatest for which both still fit.
//
// The channels of a texel or an extreme are three bytes of a dword: Co, Cg, Y.
#pragma once

#include <cstdint>

#include "codecs/dxt/dxt_fit.h"

namespace codecs {

// Rounding down leaves Co and Cg a quarter too low on average.
constexpr float kChromaMiddle = 127.75F;

// A box's ends move inwards by this many 32nds of its range.
constexpr int kChromaInset = 2;
constexpr int kLumaInset = 1;

// round(v · greatest / 255) of a byte.
template <class I>
CODECS_INLINE I to_bits(I v, int greatest) {
  const I scaled = v * greatest + 128;
  return (scaled + (scaled >> 8)) >> 8;
}

template <class I>
CODECS_INLINE I chroma_scale(I least, I greatest) {
  I extent = least & 0;
  for (int c = 0; c < 2; ++c) {
    const I above = (greatest >> (8 * c) & 0xff) - 128;
    const I below = 128 - (least >> (8 * c) & 0xff);
    extent = above > extent ? above : extent;
    extent = below > extent ? below : extent;
  }
  const I one = (extent & 0) + 1;
  return extent < 32 ? one * 4 : extent < 64 ? one * 2 : one;
}

// Red is Co, green is Cg, blue the scale.
template <class I>
CODECS_INLINE I chroma_endpoints(I co0, I cg0, I co1, I cg1, I scale) {
  return order_endpoints<I>(co0 << 11 | cg0 << 5 | (scale - 1), co1 << 11 | cg1 << 5 | (scale - 1));
}

// Endpoints from the box of Co and Cg; if `falls` is negative, Cg falls as Co rises.
template <class I>
CODECS_INLINE I box_chroma(I least, I greatest, I falls, I scale) {
  I low[2], high[2];
  for (int c = 0; c < 2; ++c) {
    low[c] = ((least >> (8 * c) & 0xff) - 128) * scale + 128 + (scale >> 2);
    high[c] = ((greatest >> (8 * c) & 0xff) - 128) * scale + 128 + (scale >> 2);
    const I step = (high[c] - low[c]) * kChromaInset >> 5;
    low[c] = to_bits<I>(low[c] + step, c == 1 ? 63 : 31);
    high[c] = to_bits<I>(high[c] - step, c == 1 ? 63 : 31);
  }
  const I cg0 = falls < 0 ? low[1] : high[1];
  const I cg1 = falls < 0 ? high[1] : low[1];
  return chroma_endpoints<I>(high[0], cg0, low[0], cg1, scale);
}

// Weights stay within ±63 so that Σ weight · byte of Co and Cg fits 16 bits.
constexpr float kMaxChromaWeight = 63.0F;

// A texel's position on the line of a block is given by t = Σ weight · byte of Co and Cg, unscaled.
template <class I>
struct ChromaSearch {
  I weights;  // signed bytes: Co, Cg, and both again
  I middle;   // t halfway between the endpoints; `middle` and `inner` are in both words
  I inner;    // |t − middle| below this means an inner index
};

// Equal endpoints give `inner` 0 and weights 0, and so only index 0.
template <class I>
CODECS_INLINE ChromaSearch<I> chroma_search(I endpoints, I scale) {
  I sum[2], span[2], longest = (endpoints & 0) + 1;
  for (int c = 0; c < 2; ++c) {
    const int channel = c == 0 ? 2 : 1;
    const I e0 = expand_565<I>(endpoints & 0xffff, channel, ChannelOrder::kBgra);
    const I e1 = expand_565<I>(endpoints >> 16 & 0xffff, channel, ChannelOrder::kBgra);
    sum[c] = e0 + e1 - 256;
    span[c] = e0 - e1;
    const I length = span[c] < 0 ? -span[c] : span[c];
    longest = length > longest ? length : longest;
  }
  const Floats<I> factor = kMaxChromaWeight / to_floats<I>(longest);
  I weights = endpoints & 0, weight_sum = weights, middle_twice = weights, length = weights;
  for (int c = 0; c < 2; ++c) {
    // Biased above zero, so that truncation rounds to the nearest.
    const Floats<I> scaled = to_floats<I>(span[c]) * factor + (kMaxChromaWeight + 0.5F);
    const I weight = to_ints<I>(scaled) - static_cast<int32_t>(kMaxChromaWeight);
    weights |= (weight & 0xff) << (8 * c);
    weight_sum += weight;
    middle_twice += weight * sum[c];
    length += weight * span[c];
  }
  const Floats<I> unscale = 1.0F / to_floats<I>(scale);
  const I middle = to_ints<I>(to_floats<I>(middle_twice) * 0.5F * unscale +
                              to_floats<I>(weight_sum) * kChromaMiddle) &
                   0xffff;
  const I inner = to_ints<I>(to_floats<I>(length) * (1.0F / 3.0F) * unscale);
  return {weights | weights << 16, middle | middle << 16, inner | inner << 16};
}

// The ends of Y's box: high | low << 8.
template <class I>
CODECS_INLINE I box_luma(I least, I greatest) {
  const I low = least >> 16 & 0xff, high = greatest >> 16 & 0xff;
  const I step = (high - low) * kLumaInset >> 5;
  return (high - step) | (low + step) << 8;
}

// Sums over a block's texels for two line fits: p is a texel's position from colour1 (0) to colour0
// (3), q its step down from alpha0 (0 … 7).
template <class I>
struct YCoCgSums {
  I p_co, p_cg, p_p, p, co, cg;
  I q_y, q_q, q, y;
};

template <class I>
struct YCoCgEnds {
  I chroma;  // endpoints as stored in the block
  I luma;    // alpha0 | alpha1 << 8
};

// Least-squares lines through the texels, whose positions come from their indices. Keeps the old
// ends if all positions are equal.
template <class I>
CODECS_INLINE YCoCgEnds<I> refit_ycocg(const YCoCgEnds<I>& ends, const YCoCgSums<I>& sums,
                                       I scale) {
  const I determinant = 16 * sums.p_p - sums.p * sums.p;
  const Floats<I> inverse = 1.0F / to_floats<I>(determinant > 0 ? determinant : determinant + 1);
  const Floats<I> factor = to_floats<I>(scale);
  I from[2], to[2];
  for (int c = 0; c < 2; ++c) {
    const I weighted = c == 0 ? sums.p_co : sums.p_cg, plain = c == 0 ? sums.co : sums.cg;
    const Floats<I> slope = to_floats<I>(16 * weighted - sums.p * plain) * inverse;
    const Floats<I> start = (to_floats<I>(plain) - to_floats<I>(sums.p) * slope) * 0.0625F;
    const Floats<I> end = start + 3.0F * slope;
    const float greatest = c == 0 ? 31.0F : 63.0F;
    from[c] = quantise<I>((start - kChromaMiddle) * factor + 128.0F, greatest);
    to[c] = quantise<I>((end - kChromaMiddle) * factor + 128.0F, greatest);
  }
  const I chroma = chroma_endpoints<I>(to[0], to[1], from[0], from[1], scale);

  const I luma_determinant = 16 * sums.q_q - sums.q * sums.q;
  const I divisor = luma_determinant > 0 ? luma_determinant : luma_determinant + 1;
  const Floats<I> slope = to_floats<I>(16 * sums.q_y - sums.q * sums.y) / to_floats<I>(divisor);
  const Floats<I> start = (to_floats<I>(sums.y) - to_floats<I>(sums.q) * slope) * 0.0625F;
  const I high = quantise<I>(start, 255.0F);
  const I low = quantise<I>(start + 7.0F * slope, 255.0F);
  // Keeps the order: a block with alpha0 < alpha1 has other levels.
  const I luma = high | (low < high ? low : high) << 8;
  return {determinant > 0 ? chroma : ends.chroma, luma_determinant > 0 ? luma : ends.luma};
}

// Conversion to colours, once per palette entry, after the fragment program of the paper:
//   scale = 1 + blue / 8, Co = (red − 128) / scale, Cg = (green − 128) / scale,
//   R = Y + Co − Cg, G = Y + Cg, B = Y − Co − Cg.
// The offsets from Y are rounded to the nearest; the palette is DXT5's, rounded as in libsquish.
template <class I>
struct ChromaOffsets {
  I red, green, blue;  // −256 … 256
};

template <class I>
CODECS_INLINE ChromaOffsets<I> chroma_offsets(I co_byte, I cg_byte, I scale_byte) {
  const Floats<I> unscale = 8.0F / to_floats<I>(scale_byte + 8);
  const I co = co_byte - 128, cg = cg_byte - 128;
  const I offsets[3] = {co - cg, cg, -co - cg};
  I rounded[3];
  for (int c = 0; c < 3; ++c) {
    // Biased above zero, so that truncation rounds to the nearest.
    rounded[c] = to_ints<I>(to_floats<I>(offsets[c]) * unscale + 512.5F) - 512;
  }
  return {rounded[0], rounded[1], rounded[2]};
}

}  // namespace codecs
