// DXT (S3TC): 4×4 texel blocks of a fixed size. Layout and palettes: EXT_texture_compression_s3tc.
//
// - DXT1 (BC1), 8 bytes: two RGB 5:6:5 endpoints and sixteen 2-bit indices. kFast and kGood write
//   only four-colour blocks (colour0 > colour1, or equal colours with all indices 0), kHigh also
//   three-colour ones. Decoders read both kinds; the "transparent" entry of the three-colour kind
//   is black. Alpha is always 255.
// - DXT5 (BC3), 16 bytes: an alpha block (two 8-bit endpoints, sixteen 3-bit indices), then a
//   colour block as in DXT1 that always has four colours. A block's minimum and maximum alpha are
//   exact. Formats without alpha are opaque.
// - DXT5-YCoCg, 16 bytes: DXT5 with Y in alpha and Co, Cg and the block's scale in red, green and
//   blue: J.M.P. van Waveren, I. Castaño, "Real-Time YCoCg-DXT Compression", 2007. ycocg_fit.h
//   defines the bytes and the decoding.
//
// Every function gives the same bits at every CpuLevel. Reentrant; no allocation except by kHigh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

enum class DxtMode {
  kFast,  // endpoints from the bounding box along the better diagonal
  kGood,  // as kFast, then one least-squares refit of the endpoints
  kHigh,  // libsquish's cluster fit for stills and offline encoding; slow, allocates
};

constexpr int kTexelBlock = 4;

constexpr int texel_blocks(int pixels) {
  return (pixels + kTexelBlock - 1) / kTexelBlock;
}
constexpr size_t texel_block_bytes(CodecId codec) {
  return codec == CodecId::kDxt1 ? 8 : 16;
}
constexpr size_t dxt_bytes(CodecId codec, int width, int height) {
  return static_cast<size_t>(texel_blocks(width)) * static_cast<size_t>(texel_blocks(height)) *
         texel_block_bytes(codec);
}

// Encodes the rectangle at (x, y) of the frame into dxt_bytes(codec, width, height) bytes, texel
// blocks row by row. x and y are multiples of 4 and the rectangle lies within the frame. If it ends
// off a multiple of 4 (only at the frame's right and bottom edges), edge pixels are repeated. YUV
// is converted strip by strip in cache, except that DXT1 kFast fits 4:2:0 directly in YUV.
void dxt_encode(CodecId codec, const ImageView& frame, int x, int y, int width, int height,
                DxtMode mode, uint8_t* blocks, CpuLevel cpu);

// Encodes adjacent rectangles from x to `right`, each `width` wide (a multiple of 4); the last one
// may be narrower. Strips continue across their borders. places[i] receives rectangle i.
void dxt_encode_row(CodecId codec, const ImageView& frame, int x, int y, int width, int right,
                    int height, DxtMode mode, std::span<uint8_t* const> places, CpuLevel cpu);

// Decodes the crop [x, x + crop_width) × [y, y + crop_height) of a picture of width × height pixels
// (any sizes, crop within the picture) from its dxt_bytes(codec, width, height) bytes. Writes only
// the crop's pixels, the first one at target.pixels. DXT5 writes its alpha, the others 255.
void dxt_decode(CodecId codec, const uint8_t* blocks, int width, int height, int x, int y,
                int crop_width, int crop_height, BgraTarget target, CpuLevel cpu);
// The same, bypassing the caches (streamed_copy.h) if the target's rows begin at cache lines, for
// targets that are not read soon.
void dxt_decode_streamed(CodecId codec, const uint8_t* blocks, int width, int height, int x, int y,
                         int crop_width, int crop_height, BgraTarget target, CpuLevel cpu);

}  // namespace codecs
