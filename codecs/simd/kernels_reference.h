// The reference kernels: plain code that defines the bits. Vector kernels also use them for pixels
// that do not fill a vector.
#pragma once

#include "codecs/simd/kernels.h"

namespace codecs::reference {

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
