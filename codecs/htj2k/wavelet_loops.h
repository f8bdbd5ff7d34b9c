// The loops of wavelet_kernels.h as plain code, which compilers vectorise in each target region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codecs/simd/wavelet_kernels.h"

// Tells the compiler that the loop's iterations are independent.
#ifdef __clang__
#define CODECS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define CODECS_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace codecs {

// `Level` makes the functions distinct for each target region.
template <class Level>
struct WaveletLoops {
  // Tells the compiler that the count is a multiple of kRowStep.
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
  // Changes even samples, then odd ones, alternately, each from its neighbours of the other half.
  static void inverse_across(const AcrossRow& from, float* even, float* odd) {
    const int evens = padded_count(from.evens), odds = padded_count(from.odds);
    if (from.low != nullptr) {
      std::memcpy(even, from.low, sizeof(float) * static_cast<size_t>(evens));
    } else {
      restore16(from.low_halves, evens, from.low_step, even);
    }
    restore16(from.high_halves, odds, from.high_step, odd);
    for (int s = 0; s < 4; ++s) {
      float* const center = s % 2 == 0 ? even : odd;
      float* const other = s % 2 == 0 ? odd : even;
      const int others = s % 2 == 0 ? from.odds : from.evens;
      const bool begins = (s % 2 != 0) == from.begins_odd;
      const float* const first = begins ? other - 1 : other;
      if (begins) other[-1] = other[0];
      other[others] = other[others - 1];
      lift(center, center, first, first + 1, s % 2 == 0 ? evens : odds, kInverseLiftingFactors[s]);
    }
  }
  // Changes odd samples, then even ones, alternately.
  static void forward_across(const RowToTransform& from, float* low, float* high) {
    const int evens = padded_count(from.evens), odds = padded_count(from.odds);
    float* even = from.even;
    const float* centers[] = {from.odd, from.even};
    for (int s = 0; s < 4; ++s) {
      const bool changes_odd = s % 2 == 0;
      float* const other = changes_odd ? even : high;
      const int others = changes_odd ? from.evens : from.odds;
      other[-1] = other[0];
      other[others] = other[others - 1];
      const float* const first = changes_odd ? other : other - 1;
      float* const out = changes_odd ? high : low;
      lift(out, s < 2 ? centers[s] : out, first, first + 1, changes_odd ? odds : evens,
           -kInverseLiftingFactors[3 - s]);
      if (!changes_odd) even = low;
    }
  }
  // Overflow wraps: broken codestreams may give any values, and so may the padding behind a row's
  // end, which every in-place step changes.
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
    for (int i = 0; i < count; ++i) row[i] = static_cast<int32_t>(bits(row[i]) - bits(middle));
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
      const uint32_t r = bits(red[i]), g = bits(green[i]), b = bits(blue[i]);
      const uint32_t luma = bits(static_cast<int32_t>(r + 2 * g + b) >> 2);
      red[i] = static_cast<int32_t>(luma - bits(middle));
      green[i] = static_cast<int32_t>(b - g);
      blue[i] = static_cast<int32_t>(r - g);
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
  struct Ycc {
    float y, cb, cr;
  };
  static Ycc transformed(float r, float g, float b, float middle) {
    return {0.299F * r + 0.587F * g + 0.114F * b - middle,
            -0.168736F * r - 0.331264F * g + 0.5F * b, 0.5F * r - 0.418688F * g - 0.081312F * b};
  }
  static void forward_irreversible(const int32_t* const rows[3], int count, float middle,
                                   float* const out[3]) {
    const int32_t* __restrict red = rows[0], * __restrict green = rows[1];
    const int32_t* __restrict blue = rows[2];
    float* __restrict y = out[0], * __restrict cb = out[1], * __restrict cr = out[2];
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const Ycc ycc = transformed(static_cast<float>(red[i]), static_cast<float>(green[i]),
                                  static_cast<float>(blue[i]), middle);
      y[i] = ycc.y;
      cb[i] = ycc.cb;
      cr[i] = ycc.cr;
    }
  }
  static uint64_t qword(const uint8_t* bytes) {
    uint64_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
  template <int kRed, int kBlue>
  static void pixels_to_halves(const uint8_t* __restrict pixels, int pairs, float middle,
                               const FloatHalves& out) {
    float* __restrict y0 = out.even[0], * __restrict cb0 = out.even[1], * __restrict cr0 = out.even[2];
    float* __restrict y1 = out.odd[0], * __restrict cb1 = out.odd[1], * __restrict cr1 = out.odd[2];
    const auto byte = [](uint32_t pixel, int i) {
      return static_cast<float>(static_cast<int32_t>(pixel >> 8 * i & 255));
    };
    CODECS_INDEPENDENT
    for (int i = 0; i < pairs; ++i) {
      const uint64_t two = qword(pixels + ptrdiff_t{8} * i);
      const auto one = static_cast<uint32_t>(two), other = static_cast<uint32_t>(two >> 32);
      const Ycc a = transformed(byte(one, kRed), byte(one, 1), byte(one, kBlue), middle);
      const Ycc b = transformed(byte(other, kRed), byte(other, 1), byte(other, kBlue), middle);
      y0[i] = a.y;
      cb0[i] = a.cb;
      cr0[i] = a.cr;
      y1[i] = b.y;
      cb1[i] = b.cb;
      cr1[i] = b.cr;
    }
  }
  static void bytes_to_halves(const uint8_t* __restrict samples, int pairs, float middle,
                              float* __restrict even, float* __restrict odd) {
    for (int i = 0; i < pairs; ++i) {
      even[i] = static_cast<float>(static_cast<int32_t>(samples[2 * i])) - middle;
      odd[i] = static_cast<float>(static_cast<int32_t>(samples[2 * i + 1])) - middle;
    }
  }

  static int32_t rounded(float value) {
    return value < 0.0F ? -1 : static_cast<int32_t>(value);  // negative values are clamped later
  }
  static uint32_t level(float value) {
    const float positive = value < 0.0F ? 0.0F : value;
    return static_cast<uint32_t>(static_cast<int32_t>(positive > 255.0F ? 255.0F : positive));
  }
  struct Rgb {
    float red, green, blue;
  };
  static Rgb restored(float luma, float cb, float cr) {
    return {luma + 1.402F * cr, luma - 0.344136F * cb - 0.714136F * cr, luma + 1.772F * cb};
  }
  static void inverse_irreversible(const float* const rows[3], int count, float middle,
                                   int32_t* const out[3]) {
    const float* __restrict y = rows[0], * __restrict cb = rows[1], * __restrict cr = rows[2];
    int32_t* __restrict red = out[0], * __restrict green = out[1], * __restrict blue = out[2];
    const float up = middle + 0.5F;
    count = whole(count);
    CODECS_INDEPENDENT
    for (int i = 0; i < count; ++i) {
      const Rgb rgb = restored(y[i] + up, cb[i], cr[i]);
      red[i] = rounded(rgb.red);
      green[i] = rounded(rgb.green);
      blue[i] = rounded(rgb.blue);
    }
  }
  static uint32_t pixel(float luma, float cb, float cr) {
    const Rgb rgb = restored(luma, cb, cr);
    return level(rgb.blue) | level(rgb.green) << 8 | level(rgb.red) << 16 | 0xff000000U;
  }
  static void halves_to_bgra(const FloatHalves& rows, int pairs, float middle,
                             uint8_t* __restrict bgra) {
    const float* __restrict y0 = rows.even[0], * __restrict cb0 = rows.even[1];
    const float* __restrict cr0 = rows.even[2], * __restrict y1 = rows.odd[0];
    const float* __restrict cb1 = rows.odd[1], * __restrict cr1 = rows.odd[2];
    const float up = middle + 0.5F;
    CODECS_INDEPENDENT
    for (int i = 0; i < pairs; ++i) {
      const uint64_t two = pixel(y0[i] + up, cb0[i], cr0[i]) |
                           static_cast<uint64_t>(pixel(y1[i] + up, cb1[i], cr1[i])) << 32;
      std::memcpy(bgra + ptrdiff_t{8} * i, &two, sizeof(two));
    }
  }
  static void halves_to_bytes(const float* __restrict even, const float* __restrict odd, int pairs,
                              float middle, uint8_t* __restrict out) {
    const float up = middle + 0.5F;
    for (int i = 0; i < pairs; ++i) {
      out[2 * i] = static_cast<uint8_t>(level(even[i] + up));
      out[2 * i + 1] = static_cast<uint8_t>(level(odd[i] + up));
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
                       .inverse_across = inverse_across,
                       .forward_across = forward_across,
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
                .round = round,
                .rgba_to_halves = pixels_to_halves<0, 2>,
                .bgra_to_halves = pixels_to_halves<2, 0>,
                .bytes_to_halves = bytes_to_halves,
                .halves_to_bgra = halves_to_bgra,
                .halves_to_bytes = halves_to_bytes},
  };
};

}  // namespace codecs
