// Collects the components of a decoded picture until it is complete, then converts it to BGRA; or
// writes the components directly to the target's planes. Internal to codecs/. Allocates only for
// pictures larger than any before.
//
// YUV to R'G'B' follows ITU-R BT.601, BT.709 and BT.2020 (non-constant luminance), with chroma from
// the nearest sample; convert.h converts 8-bit subsampled YUV. X'Y'Z': see cinema_color.h. Deeper
// samples are dithered to eight bits by an ordered 8×8 matrix that is fixed to the frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/color/cinema_color.h"
#include "codecs/j2k/j2k.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// Whether the components are valid for that colour matrix.
bool fits_color(const J2kHeader& header, ColorMatrix matrix);

class ComponentPlanes {
 public:
  explicit ComponentPlanes(CpuLevel cpu);

  // Returns false if the components do not fit the target's colour or planes. If the target has
  // planes, the samples are written to them.
  bool begin(const J2kHeader& header, const J2kTarget& target);

  // The area of a component that must be put, as far as the component has samples there: the
  // target's part, extended to start at even luma positions so that chroma and row halves align.
  // Columns and rows are those of j2k_component_area().
  const Area& area(int component) const { return planes_[component].area; }
  // Puts `count` samples from column x on.
  void put(int component, int x, int row, int count, const int32_t* samples);
  // If wants_rgb(), replaces put(): red, green and blue together.
  bool wants_rgb() const { return !deep_ && !yuv_; }
  void put_rgb(int x, int row, int count, SampleRows<int32_t> samples);
  // Direct access instead: the row's pixels if wants_rgb(), or samples of eight bits (else null).
  uint8_t* rgb_row(int x, int row) { return bgra_.data() + bgra_at(x, row); }
  uint8_t* byte_row(int component, int x, int row) {
    return deep_ ? nullptr : planes_[component].samples + plane_at(component, x, row);
  }

  // Call after all rows have been put.
  void show(const J2kTarget& target);

 private:
  struct Plane {
    std::vector<uint8_t> bytes;  // never shrinks
    uint8_t* samples = nullptr;  // in `bytes`, or in the target's planes
    Area area;
    ptrdiff_t stride = 0;
  };

  ptrdiff_t plane_at(int component, int x, int row) const {
    const Plane& plane = planes_[component];
    return plane.stride * (row - plane.area.y0) + ptrdiff_t{deep_ ? 2 : 1} * (x - plane.area.x0);
  }
  size_t row_bytes() const;  // bytes of a BGRA row
  size_t bgra_at(int x, int row) const;
  void set_dither(int width, int frame_x);
  void extend(int reduction);
  // In the functions below, rows count from the first row of the area.
  template <class Sample>
  const Sample* row(int component, int row) const {
    const Plane& plane = planes_[component];
    return reinterpret_cast<const Sample*>(plane.samples + plane.stride * row);
  }
  // A row of chroma, upsampled to the width of luma.
  const uint16_t* wide_row(int component, int row);
  void show_yuv(const J2kTarget& target) const;
  void show_deep_row(const J2kTarget& target, int row, uint8_t* bgra);
  void show_cinema_row(int row, const float* dither, uint8_t* bgra);

  CpuLevel cpu_;
  const SampleKernels& kernels_;
  J2kHeader shape_;
  Area picture_;  // the first component of the reduced picture
  Area wanted_;   // the part of it that is shown
  bool yuv_ = false;
  bool deep_ = false;  // 16 bits per sample
  DeepYuvMatrix matrix_{};
  Plane planes_[3];
  std::vector<uint8_t> bgra_;  // all rows if wants_rgb(), else one row as a buffer
  std::vector<uint16_t> wide_[2];
  std::vector<float> dither_;  // rows of the dither matrix, repeated to the picture's width
  int dither_stride_ = 0;
  int dither_x_ = -1;
  bool dithers_ = false;
  std::unique_ptr<CinemaColor> cinema_;
};

}  // namespace codecs
