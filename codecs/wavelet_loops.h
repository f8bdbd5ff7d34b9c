// The loops of wavelet_kernels.h, plain, for the compiler to make vectors of in each target region.
#pragma once

#include <cstdint>

#include "codecs/wavelet_kernels.h"

// Of a loop: no turn of it needs what another writes.
#ifdef __clang__
#define CODECS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define CODECS_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace codecs {

// `Level` keeps what is compiled for one region apart from the others.
template <class Level>
struct WaveletLoops {
  // As the compiler may take it.
  static int whole(int count) { return count / kRowStep * kRowStep; }

  template <class Sample>
  static void split(const Sample* __restrict row, int count, Sample* __restrict even,
                    Sample* __restrict odd) {
    count = whole(count);
    for (int i = 0; i < count; ++i) {
      even[i] = row[2 * i];
      odd[i] = row[2 * i + 1];
    }
  }
  template <class Sample>
  static void merge(const Sample* __restrict even, const Sample* __restrict odd, int count,
                    Sample* __restrict row) {
    count = whole(count);
    for (int i = 0; i < count; ++i) {
      row[2 * i] = even[i];
      row[2 * i + 1] = odd[i];
    }
  }

  static void lift(float* out, const float* center, const float* __restrict a,
                   const float* __restrict b, int count, float factor) {
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) out[i] = center[i] + (a[i] + b[i]) * factor;
  }
  static void lift_four(float* const rows[6], int count, const float factors[4]) {
    const float* __restrict newest = rows[0], * __restrict oldest = rows[5];
    float* __restrict a = rows[1], * __restrict b = rows[2];
    float* __restrict c = rows[3], * __restrict d = rows[4];
    const float f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const float one = a[i] + (newest[i] + b[i]) * f0;
      const float two = b[i] + (one + c[i]) * f1;
      const float three = c[i] + (two + d[i]) * f2;
      const float four = d[i] + (three + oldest[i]) * f3;
      a[i] = one;
      b[i] = two;
      c[i] = three;
      d[i] = four;
    }
  }
  // Broken codestreams may lead anywhere: what is too large wraps.
  static uint32_t bits(int32_t value) { return static_cast<uint32_t>(value); }
  static void lift_whole(int32_t* out, const int32_t* center, const int32_t* __restrict a,
                         const int32_t* __restrict b, int count, WholeStep step) {
    const uint32_t sign = step.subtract ? UINT32_MAX : 0;
    const auto rounding = static_cast<uint32_t>(step.rounding);
    const int shift = step.shift;
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const uint32_t sum = bits(a[i]) + bits(b[i]) + rounding;
      const uint32_t more = bits(static_cast<int32_t>(sum) >> shift);
      out[i] = static_cast<int32_t>(bits(center[i]) + (more ^ sign) - sign);
    }
  }

  static int16_t saturated(int32_t value) {
    const int32_t low = value < -32767 ? -32767 : value;
    return static_cast<int16_t>(low > 32767 ? 32767 : low);
  }
  static void quantise16(const float* __restrict row, int count, float per_step,
                         int16_t* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = saturated(static_cast<int32_t>(row[i] * per_step));
  }
  static void quantise32(const float* __restrict row, int count, float per_step,
                         int32_t* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = static_cast<int32_t>(row[i] * per_step);
  }
  static void restore16(const int16_t* __restrict halves, int count, float half_step,
                        float* __restrict row) {
    count = whole(count);
    for (int i = 0; i < count; ++i) row[i] = static_cast<float>(halves[i]) * half_step;
  }
  static void restore32(const int32_t* __restrict halves, int count, float half_step,
                        float* __restrict row) {
    count = whole(count);
    for (int i = 0; i < count; ++i) row[i] = static_cast<float>(halves[i]) * half_step;
  }
  static void narrow_whole(const int32_t* __restrict row, int count, float,
                           int16_t* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = saturated(row[i]);
  }
  static void keep_whole(const int32_t* __restrict row, int count, float, int32_t* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = row[i];
  }
  template <class Halves>
  static void restore_whole(const Halves* __restrict halves, int count, float,
                            int32_t* __restrict row) {
    count = whole(count);
    for (int i = 0; i < count; ++i) {
      const int32_t value = halves[i];
      row[i] = value / 2;
    }
  }

  static void shift_level(int32_t* row, int count, int32_t middle) {
    count = whole(count);
    for (int i = 0; i < count; ++i) row[i] -= middle;
  }
  static void to_float(const int32_t* __restrict row, int count, float middle,
                       float* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = static_cast<float>(row[i]) - middle;
  }
  static void forward_reversible(int32_t* const rows[3], int count, int32_t middle) {
    int32_t* __restrict red = rows[0], * __restrict green = rows[1], * __restrict blue = rows[2];
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const int32_t r = red[i], g = green[i], b = blue[i];
      red[i] = ((r + 2 * g + b) >> 2) - middle;
      green[i] = b - g;
      blue[i] = r - g;
    }
  }
  static void inverse_reversible(const int32_t* const rows[3], int count, int32_t middle,
                                 int32_t* const out[3]) {
    const int32_t* __restrict y = rows[0], * __restrict cb = rows[1], * __restrict cr = rows[2];
    int32_t* __restrict red = out[0], * __restrict green = out[1], * __restrict blue = out[2];
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const int32_t chroma = static_cast<int32_t>(bits(cb[i]) + bits(cr[i])) >> 2;
      const uint32_t g = bits(y[i]) - bits(chroma) + bits(middle);
      red[i] = static_cast<int32_t>(bits(cr[i]) + g);
      green[i] = static_cast<int32_t>(g);
      blue[i] = static_cast<int32_t>(bits(cb[i]) + g);
    }
  }
  static void forward_irreversible(const int32_t* const rows[3], int count, float middle,
                                   float* const out[3]) {
    const int32_t* __restrict red = rows[0], * __restrict green = rows[1], * __restrict blue = rows[2];
    float* __restrict y = out[0], * __restrict cb = out[1], * __restrict cr = out[2];
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const auto r = static_cast<float>(red[i]), g = static_cast<float>(green[i]);
      const auto b = static_cast<float>(blue[i]);
      y[i] = 0.299F * r + 0.587F * g + 0.114F * b - middle;
      cb[i] = -0.168736F * r - 0.331264F * g + 0.5F * b;
      cr[i] = 0.5F * r - 0.418688F * g - 0.081312F * b;
    }
  }
  static int32_t rounded(float value) {
    return value < 0.0F ? -1 : static_cast<int32_t>(value);  // the negative is clamped anyway
  }
  static void inverse_irreversible(const float* const rows[3], int count, float middle,
                                   int32_t* const out[3]) {
    const float* __restrict y = rows[0], * __restrict cb = rows[1], * __restrict cr = rows[2];
    int32_t* __restrict red = out[0], * __restrict green = out[1], * __restrict blue = out[2];
    const float up = middle + 0.5F;
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const float luma = y[i] + up;
      red[i] = rounded(luma + 1.402F * cr[i]);
      green[i] = rounded(luma - 0.344136F * cb[i] - 0.714136F * cr[i]);
      blue[i] = rounded(luma + 1.772F * cb[i]);
    }
  }
  static void add_level(const int32_t* __restrict row, int count, int32_t middle,
                        int32_t* __restrict out) {
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = static_cast<int32_t>(bits(row[i]) + bits(middle));
  }
  static void round(const float* __restrict row, int count, float middle, int32_t* __restrict out) {
    const float up = middle + 0.5F;
    count = whole(count);
    for (int i = 0; i < count; ++i) out[i] = rounded(row[i] + up);
  }

  static constexpr TransformKernels kKernels = {
      .level = Level::kLevel,
      .irreversible = {.lift = lift,
                       .lift_four = lift_four,
                       .split = split<float>,
                       .merge = merge<float>,
                       .quantise16 = quantise16,
                       .quantise32 = quantise32,
                       .restore16 = restore16,
                       .restore32 = restore32},
      .reversible = {.lift = lift_whole,
                     .split = split<int32_t>,
                     .merge = merge<int32_t>,
                     .quantise16 = narrow_whole,
                     .quantise32 = keep_whole,
                     .restore16 = restore_whole<int16_t>,
                     .restore32 = restore_whole<int32_t>},
      .color = {.shift_level = shift_level,
                .to_float = to_float,
                .forward_reversible = forward_reversible,
                .forward_irreversible = forward_irreversible,
                .inverse_reversible = inverse_reversible,
                .inverse_irreversible = inverse_irreversible,
                .add_level = add_level,
                .round = round},
  };
};

}  // namespace codecs
