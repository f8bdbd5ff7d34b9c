// Views of pixels owned by somebody else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/format.h"

namespace codecs {

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
  int bits = 8;  // of a sample; more only in deep formats
};

// What the components are when the picture is coded without a conversion.
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
