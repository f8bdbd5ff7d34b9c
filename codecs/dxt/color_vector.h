// Vector versions of the colour loops of wavelet_kernels.h that output bytes, which compilers
// vectorise poorly. Bit-exact with wavelet_loops.h.
#pragma once

#include <cstring>

#include "codecs/simd/wavelet_kernels.h"

namespace codecs {

template <class V>
class HalvesToBytes {
 public:
  // Single components, like ColorKernels::halves_to_bytes.
  static void bytes(const float* even, const float* odd, int pairs, float middle, uint8_t* out) {
    const float up = middle + 0.5F;
    constexpr int kStep = 2 * kFloats;
    int i = 0;
    for (; i + kStep <= pairs; i += kStep) V::store(out + 2 * i, to_bytes(even + i, odd + i, up));
    if (i == pairs) return;
    float rest[2][kStep] = {};
    uint8_t last[V::kBytes];
    const auto left = static_cast<size_t>(pairs - i);
    std::memcpy(rest[0], even + i, sizeof(float) * left);
    std::memcpy(rest[1], odd + i, sizeof(float) * left);
    V::store(last, to_bytes(rest[0], rest[1], up));
    std::memcpy(out + 2 * i, last, 2 * left);
  }

  // Like ColorKernels::halves_to_bgra.
  static void bgra(const FloatHalves& rows, int pairs, float middle, uint8_t* out) {
    const float up = middle + 0.5F;
    FloatHalves at = rows;
    int left = pairs;
    for (; left >= kFloats; left -= kFloats) {
      to_bgra(at, up, out);
      out += 2 * V::kBytes;
      for (int i = 0; i < 3; ++i) {
        at.even[i] += kFloats;
        at.odd[i] += kFloats;
      }
    }
    if (left == 0) return;
    float rest[2][3][kFloats] = {};
    uint8_t last[2 * V::kBytes];
    FloatHalves padded{};
    for (int i = 0; i < 3; ++i) {
      std::memcpy(rest[0][i], at.even[i], sizeof(float) * static_cast<size_t>(left));
      std::memcpy(rest[1][i], at.odd[i], sizeof(float) * static_cast<size_t>(left));
      padded.even[i] = rest[0][i];
      padded.odd[i] = rest[1][i];
    }
    to_bgra(padded, up, last);
    std::memcpy(out, last, 8 * static_cast<size_t>(left));
  }

 private:
  using Reg = typename V::Reg;
  using Floats = typename V::Floats;
  static constexpr int kFloats = V::kBytes / 4;

  static Floats load(const float* from) { return reinterpret_cast<Floats>(V::load(from)); }
  // Negative values become 0 when they are packed to bytes.
  static Reg level(Floats value) { return V::truncated(value, 255.0F); }

  static Reg to_bytes(const float* even, const float* odd, float up) {
    const Reg evens = V::pack32(level(load(even) + up), level(load(even + kFloats) + up));
    const Reg odds = V::pack32(level(load(odd) + up), level(load(odd + kFloats) + up));
    const Reg by_turns = V::lanes(bytes128(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    return V::by_qword(V::shuffle8(V::pack16_unsigned(evens, odds), by_turns));
  }

  static void to_bgra(const FloatHalves& rows, float up, uint8_t* out) {
    const Reg evens = V::qwords_to_lanes(pixels(rows.even, up));
    const Reg odds = V::qwords_to_lanes(pixels(rows.odd, up));
    V::store(out, V::low32(evens, odds));
    V::store(out + V::kBytes, V::high32(evens, odds));
  }
  static Reg pixels(float* const rows[3], float up) {
    const Floats luma = load(rows[0]) + up, cb = load(rows[1]), cr = load(rows[2]);
    const Reg blue = level(luma + 1.772F * cb);
    const Reg green = level(luma - 0.344136F * cb - 0.714136F * cr);
    const Reg red = level(luma + 1.402F * cr);
    const Reg channels = V::pack16_unsigned(V::pack32(blue, green), V::pack32(red, V::all32(255)));
    const Reg by_pixel = V::lanes(bytes128(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    return V::shuffle8(channels, by_pixel);
  }
};

}  // namespace codecs
