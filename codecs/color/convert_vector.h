// Conversion to BGRA for any vector width.
#pragma once

#include "codecs/simd/kernels.h"

namespace codecs {

template <class V>
struct YuvVectors {
  using Reg = typename V::Reg;

  // 256 · (C − 128) of V::kBytes / 2 chroma samples.
  struct Chroma {
    Reg cb;
    Reg cr;
  };
  static Chroma load_planar(const uint8_t* const chroma[2], ptrdiff_t at) {
    return {centred(V::load_widened(chroma[0] + at)), centred(V::load_widened(chroma[1] + at))};
  }
  static Chroma load_interleaved(const uint8_t* const chroma[2], ptrdiff_t at) {
    const Reg both = V::bit_xor(V::load(chroma[0] + 2 * at), V::all8(-128));
    return {V::template shift_left16<8>(both),
            V::bit_and(both, V::all16(static_cast<int16_t>(0xff00)))};
  }
  static Reg centred(Reg words) {
    return V::template shift_left16<8>(V::bit_xor(words, V::all16(128)));
  }

  // Contribution of chroma to red, green and blue.
  struct Terms {
    Reg red;
    Reg green;
    Reg blue;
  };
  static Terms terms(const Chroma& chroma, const YuvMatrix& m) {
    const Reg cb = V::to_lanes(chroma.cb), cr = V::to_lanes(chroma.cr);
    return {V::multiply_round16(cr, V::all16(m.cr_to_red)),
            V::add16(V::multiply_round16(cb, V::all16(m.cb_to_green)),
                     V::multiply_round16(cr, V::all16(m.cr_to_green))),
            V::multiply_round16(cb, V::all16(m.cb_to_blue))};
  }

  // One channel of V::kBytes pixels. Saturation is harmless: such sums are clamped afterwards.
  static Reg channel(Reg luma_low, Reg luma_high, Reg term) {
    const Reg low = V::add_saturate16(luma_low, V::low16(term, term));
    const Reg high = V::add_saturate16(luma_high, V::high16(term, term));
    return V::pack16_unsigned(V::template shift_right16_signed<6>(low),
                              V::template shift_right16_signed<6>(high));
  }

  // Converts V::kBytes pixels. The dwords of luma and chroma are distributed to the lanes so that
  // the last interleaving yields contiguous pixels.
  static void convert(const uint8_t* luma, const Terms& t, const YuvMatrix& m, uint8_t* bgra) {
    const Reg y = V::to_lanes(V::load(luma));
    const Reg gain = V::all16(static_cast<int16_t>(m.luma));
    const Reg offset = V::all16(m.luma_offset);
    const Reg low = V::add16(V::multiply_high16(V::low8(y, y), gain), offset);
    const Reg high = V::add16(V::multiply_high16(V::high8(y, y), gain), offset);
    const Reg red = channel(low, high, t.red);
    const Reg green = channel(low, high, t.green);
    const Reg blue = channel(low, high, t.blue);
    const Reg alpha = V::all8(-1);
    const Reg bg_low = V::low8(blue, green), bg_high = V::high8(blue, green);
    const Reg ra_low = V::low8(red, alpha), ra_high = V::high8(red, alpha);
    V::store(bgra, V::low16(bg_low, ra_low));
    V::store(bgra + V::kBytes, V::high16(bg_low, ra_low));
    V::store(bgra + 2 * V::kBytes, V::low16(bg_high, ra_high));
    V::store(bgra + 3 * V::kBytes, V::high16(bg_high, ra_high));
  }
};

// Processes whole vectors; the last one is shifted back to overlap pixels already done. An odd
// pixel at the end and rows shorter than a vector use the reference.
template <class V, bool kInterleaved>
void convert_yuv(const YuvRows& rows, const YuvMatrix& matrix) {
  using Yuv = YuvVectors<V>;
  const auto finish = kInterleaved ? reference::convert_nv12 : reference::convert_i420;
  const int even = rows.width & ~1;
  if (even < V::kBytes) return finish(rows, matrix);
  for (int i = 0; i < even; i += V::kBytes) {
    const ptrdiff_t x = i + V::kBytes <= even ? i : even - V::kBytes;
    const auto chroma = kInterleaved ? Yuv::load_interleaved(rows.chroma, x / 2)
                                     : Yuv::load_planar(rows.chroma, x / 2);
    const auto terms = Yuv::terms(chroma, matrix);
    Yuv::convert(rows.luma[0] + x, terms, matrix, rows.bgra[0] + 4 * x);
    if (rows.luma[1] != rows.luma[0]) {
      Yuv::convert(rows.luma[1] + x, terms, matrix, rows.bgra[1] + 4 * x);
    }
  }
  if (even < rows.width) {
    const ptrdiff_t chroma = kInterleaved ? even : even / 2;
    YuvRows last = rows;
    for (int i = 0; i < 2; ++i) {
      last.luma[i] += even;
      last.bgra[i] += 4 * even;
      if (last.chroma[i] != nullptr) last.chroma[i] += chroma;
    }
    last.width = 1;
    finish(last, matrix);
  }
}

template <class V>
void convert_nv12(const YuvRows& rows, const YuvMatrix& matrix) {
  convert_yuv<V, true>(rows, matrix);
}

template <class V>
void convert_i420(const YuvRows& rows, const YuvMatrix& matrix) {
  convert_yuv<V, false>(rows, matrix);
}

template <class V>
typename V::Reg opaque(typename V::Reg pixels) {
  return V::bit_or(pixels, V::all32(static_cast<int32_t>(0xff000000)));
}

template <class V>
void convert_rgb(const uint8_t* pixels, int width, uint8_t* bgra) {
  constexpr int kPixels = V::kBytes / 4;
  const typename V::Reg order =
      V::lanes(bytes128(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1));
  int x = 0;
  // A lane reads sixteen bytes but uses twelve, so two more pixels must follow.
  for (; x + kPixels + 2 <= width; x += kPixels) {
    const typename V::Reg rgb = V::load_lanes12(pixels + ptrdiff_t{3} * x);
    V::store(bgra + ptrdiff_t{4} * x, opaque<V>(V::shuffle8(rgb, order)));
  }
  reference::convert_rgb(pixels + ptrdiff_t{3} * x, width - x, bgra + ptrdiff_t{4} * x);
}

template <class V>
void convert_rgba(const uint8_t* pixels, int width, uint8_t* bgra) {
  constexpr int kPixels = V::kBytes / 4;
  if (width < kPixels) return reference::convert_rgba(pixels, width, bgra);
  const typename V::Reg order =
      V::lanes(bytes128(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  for (int i = 0; i < width; i += kPixels) {
    const ptrdiff_t x = i + kPixels <= width ? i : width - kPixels;
    V::store(bgra + 4 * x, opaque<V>(V::shuffle8(V::load(pixels + 4 * x), order)));
  }
}

template <class V>
void convert_bgra(const uint8_t* pixels, int width, uint8_t* bgra) {
  constexpr int kPixels = V::kBytes / 4;
  if (width < kPixels) return reference::convert_bgra(pixels, width, bgra);
  for (int i = 0; i < width; i += kPixels) {
    const ptrdiff_t x = i + kPixels <= width ? i : width - kPixels;
    V::store(bgra + 4 * x, opaque<V>(V::load(pixels + 4 * x)));
  }
}

}  // namespace codecs
