#include "codecs/color/convert.h"

#include <algorithm>

#include "codecs/base/streamed_copy.h"
#include "codecs/simd/kernels.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

// Rounds to the nearest; the offset makes truncation round down also below zero.
constexpr int fixed(double value) {
  return static_cast<int>(value + 65536.5) - 65536;
}

// BT.601, BT.709 and BT.2020 differ in the weights of red and blue in luma.
constexpr YuvMatrix make_matrix(double red_weight, double blue_weight, ColorRange range) {
  const bool limited = range == ColorRange::kLimited;
  const double green_weight = 1 - red_weight - blue_weight;
  const double luma_gain = limited ? 255.0 / 219 : 1;
  const double chroma_gain = limited ? 255.0 / 224 : 1;
  const double cr_to_red = 2 * (1 - red_weight) * chroma_gain;
  const double cb_to_blue = 2 * (1 - blue_weight) * chroma_gain;
  return {
      .luma = static_cast<uint16_t>(fixed(65536.0 / 257 * 64 * luma_gain)),
      .luma_offset = static_cast<int16_t>(fixed(32 - (limited ? 16 * 64 * luma_gain : 0))),
      .cr_to_red = static_cast<int16_t>(fixed(8192 * cr_to_red)),
      .cb_to_green = static_cast<int16_t>(fixed(-8192 * cb_to_blue * blue_weight / green_weight)),
      .cr_to_green = static_cast<int16_t>(fixed(-8192 * cr_to_red * red_weight / green_weight)),
      .cb_to_blue = static_cast<int16_t>(fixed(8192 * cb_to_blue)),
  };
}

constexpr YuvMatrix kBt601Limited = make_matrix(0.299, 0.114, ColorRange::kLimited);
constexpr YuvMatrix kBt601Full = make_matrix(0.299, 0.114, ColorRange::kFull);
constexpr YuvMatrix kBt709Limited = make_matrix(0.2126, 0.0722, ColorRange::kLimited);
constexpr YuvMatrix kBt709Full = make_matrix(0.2126, 0.0722, ColorRange::kFull);
constexpr YuvMatrix kBt2020Limited = make_matrix(0.2627, 0.0593, ColorRange::kLimited);
constexpr YuvMatrix kBt2020Full = make_matrix(0.2627, 0.0593, ColorRange::kFull);

void convert_packed(const ImageView& frame, int pixel_bytes, int x, int y, int width, int height,
                    BgraTarget target, ConvertRow convert) {
  const uint8_t* from = frame.planes[0] + frame.strides[0] * y + ptrdiff_t{pixel_bytes} * x;
  uint8_t* to = target.pixels;
  for (int i = 0; i < height; ++i, from += frame.strides[0], to += target.stride) {
    convert(from, width, to);
  }
}

// Converts rows of 4:2:0 in pairs that share a chroma row.
void convert_yuv(const ImageView& frame, int x, int y, int width, int height, BgraTarget target,
                 ConvertYuvRows convert) {
  const YuvMatrix matrix = yuv_matrix(frame.matrix, frame.range);
  const bool interleaved = has_interleaved_chroma(frame.format);
  const int chroma_step = chroma_rows_step(frame.format);
  const ptrdiff_t chroma_x = interleaved ? ptrdiff_t{x / 2} * 2 : x / 2;
  const int end = y + height;
  uint8_t* to = target.pixels;
  while (y < end) {
    const int count = chroma_step == 2 && y % 2 == 0 && y + 1 < end ? 2 : 1;
    YuvRows rows{};
    for (int i = 0; i < 2; ++i) {
      const int row = std::min(i, count - 1);
      rows.luma[i] = frame.planes[0] + frame.strides[0] * (y + row) + x;
      rows.bgra[i] = to + target.stride * row;
    }
    rows.chroma[0] = frame.planes[1] + frame.strides[1] * (y / chroma_step) + chroma_x;
    if (!interleaved)
      rows.chroma[1] = frame.planes[2] + frame.strides[2] * (y / chroma_step) + chroma_x;
    rows.width = width;
    convert(rows, matrix);
    y += count;
    to += target.stride * count;
  }
}

}  // namespace

YuvMatrix yuv_matrix(ColorMatrix matrix, ColorRange range) {
  const bool full = range == ColorRange::kFull;
  if (matrix == ColorMatrix::kBt601) return full ? kBt601Full : kBt601Limited;
  if (matrix == ColorMatrix::kBt2020) return full ? kBt2020Full : kBt2020Limited;
  return full ? kBt709Full : kBt709Limited;
}

void convert_to_bgra(const ImageView& frame, int x, int y, int width, int height, BgraTarget target,
                     CpuLevel cpu) {
  const KernelSet& kernels = kernels_for(cpu);
  switch (frame.format) {
    case PixelFormat::kRgba:
      return convert_packed(frame, 4, x, y, width, height, target, kernels.convert_rgba);
    case PixelFormat::kBgra:
      return convert_packed(frame, 4, x, y, width, height, target, kernels.convert_bgra);
    case PixelFormat::kRgb:
      return convert_packed(frame, 3, x, y, width, height, target, kernels.convert_rgb);
    case PixelFormat::kNv12:
    case PixelFormat::kI420:
    case PixelFormat::kNv16:
    case PixelFormat::kI422:
      break;
    default:  // formats for JPEG 2000 only
      return;
  }
  const bool interleaved = has_interleaved_chroma(frame.format);
  if (x % 2 != 0 && width > 0) {
    // x is the right pixel of a chroma sample: convert it alone, since kernels start at a left one.
    convert_yuv(frame, x, y, 1, height, target,
                interleaved ? reference::convert_nv12 : reference::convert_i420);
    ++x;
    --width;
    target.pixels += 4;
  }
  if (width > 0) {
    convert_yuv(frame, x, y, width, height, target,
                interleaved ? kernels.convert_nv12 : kernels.convert_i420);
  }
}

void stream_to_bgra(const ImageView& frame, int x, int y, int width, int height, BgraTarget target,
                    CpuLevel cpu) {
  if (frame.format == PixelFormat::kBgra) {
    const uint8_t* from = frame.planes[0] + frame.strides[0] * y + ptrdiff_t{4} * x;
    for (int i = 0; i < height; ++i, from += frame.strides[0]) {
      copy_streamed_opaque(from, static_cast<size_t>(width), target.pixels + target.stride * i);
    }
    return finish_streaming();
  }
  // Converts in pieces of rows that share chroma; the pieces stay in the first-level cache.
  constexpr int kRows = 2, kColumns = 512;
  uint8_t pixels[kRows * kColumns * 4];
  const BgraTarget piece{pixels, ptrdiff_t{4} * kColumns};
  for (int row = 0, rows = 0; row < height; row += rows) {
    rows = std::min(kRows - (y + row) % kRows, height - row);
    for (int column = 0, columns = 0; column < width; column += columns) {
      columns = std::min(kColumns - (x + column) % 2, width - column);
      convert_to_bgra(frame, x + column, y + row, columns, rows, piece, cpu);
      uint8_t* const to = target.pixels + target.stride * row + ptrdiff_t{4} * column;
      for (int i = 0; i < rows; ++i) {
        copy_streamed(pixels + piece.stride * i, size_t{4} * static_cast<size_t>(columns),
                      to + target.stride * i);
      }
    }
  }
  finish_streaming();
}

namespace {

struct LumaWeights {
  double red;
  double blue;
};

LumaWeights luma_weights(ColorMatrix matrix) {
  if (matrix == ColorMatrix::kBt601) return {0.299, 0.114};
  if (matrix == ColorMatrix::kBt2020) return {0.2627, 0.0593};
  return {0.2126, 0.0722};
}

}  // namespace

DeepYuvMatrix deep_matrix(const PictureColor& color, int bits) {
  const LumaWeights weights = luma_weights(color.matrix);
  const double green_weight = 1 - weights.red - weights.blue;
  const bool limited = color.range == ColorRange::kLimited;
  const double step = 1 << (bits - 8);
  const double most = (1 << bits) - 1;
  const double luma_gain = 255 / (limited ? 219 * step : most);
  const double chroma_gain = 255 / (limited ? 224 * step : most);
  const double cr_to_red = 2 * (1 - weights.red) * chroma_gain;
  const double cb_to_blue = 2 * (1 - weights.blue) * chroma_gain;
  return {
      .black = static_cast<float>(limited ? 16 * step : 0),
      .middle = static_cast<float>(128 * step),
      .y = static_cast<float>(luma_gain),
      .cr_to_red = static_cast<float>(cr_to_red),
      .cb_to_green = static_cast<float>(-cb_to_blue * weights.blue / green_weight),
      .cr_to_green = static_cast<float>(-cr_to_red * weights.red / green_weight),
      .cb_to_blue = static_cast<float>(cb_to_blue),
  };
}

}  // namespace codecs
