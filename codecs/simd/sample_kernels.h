// Inner loops that convert between a picture's samples and components, which are 32-bit numbers (of
// JPEG 2000 and of colour tables). Internal to codecs/; one set per CpuLevel, bit-exact with the
// reference.
//
// Rows of `count` samples; deep samples are 16 bits, little-endian. Alignment is not required.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/base/cpu.h"
#include "codecs/base/format.h"

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

  // Levels with 7 bits below one level (ColorCube) to BGRA pixels. `dither`: 0 … 127.
  void (*merge_levels)(SampleRows<int16_t> rows, int count, const int16_t* dither, uint8_t* bgra);
};

// The fixed-point form of a YUV to RGB matrix, shared by all conversion kernels.
//
// Luma is input as 257 · Y, chroma as 256 · (C − 128), which are free in vector code. Sums are in
// 1/64 of a level, so that a channel is (luma + chroma terms) >> 6, clamped.
struct YuvMatrix {
  uint16_t luma;        // multiply_high gain
  int16_t luma_offset;  // black level and rounding of the last shift, in 1/64 of a level
  int16_t cr_to_red;    // multiply_round gains
  int16_t cb_to_green;
  int16_t cr_to_green;
  int16_t cb_to_blue;
};

YuvMatrix yuv_matrix(ColorMatrix matrix, ColorRange range);

// Products of 16-bit numbers that are a single vector instruction.
constexpr int multiply_high(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b) >> 16);
}
constexpr int multiply_round(int a, int b) {
  return (a * b + (1 << 14)) >> 15;
}

// ITU-R BT.709-6 and BT.2020-2: limited range is the 8-bit one, shifted. `bits` from 8 to 16.
DeepYuvMatrix deep_matrix(const PictureColor& color, int bits);

constexpr int kDitherSide = 8;

// The Bayer matrix, values 0 … 63, by interleaving the bits of x ^ y and y. `x` and `y` are below
// kDitherSide.
constexpr int bayer(int x, int y) {
  int value = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const int across = (x ^ y) >> bit & 1, down = y >> bit & 1;
    value |= (across << 1 | down) << 2 * (2 - bit);
  }
  return value;
}

}  // namespace codecs
