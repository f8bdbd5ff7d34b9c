// Inner loops of JPEG 2000's wavelet transforms (ISO/IEC 15444-1, Annex F) and of quantisation, row
// by row. Internal to codecs/; one set per CpuLevel, with the bits of the reference: whole numbers,
// or IEEE floats without fused multiply-add.
//
// A row's samples are kept apart: those of even places, then those of odd ones. So a lifting step
// is the same whether it goes across (neighbours stand in the other half) or down (in other rows).
#pragma once

#include <cstdint>

#include "codecs/cpu.h"

namespace codecs {

// One step of the reversible 5/3 transform adds, or takes away, (a + b + rounding) >> shift.
struct WholeStep {
  int32_t rounding;
  int shift;
  bool subtract;
};

// Counts are multiples of kRowStep: rows have room for what is too much, which may be anything.
constexpr int kRowStep = 16;
constexpr int padded_count(int count) {
  return (count + kRowStep - 1) / kRowStep * kRowStep;
}

// The lifting steps of the inverse 9/7 transform, the first of which changes even samples
// (F.3.8.2).
constexpr float kInverseLiftingFactors[4] = {-0.443506852043971F, -0.882911075530934F,
                                             0.052980118572961F, 1.586134342059924F};

// A row before the inverse transform across: the low band's samples, or its halves and what they
// are to be multiplied by, and the high band's. There are even and odd ones.
struct AcrossRow {
  const float* low = nullptr;  // null: low_halves
  const int16_t* low_halves = nullptr;
  float low_step = 1;
  const int16_t* high_halves = nullptr;
  float high_step = 1;
  int evens = 0, odds = 0;
  bool begins_odd = false;
};

// A row before the forward one, which begins with an even sample; there is an odd one.
struct RowToTransform {
  float* even = nullptr;
  const float* odd = nullptr;
  int evens = 0, odds = 0;
};

// `Sample` is float (9/7) or int32_t (5/3). Arrays of one call do not overlap, but that out may be
// the same as center.
template <class Sample>
struct WaveletKernels;

template <>
struct WaveletKernels<float> {
  // out[i] = center[i] + (a[i] + b[i]) · factor
  void (*lift)(float* out, const float* center, const float* a, const float* b, int count,
               float factor);
  // Four steps down at once: rows[i], from the newest, are those that the first step reaches last.
  // rows[1 + s] += (rows[s] + rows[s + 2]) · factors[s], s from 0 to 3.
  void (*lift_four)(float* const rows[6], int count, const float factors[4]);
  // What is read may go on behind the last sample for kRowStep of them.
  void (*inverse_across)(const AcrossRow& from, float* even, float* odd);
  // All have margins of kRowStep samples, which may be written, too.
  void (*forward_across)(const RowToTransform& from, float* low, float* high);
  // `count` samples of each half.
  void (*split)(const float* row, int count, float* even, float* odd);
  void (*merge)(const float* even, const float* odd, int count, float* row);
  // Towards 0; within the range of int16_t.
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
  // Halves are those of ht_block.h: what is behind the point is cut off.
  void (*restore16)(const int16_t* halves, int count, float, int32_t* row);
  void (*restore32)(const int32_t* halves, int count, float, int32_t* row);
};

// Of three components.
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
  // To samples, not yet clamped.
  void (*inverse_reversible)(const int32_t* const rows[3], int count, int32_t middle,
                             int32_t* const out[3]);
  void (*inverse_irreversible)(const float* const rows[3], int count, float middle,
                               int32_t* const out[3]);
  void (*add_level)(const int32_t* row, int count, int32_t middle, int32_t* out);
  void (*round)(const float* row, int count, float middle, int32_t* out);

  // The same between the halves of rows and samples of eight bits, `pairs` of them exactly:
  // irreversible from and to pixels of four bytes (of the blue or red one first), and single
  // components.
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
