// Reads a rectangle of a frame as rows of JPEG 2000 components. Internal to codecs/. No allocation.
#pragma once

#include <cstdint>

#include "codecs/base/image.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {

class ComponentReader {
 public:
  // The frame must outlive the reader; x and y as in J2kEncoder::encode().
  ComponentReader(const ImageView& frame, int x, int y, int width, int height, CpuLevel cpu);

  static constexpr int kComponents = 3;

  bool is_rgb() const { return is_rgb_; }
  int bits() const { return bits_; }
  int chroma_step_x() const { return step_x_; }
  int chroma_step_y() const { return step_y_; }
  int width(int component) const;
  int height(int component) const;

  // Direct access to a row: packed_pixels() for pixels of four bytes, plain_samples() for
  // contiguous eight-bit samples; null for other formats.
  const uint8_t* packed_pixels(int row) const;
  // Prefetches a row that is needed soon: rows of a block are not contiguous in memory.
  void prefetch(int component, int row) const;
  bool is_bgra() const { return format_ == PixelFormat::kBgra; }
  const uint8_t* plain_samples(int component, int row) const;
  // Reads a row of all three components of an RGB format.
  void read_rgb(int row, int32_t* const lines[3]) const;
  // Reads a row of one component of a YUV format.
  void read(int component, int row, int32_t* line) const;

 private:
  const uint8_t* row_of(int plane, int row) const { return planes_[plane] + strides_[plane] * row; }

  PixelFormat format_;
  const SampleKernels& kernels_;
  int width_;
  int height_;
  bool is_rgb_;
  int bits_;
  int step_x_;
  int step_y_;
  int32_t mask_;                // significant bits of a deep sample
  const uint8_t* planes_[3]{};  // by component, at the rectangle's corner
  ptrdiff_t strides_[3]{};
};

}  // namespace codecs
