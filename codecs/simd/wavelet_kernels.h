// Inner loops of JPEG 2000's wavelet transforms (ISO/IEC 15444-1, Annex F) and of quantisation, row
// by row. Internal to codecs/; one set per CpuLevel, bit-exact with the reference: integers, or
// IEEE floats without fused multiply-add.
//
// A row is stored as two halves: the samples at even positions and those at odd positions. So a
// lifting step works the same horizontally (neighbours are in the other half) and vertically
// (neighbours are in other rows).
#pragma once

#include <cstdint>

#include "codecs/base/cpu.h"

namespace codecs {

// One step of the reversible 5/3 transform: adds or subtracts (a + b + rounding) >> shift.
struct WholeStep {
  int32_t rounding;
  int shift;
  bool subtract;
};

// Counts are multiples of kRowStep: rows have room for the padding, whose content is arbitrary.
constexpr int kRowStep = 16;
constexpr int padded_count(int count) {
  return (count + kRowStep - 1) / kRowStep * kRowStep;
}

// Factors of the lifting steps of the inverse 9/7 transform; the first step changes even samples
// (F.3.8.2).
constexpr float kInverseLiftingFactors[4] = {-0.443506852043971F, -0.882911075530934F,
                                             0.052980118572961F, 1.586134342059924F};

// Input of the horizontal inverse transform: the samples of the low band (or their halves and the
// factor for them), and the halves of the high band. There is at least one even and one odd sample.
struct AcrossRow {
  const float* low = nullptr;  // null: use low_halves
  const int16_t* low_halves = nullptr;
  float low_step = 1;
  const int16_t* high_halves = nullptr;
  float high_step = 1;
  int evens = 0, odds = 0;
  bool begins_odd = false;
};

// Input of the horizontal forward transform: begins with an even sample, has an odd one.
struct RowToTransform {
  float* even = nullptr;
  const float* odd = nullptr;
  int evens = 0, odds = 0;
};

// `Sample` is float (9/7) or int32_t (5/3). A call's arrays do not overlap, but out may equal
// center.
template <class Sample>
struct WaveletKernels;

template <>
struct WaveletKernels<float> {
  // out[i] = center[i] + (a[i] + b[i]) · factor
  void (*lift)(float* out, const float* center, const float* a, const float* b, int count,
               float factor);
  // Four vertical steps at once; rows[0] is the newest row. rows[1 + s] += (rows[s] + rows[s + 2])
  // · factors[s] for s from 0 to 3.
  void (*lift_four)(float* const rows[6], int count, const float factors[4]);
  // Reads may extend kRowStep samples beyond the last one.
  void (*inverse_across)(const AcrossRow& from, float* even, float* odd);
  // All rows have margins of kRowStep samples, which may be overwritten, too.
  void (*forward_across)(const RowToTransform& from, float* low, float* high);
  // `count` samples of each half.
  void (*split)(const float* row, int count, float* even, float* odd);
  void (*merge)(const float* even, const float* odd, int count, float* row);
  // Rounds towards 0; limited to the range of int16_t.
  void (*quantise16)(const float* row, int count, float per_step, int16_t* out);
  void (*quantise32)(const float* row, int count, float per_step, int32_t* out);
  void (*restore16)(const int16_t* halves, int count, float half_step, float* row);
  void (*restore32)(const int32_t* halves, int count, float half_step, float* row);
};

template <>
struct WaveletKernels<int32_t> {
  void (*lift)(int32_t* out, const int32_t* center, const int32_t* a, const int32_t* b, int count,
               WholeStep step);
  void (*split)(const int32_t* row, int count, int32_t* even, int32_t* odd);
  void (*merge)(const int32_t* even, const int32_t* odd, int count, int32_t* row);
  void (*quantise16)(const int32_t* row, int count, float, int16_t* out);
  void (*quantise32)(const int32_t* row, int count, float, int32_t* out);
  // Halves are in half steps as in ht_block.h; the fraction is truncated.
  void (*restore16)(const int16_t* halves, int count, float, int32_t* row);
  void (*restore32)(const int32_t* halves, int count, float, int32_t* row);
};

// Row halves of three components.
struct FloatHalves {
  float* even[3];
  float* odd[3];
};

// The colour transforms (Annex G) and the level shift. `middle` is half the samples' range.
struct ColorKernels {
  void (*shift_level)(int32_t* row, int count, int32_t middle);
  void (*to_float)(const int32_t* row, int count, float middle, float* out);
  void (*forward_reversible)(int32_t* const rows[3], int count, int32_t middle);
  void (*forward_irreversible)(const int32_t* const rows[3], int count, float middle,
                               float* const out[3]);
  // The resulting samples are not clamped.
  void (*inverse_reversible)(const int32_t* const rows[3], int count, int32_t middle,
                             int32_t* const out[3]);
  void (*inverse_irreversible)(const float* const rows[3], int count, float middle,
                               int32_t* const out[3]);
  void (*add_level)(const int32_t* row, int count, int32_t middle, int32_t* out);
  void (*round)(const float* row, int count, float middle, int32_t* out);

  // The same between row halves and exactly 2 · `pairs` eight-bit samples: irreversible for pixels
  // of four bytes (RGBA or BGRA order), and for single components.
  void (*rgba_to_halves)(const uint8_t* pixels, int pairs, float middle, const FloatHalves& out);
  void (*bgra_to_halves)(const uint8_t* pixels, int pairs, float middle, const FloatHalves& out);
  void (*bytes_to_halves)(const uint8_t* samples, int pairs, float middle, float* even, float* odd);
  void (*halves_to_bgra)(const FloatHalves& rows, int pairs, float middle, uint8_t* bgra);
  void (*halves_to_bytes)(const float* even, const float* odd, int pairs, float middle,
                          uint8_t* out);
};

struct TransformKernels {
  CpuLevel level;
  WaveletKernels<float> irreversible;
  WaveletKernels<int32_t> reversible;
  ColorKernels color;
};

}  // namespace codecs
