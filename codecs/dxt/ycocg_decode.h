// Conversion of DXT5-YCoCg to colours, once per palette entry, for the reference and for vectors as
// in dxt1_fit.h. After the fragment program of J.M.P. van Waveren, I. Castaño, "Real-Time YCoCg-DXT
// Compression", 2007:
//   scale = 1 + blue / 8, Co = (red − 128) / scale, Cg = (green − 128) / scale,
//   R = Y + Co − Cg, G = Y + Cg, B = Y − Co − Cg.
// The offsets from Y are rounded to the nearest; the palette is DXT5's, rounded as in libsquish.
#pragma once

#include <cstdint>

#include "codecs/dxt/dxt1_fit.h"

namespace codecs {

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
