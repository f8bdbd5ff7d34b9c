// The inner loops of all codecs, one set per CpuLevel. Internal to codecs/. The public functions
// (dxt.h, convert.h, scaling.h) divide their work into the shapes that kernels take and
// handle all edges.
//
// A kernel of any level gives the same bits as the reference kernel. Reentrant; no allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/ht/ht_kernels.h"
#include "codecs/simd/prism_kernels.h"
#include "codecs/simd/sample_kernels.h"
#include "codecs/simd/wavelet_kernels.h"

namespace codecs {

struct Tap;  // codecs/color/scaling.h

// Channel order of a 4-byte pixel; green is always byte 1.
enum class ChannelOrder { kRgba, kBgra };

// Encoders take strips of 16, 32, 48 or 64 texel blocks: small enough for the first-level cache,
// and a multiple of every vector width.
constexpr int kStripGroup = 16;
constexpr int kStripBlocks = 64;

constexpr size_t kDxt1BlockBytes = 8;
constexpr size_t kDxt5BlockBytes = 16;

// Four rows of 4-byte pixels, four pixels per block. `ahead`: the same number of pixels that are
// needed soon and should be prefetched.
struct PixelStrip {
  const uint8_t* rows[4];
  const uint8_t* ahead[4];
  int blocks;
  ChannelOrder order;
};

using EncodeStrip = void (*)(const PixelStrip& strip, uint8_t* blocks);

// Four rows of 4:2:0 luma, four pixels per block, and their two rows of chroma, two samples per
// block. Interleaved chroma: `cb` only.
struct YuvStrip {
  const uint8_t* luma[4];
  const uint8_t* cb[2];
  const uint8_t* cr[2];
  int blocks;
};
using EncodeYuvStrip = void (*)(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks);

// Decodes `count` adjacent texel blocks into four whole rows of BGRA pixels.
// `…_streamed` bypass the caches if the processor can; then all rows begin at cache lines (64
// bytes) and `count` is a multiple of kLineBlocks.
constexpr int kLineBlocks = 4;
using DecodeBlocks = void (*)(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride);

// One or two rows of 4:2:0 or 4:2:2 that share their chroma (one row: luma[1] == luma[0] and
// bgra[1] == bgra[0]); the first pixel is the left one of its chroma sample. Interleaved chroma:
// chroma[0] only.
struct YuvRows {
  const uint8_t* luma[2];
  const uint8_t* chroma[2];
  uint8_t* bgra[2];
  int width;
};
using ConvertYuvRows = void (*)(const YuvRows& rows, const YuvMatrix& matrix);

// Converts one row of `width` pixels to BGRA with alpha 255.
using ConvertRow = void (*)(const uint8_t* pixels, int width, uint8_t* bgra);

// Columns of one source row; the taps read only [first_column, last_column].
struct ColumnTaps {
  const Tap* taps;
  int count;
  int first_column;
  int last_column;
};
using ScaleRow = void (*)(const uint8_t* source, const ColumnTaps& columns, uint8_t* bgra);

// Computes (upper · (256 − weight) + lower · weight + 128) / 256 for `bytes` bytes.
using BlendRows = void (*)(const uint8_t* upper, const uint8_t* lower, int weight, size_t bytes,
                           uint8_t* out);

// `count` adjacent squares of 2^reduction × 2^reduction pixels of four bytes.
struct PixelSquares {
  const uint8_t* pixels;
  ptrdiff_t stride;
  int reduction;
  int count;
  ChannelOrder order;
};
// Writes the mean of each square, rounded to the nearest, to `count` BGRA pixels.
using ReduceRow = void (*)(const PixelSquares& squares, uint8_t* bgra);

// A table of colours by red, green and blue: a cube of `side` nodes along each axis, blue changes
// fastest. Positions have kFractionBits bits below one step.
struct ColorCube {
  static constexpr int kFractionBits = 14;
  static constexpr int kShift = 9;      // right shift of the sums that give positions
  static constexpr int kLevelBits = 7;  // bits of a result below one of 255 levels
  static constexpr int kNodeWords = 4;  // the last one is 0

  const int16_t* nodes;
  int side;      // at most 65
  int32_t gain;  // position on an axis = (gain · sample + half) >> kShift, clamped
};
// Interpolates between the corners of the tetrahedron around each colour (in the order of the
// fractions, from the greatest). Rows of samples and results; results have kLevelBits.
using MapColors = void (*)(const ColorCube& cube, SampleRows<int32_t> samples, int count,
                           int16_t* const levels[3]);

// The kernels of one CpuLevel.
struct KernelSet {
  EncodeStrip dxt1_encode_fast;
  EncodeStrip dxt1_encode_good;
  EncodeYuvStrip dxt1_encode_nv12;
  EncodeYuvStrip dxt1_encode_i420;
  DecodeBlocks dxt1_decode;
  DecodeBlocks dxt1_decode_streamed;
  EncodeStrip dxt5_encode_fast;
  EncodeStrip dxt5_encode_good;
  DecodeBlocks dxt5_decode;
  DecodeBlocks dxt5_decode_streamed;
  EncodeStrip ycocg_encode_fast;
  EncodeStrip ycocg_encode_good;
  DecodeBlocks ycocg_decode;
  DecodeBlocks ycocg_decode_streamed;
  ConvertYuvRows convert_nv12;
  ConvertYuvRows convert_i420;
  ConvertRow convert_rgb;
  ConvertRow convert_rgba;
  ConvertRow convert_bgra;
  ScaleRow scale_row;
  BlendRows blend_rows;
  ReduceRow reduce_row;
  MapColors map_colors;
  const PrismKernels* prisms;
  const SampleKernels* samples;
  const TransformKernels* transform;
  const HtKernels* ht;
};

const KernelSet& kernels_for(CpuLevel level);

}  // namespace codecs

namespace codecs::reference {

// The reference kernels: plain code that defines the bits. Vector kernels also use them for pixels
// that do not fill a vector.

void dxt1_encode_fast(const PixelStrip& strip, uint8_t* blocks);
void dxt1_encode_good(const PixelStrip& strip, uint8_t* blocks);
void dxt1_encode_nv12(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks);
void dxt1_encode_i420(const YuvStrip& strip, const YuvMatrix& matrix, uint8_t* blocks);
void dxt1_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride);

void dxt5_encode_fast(const PixelStrip& strip, uint8_t* blocks);
void dxt5_encode_good(const PixelStrip& strip, uint8_t* blocks);
void dxt5_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride);
void ycocg_encode_fast(const PixelStrip& strip, uint8_t* blocks);
void ycocg_encode_good(const PixelStrip& strip, uint8_t* blocks);
void ycocg_decode(const uint8_t* blocks, int count, uint8_t* pixels, ptrdiff_t stride);

void convert_nv12(const YuvRows& rows, const YuvMatrix& matrix);
void convert_i420(const YuvRows& rows, const YuvMatrix& matrix);
void convert_rgb(const uint8_t* pixels, int width, uint8_t* bgra);
void convert_rgba(const uint8_t* pixels, int width, uint8_t* bgra);
void convert_bgra(const uint8_t* pixels, int width, uint8_t* bgra);

void scale_row(const uint8_t* source, const ColumnTaps& columns, uint8_t* bgra);
void blend_rows(const uint8_t* upper, const uint8_t* lower, int weight, size_t bytes, uint8_t* out);

void reduce_row(const PixelSquares& squares, uint8_t* bgra);

void map_colors(const ColorCube& cube, SampleRows<int32_t> samples, int count,
                int16_t* const levels[3]);

}  // namespace codecs::reference
