// Names of pixel formats and codecs. The numbers are part of the data protocol and of sail.h: never
// change one, only add.
#pragma once

#include <cstdint>

namespace codecs {

enum class PixelFormat : uint8_t {
  kRgba = 1,  // 4 bytes a pixel: R, G, B, A; A is ignored by codecs without alpha
  kBgra = 2,  // 4 bytes a pixel: B, G, R, A
  kRgb = 3,   // 3 bytes a pixel: R, G, B
  kNv12 = 4,  // plane 0: Y; plane 1: Cb, Cr interleaved, 2×2 subsampled, sizes rounded up
  kI420 = 5,  // planes Y, Cb, Cr; chroma 2×2 subsampled, sizes rounded up
  kNv16 = 6,  // plane 0: Y; plane 1: Cb, Cr interleaved, 2×1 subsampled (4:2:2), width rounded up
  kI422 = 7,  // planes Y, Cb, Cr; chroma 2×1 subsampled (4:2:2), width rounded up
};

constexpr bool has_interleaved_chroma(PixelFormat format) {
  return format == PixelFormat::kNv12 || format == PixelFormat::kNv16;
}

// Rows of luma to a row of chroma.
constexpr int chroma_rows_step(PixelFormat format) {
  return format == PixelFormat::kNv12 || format == PixelFormat::kI420 ? 2 : 1;
}

// How YUV means colour. Ignored for RGB formats.
enum class ColorMatrix : uint8_t { kBt601 = 1, kBt709 = 2 };
enum class ColorRange : uint8_t { kLimited = 1, kFull = 2 };

enum class CodecId : uint8_t {
  kDxt1 = 1,       // S3TC DXT1 / BC1, opaque blocks only: 8 bytes per 4×4 texel block
  kDxt5 = 2,       // S3TC DXT5 / BC3, with alpha: 16 bytes per texel block
  kDxt5YCoCg = 3,  // DXT5 that carries Y in alpha, Co, Cg and a scale in colour: 16 bytes
};

// A lossless second stage, pixel block by pixel block.
enum class Compression : uint8_t {
  kNone = 0,
  kLz4 = 1,   // one LZ4 block (no frame header)
  kZstd = 2,  // one Zstandard frame
};

}  // namespace codecs
