// Pixel formats and codecs. The data protocol and sail.h use the numbers: never change one.
#pragma once

#include <cstdint>

namespace codecs {

enum class PixelFormat : uint8_t {
  kRgba = 1,  // 4 bytes per pixel: R, G, B, A; codecs without alpha ignore A
  kBgra = 2,  // 4 bytes per pixel: B, G, R, A
  kRgb = 3,   // 3 bytes per pixel: R, G, B
  kNv12 = 4,  // plane 0: Y; plane 1: Cb, Cr interleaved, 2×2 subsampled, sizes rounded up
  kI420 = 5,  // planes Y, Cb, Cr; chroma 2×2 subsampled, sizes rounded up
  kNv16 = 6,  // plane 0: Y; plane 1: Cb, Cr interleaved, 2×1 subsampled (4:2:2), width rounded up
  kI422 = 7,  // planes Y, Cb, Cr; chroma 2×1 subsampled (4:2:2), width rounded up
  kI444 = 8,  // planes Y, Cb, Cr of the same size
  // Deep: 16-bit samples, little-endian, whose lower ImageView::bits (9 … 16) are significant.
  kI420Deep = 9,   // as kI420
  kI422Deep = 10,  // as kI422
  kI444Deep = 11,  // as kI444
  kRgbDeep = 12,   // one plane: R, G, B; X', Y', Z' when the matrix is kXyz
};

constexpr bool is_deep(PixelFormat format) {
  return format >= PixelFormat::kI420Deep;
}
// Whether only JPEG 2000 takes the format. DXT and raw blocks need eight bits per sample and RGB or
// subsampled chroma; JPEG 2000 takes all formats.
constexpr bool is_for_j2k_only(PixelFormat format) {
  return format >= PixelFormat::kI444;
}

constexpr bool has_interleaved_chroma(PixelFormat format) {
  return format == PixelFormat::kNv12 || format == PixelFormat::kNv16;
}

// Rows of luma per row of chroma.
constexpr int chroma_rows_step(PixelFormat format) {
  return format == PixelFormat::kNv12 || format == PixelFormat::kI420 ||
                 format == PixelFormat::kI420Deep
             ? 2
             : 1;
}

// Meaning of a picture's components. Ignored for RGB formats, except kXyz.
enum class ColorMatrix : uint8_t {
  kRgb = 0,  // red, green, blue
  kBt601 = 1,
  kBt709 = 2,
  kBt2020 = 3,  // non-constant luminance
  kXyz = 4,     // X', Y', Z' of digital cinema, SMPTE ST 428-1
};
enum class ColorRange : uint8_t { kLimited = 1, kFull = 2 };

// Meaning of a picture's components, for codecs whose bitstream does not contain it.
struct PictureColor {
  ColorMatrix matrix = ColorMatrix::kRgb;
  ColorRange range = ColorRange::kFull;

  bool operator==(const PictureColor&) const = default;
};

enum class CodecId : uint8_t {
  kDxt1 = 1,       // S3TC DXT1 / BC1, opaque blocks only: 8 bytes per 4×4 texel block
  kDxt5 = 2,       // S3TC DXT5 / BC3, with alpha: 16 bytes per texel block
  kDxt5YCoCg = 3,  // DXT5 that carries Y in alpha, Co, Cg and a scale in colour: 16 bytes
  kRaw = 4,        // pixels: B, G, R, 255, row by row
  kJ2k = 5,        // a codestream of JPEG 2000 Part 1
  kHtj2k = 6,      // a codestream of JPEG 2000 Part 15 (high throughput)
  // Access units of a film, which receivers decode: carried streams.
  kH264 = 7,
  kH265 = 8,
  kAv1 = 9,
  kVp9 = 10,
  kMjpeg = 11,
};

constexpr bool is_dxt(CodecId codec) {
  return codec <= CodecId::kDxt5YCoCg;
}
constexpr bool is_j2k(CodecId codec) {
  return codec == CodecId::kJ2k || codec == CodecId::kHtj2k;
}
// Whether pictures depend on earlier ones, and only a decoder of films reads them.
constexpr bool is_carried(CodecId codec) {
  return codec >= CodecId::kH264;
}
// Whether frames state what the components mean.
constexpr bool has_picture_color(CodecId codec) {
  return is_j2k(codec) || is_carried(codec);
}

// Lossless second stage, applied to each pixel block.
enum class Compression : uint8_t {
  kNone = 0,
  kLz4 = 1,   // one LZ4 block (no frame header)
  kZstd = 2,  // one Zstandard frame
};

}  // namespace codecs
