// DXT1 (S3TC, BC1): a 4×4 texel block is two RGB 5:6:5 endpoints and sixteen 2-bit indices, 8
// bytes. Layout and palette: EXT_texture_compression_s3tc. Encoders write only opaque four-colour
// blocks (colour0 > colour1, or equal colours with all indices 0); decoders read both kinds of
// block, the "transparent" entry of the three-colour kind as black, alpha is always 255.
//
// Every function gives the same bits at every CpuLevel. Reentrant; no allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/cpu.h"
#include "codecs/image.h"

namespace codecs {

enum class Dxt1Mode {
  kFast,  // endpoints from the bounding box along the better diagonal
  kGood,  // the same, then one least-squares refit of the endpoints
};

constexpr int kTexelBlock = 4;
constexpr size_t kDxt1BlockBytes = 8;

constexpr int texel_blocks(int pixels) {
  return (pixels + kTexelBlock - 1) / kTexelBlock;
}
constexpr size_t dxt1_bytes(int width, int height) {
  return static_cast<size_t>(texel_blocks(width)) * static_cast<size_t>(texel_blocks(height)) *
         kDxt1BlockBytes;
}

// Encodes the rectangle at (x, y) of the frame into dxt1_bytes(width, height) bytes, texel blocks
// row by row. x and y are multiples of 4 and the rectangle lies within the frame. Where it ends off
// a multiple of 4 (only at the frame's right and bottom edges), edge pixels are repeated. YUV is
// converted a strip at a time, in cache.
void dxt1_encode(const ImageView& frame, int x, int y, int width, int height, Dxt1Mode mode,
                 uint8_t* blocks, CpuLevel cpu);

// Decodes the crop [x, x + crop_width) × [y, y + crop_height) of a picture of width × height pixels
// (any sizes, crop within the picture) from its dxt1_bytes(width, height) bytes. Writes only the
// crop's pixels: target.pixels is where the crop's first pixel goes.
void dxt1_decode(const uint8_t* blocks, int width, int height, int x, int y, int crop_width,
                 int crop_height, BgraTarget target, CpuLevel cpu);

}  // namespace codecs
