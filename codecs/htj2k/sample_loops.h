// The loops of sample_kernels.h as plain code, which compilers vectorise in each target region.
// Only integers, or IEEE floats without fused multiply-add, so the bits are always the same.
#pragma once

#include <cstdint>
#include <cstring>

#include "codecs/simd/sample_kernels.h"

namespace codecs {

// `Level` makes the functions distinct for each target region.
template <class Level>
struct SampleLoops {
  static int32_t word(const uint8_t* bytes) {
    uint16_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  static uint32_t dword(const uint8_t* bytes) {
    uint32_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }

  static void widen8(const uint8_t* __restrict samples, int count, int32_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = samples[i];
  }
  static void widen8_pairs(const uint8_t* __restrict samples, int count, int32_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = samples[ptrdiff_t{2} * i];
  }
  static void widen16(const uint8_t* __restrict samples, int count, int32_t mask,
                      int32_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = word(samples + ptrdiff_t{2} * i) & mask;
  }

  template <int kRed, int kBlue>
  static void split32(const uint8_t* __restrict pixels, int count, int32_t* const lines[3]) {
    int32_t* __restrict red = lines[0];
    int32_t* __restrict green = lines[1];
    int32_t* __restrict blue = lines[2];
    for (int i = 0; i < count; ++i) {
      const uint32_t pixel = dword(pixels + ptrdiff_t{4} * i);
      red[i] = static_cast<int32_t>(pixel >> 8 * kRed & 255);
      green[i] = static_cast<int32_t>(pixel >> 8 & 255);
      blue[i] = static_cast<int32_t>(pixel >> 8 * kBlue & 255);
    }
  }
  static void split_rgb(const uint8_t* __restrict pixels, int count, int32_t* const lines[3]) {
    int32_t* __restrict red = lines[0];
    int32_t* __restrict green = lines[1];
    int32_t* __restrict blue = lines[2];
    for (int i = 0; i < count; ++i, pixels += 3) {
      red[i] = pixels[0];
      green[i] = pixels[1];
      blue[i] = pixels[2];
    }
  }
  static void split_rgb16(const uint8_t* __restrict pixels, int count, int32_t mask,
                          int32_t* const lines[3]) {
    int32_t* __restrict red = lines[0];
    int32_t* __restrict green = lines[1];
    int32_t* __restrict blue = lines[2];
    for (int i = 0; i < count; ++i, pixels += 6) {
      red[i] = word(pixels) & mask;
      green[i] = word(pixels + 2) & mask;
      blue[i] = word(pixels + 4) & mask;
    }
  }

  static int32_t clamped(int32_t value, int32_t most) {
    const int32_t positive = value < 0 ? 0 : value;
    return positive > most ? most : positive;
  }
  static void narrow8(const int32_t* __restrict samples, int count, uint8_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(clamped(samples[i], 255));
  }
  static void narrow16(const int32_t* __restrict samples, int count, int32_t most,
                       uint16_t* __restrict out) {
    for (int i = 0; i < count; ++i) out[i] = static_cast<uint16_t>(clamped(samples[i], most));
  }
  static void repeat16(const uint16_t* __restrict samples, int count, uint16_t* __restrict out) {
    for (int i = 0; i < count / 2; ++i) out[2 * i] = out[2 * i + 1] = samples[i];
    if (count % 2 != 0) out[count - 1] = samples[count / 2];
  }

  static void put(uint32_t red, uint32_t green, uint32_t blue, uint8_t* bgra) {
    const uint32_t pixel = blue | green << 8 | red << 16 | 0xff000000U;
    std::memcpy(bgra, &pixel, sizeof(pixel));
  }
  static void merge_rgb(SampleRows<int32_t> rows, int count, uint8_t* __restrict bgra) {
    const int32_t* __restrict red = rows[0];
    const int32_t* __restrict green = rows[1];
    const int32_t* __restrict blue = rows[2];
    const auto byte = [](int32_t value) { return static_cast<uint32_t>(clamped(value, 255)); };
    for (int i = 0; i < count; ++i) {
      put(byte(red[i]), byte(green[i]), byte(blue[i]), bgra + ptrdiff_t{4} * i);
    }
  }

  static uint32_t level(float value, float dither) {
    const float positive = value < 0.0F ? 0.0F : value;
    const float clamped = positive > 255.0F ? 255.0F : positive;
    return static_cast<uint32_t>(static_cast<int32_t>(clamped + dither));
  }
  static void merge_deep_rgb(SampleRows<uint16_t> rows, int count, float gain,
                             const float* __restrict dither, uint8_t* __restrict bgra) {
    const uint16_t* __restrict red = rows[0];
    const uint16_t* __restrict green = rows[1];
    const uint16_t* __restrict blue = rows[2];
    for (int i = 0; i < count; ++i) {
      const float d = dither[i];
      put(level(static_cast<float>(red[i]) * gain, d),
          level(static_cast<float>(green[i]) * gain, d),
          level(static_cast<float>(blue[i]) * gain, d), bgra + ptrdiff_t{4} * i);
    }
  }
  static void merge_deep_yuv(SampleRows<uint16_t> rows, int count, const DeepYuvMatrix& matrix,
                             const float* __restrict dither, uint8_t* __restrict bgra) {
    const uint16_t* __restrict luma = rows[0];
    const uint16_t* __restrict first = rows[1];
    const uint16_t* __restrict second = rows[2];
    const DeepYuvMatrix m = matrix;
    for (int i = 0; i < count; ++i) {
      const float d = dither[i];
      const float y = (static_cast<float>(luma[i]) - m.black) * m.y;
      const float cb = static_cast<float>(first[i]) - m.middle;
      const float cr = static_cast<float>(second[i]) - m.middle;
      put(level(y + cr * m.cr_to_red, d), level(y + cb * m.cb_to_green + cr * m.cr_to_green, d),
          level(y + cb * m.cb_to_blue, d), bgra + ptrdiff_t{4} * i);
    }
  }

  static void merge_levels(SampleRows<int16_t> rows, int count, const int16_t* __restrict dither,
                           uint8_t* __restrict bgra) {
    const int16_t* __restrict red = rows[0];
    const int16_t* __restrict green = rows[1];
    const int16_t* __restrict blue = rows[2];
    for (int i = 0; i < count; ++i) {
      const int d = dither[i];
      put(static_cast<uint32_t>((red[i] + d) >> 7), static_cast<uint32_t>((green[i] + d) >> 7),
          static_cast<uint32_t>((blue[i] + d) >> 7), bgra + ptrdiff_t{4} * i);
    }
  }

  static constexpr SampleKernels kKernels = {
      .level = Level::kLevel,
      .widen8 = widen8,
      .widen8_pairs = widen8_pairs,
      .widen16 = widen16,
      .split_rgba = split32<0, 2>,
      .split_bgra = split32<2, 0>,
      .split_rgb = split_rgb,
      .split_rgb16 = split_rgb16,
      .narrow8 = narrow8,
      .narrow16 = narrow16,
      .repeat16 = repeat16,
      .merge_rgb = merge_rgb,
      .merge_deep_rgb = merge_deep_rgb,
      .merge_deep_yuv = merge_deep_yuv,
      .merge_levels = merge_levels,
  };
};

}  // namespace codecs
