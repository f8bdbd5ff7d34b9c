// Non-owning views of pixels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/base/format.h"

namespace codecs {

constexpr ptrdiff_t kBgraBytes = 4;  // per pixel

// A picture to read. Rows run top to bottom; a stride is the distance in bytes between rows of a
// plane and may exceed the row's bytes. Unused planes are null.
struct ImageView {
  PixelFormat format = PixelFormat::kBgra;
  int width = 0;
  int height = 0;
  const uint8_t* planes[3] = {};
  ptrdiff_t strides[3] = {};
  ColorMatrix matrix = ColorMatrix::kBt709;
  ColorRange range = ColorRange::kLimited;
  int bits = 8;  // per sample; more than 8 only in deep formats
};

// An eight-bit picture in kBgra, kI420 or kI422 with contiguous rows and planes.
constexpr ImageView packed_view(PixelFormat format, int width, int height, const uint8_t* bytes) {
  ImageView view{.format = format, .width = width, .height = height};
  view.planes[0] = bytes;
  view.strides[0] = width;
  if (format == PixelFormat::kBgra) {
    view.strides[0] *= kBgraBytes;
    return view;
  }
  const ptrdiff_t chroma_width = (width + 1) / 2;
  const ptrdiff_t chroma_height = format == PixelFormat::kI420 ? (height + 1) / 2 : height;
  view.planes[1] = bytes + ptrdiff_t{width} * height;
  view.planes[2] = view.planes[1] + chroma_width * chroma_height;
  view.strides[1] = view.strides[2] = chroma_width;
  return view;
}

// Meaning of the components if the picture is coded without conversion.
constexpr PictureColor color_of(const ImageView& image) {
  switch (image.format) {
    case PixelFormat::kRgba:
    case PixelFormat::kBgra:
    case PixelFormat::kRgb:
      return {ColorMatrix::kRgb, ColorRange::kFull};
    case PixelFormat::kRgbDeep:
      return {image.matrix == ColorMatrix::kXyz ? ColorMatrix::kXyz : ColorMatrix::kRgb,
              ColorRange::kFull};
    default:
      return {image.matrix, image.range};
  }
}

// Pixels to write: 4 bytes each, B, G, R, 255.
struct BgraTarget {
  uint8_t* pixels = nullptr;
  ptrdiff_t stride = 0;
};

}  // namespace codecs
