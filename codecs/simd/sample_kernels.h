// Inner loops that convert between a picture's samples and components, which are 32-bit numbers (of
// JPEG 2000 and of colour tables). Internal to codecs/; one set per CpuLevel, bit-exact with the
// reference.
//
// Rows of `count` samples; deep samples are 16 bits, little-endian. Alignment is not required.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/base/cpu.h"

namespace codecs {

// Three rows of samples: red, green, blue or Y, Cb, Cr.
template <class Sample>
using SampleRows = const Sample* const (&)[3];

// Conversion of YUV to levels of 0 … 255: y · (Y − black) + …, with chroma relative to its middle.
struct DeepYuvMatrix {
  float black;
  float middle;
  float y;
  float cr_to_red;
  float cb_to_green;
  float cr_to_green;
  float cb_to_blue;
};

// Values from 0 to less than 1, added per sample before truncation; 1/2 everywhere rounds.
using DitherRow = const float*;

struct SampleKernels {
  CpuLevel level;

  void (*widen8)(const uint8_t* samples, int count, int32_t* out);
  // Every second sample.
  void (*widen8_pairs)(const uint8_t* samples, int count, int32_t* out);
  void (*widen16)(const uint8_t* samples, int count, int32_t mask, int32_t* out);
  // Splits pixels into red, green and blue.
  void (*split_rgba)(const uint8_t* pixels, int count, int32_t* const out[3]);
  void (*split_bgra)(const uint8_t* pixels, int count, int32_t* const out[3]);
  void (*split_rgb)(const uint8_t* pixels, int count, int32_t* const out[3]);
  void (*split_rgb16)(const uint8_t* pixels, int count, int32_t mask, int32_t* const out[3]);

  // Clamps to 0 … 255, or to 0 … `most`.
  void (*narrow8)(const int32_t* samples, int count, uint8_t* out);
  void (*narrow16)(const int32_t* samples, int count, int32_t most, uint16_t* out);
  // Repeats each sample twice; writes `count` samples.
  void (*repeat16)(const uint16_t* samples, int count, uint16_t* out);

  // Merges components to BGRA pixels; merge_rgb clamps to 0 … 255.
  void (*merge_rgb)(SampleRows<int32_t> rows, int count, uint8_t* bgra);
  void (*merge_deep_rgb)(SampleRows<uint16_t> rows, int count, float gain, DitherRow dither,
                         uint8_t* bgra);
  void (*merge_deep_yuv)(SampleRows<uint16_t> rows, int count, const DeepYuvMatrix& matrix,
                         DitherRow dither, uint8_t* bgra);

  // Levels with 7 bits below one level (ColorCube) to bytes. `dither`: 0 … 127.
  void (*narrow_levels)(const int16_t* levels, int count, const int16_t* dither, uint8_t* out);
  // Means of squares: two samples of each row.
  void (*narrow_squares)(const int16_t* upper, const int16_t* lower, int count,
                         const int16_t* dither, uint8_t* out);
  void (*merge_levels)(SampleRows<int16_t> rows, int count, const int16_t* dither, uint8_t* bgra);
};

}  // namespace codecs
