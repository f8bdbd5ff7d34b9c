// The components of a decoded picture, kept until it is whole, and then shown as BGRA; or written
// to where the target wants them as they are. Internal to codecs/. Memory is taken only for
// pictures larger than any before.
//
// YUV to R'G'B' after ITU-R BT.601, BT.709 and BT.2020 (non-constant luminance), chroma from the
// nearest sample; 8-bit subsampled ones as convert.h does it. X'Y'Z': see cinema_color.h. More than
// eight bits are dithered to eight by an ordered 8×8 matrix that is fixed to the frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/cinema_color.h"
#include "codecs/cpu.h"
#include "codecs/image.h"
#include "codecs/j2k.h"
#include "codecs/kernels.h"

namespace codecs {

// Whether such components are what pictures of those colours have.
bool fits_color(const J2kHeader& header, ColorMatrix matrix);

class ComponentPlanes {
 public:
  explicit ComponentPlanes(CpuLevel cpu);

  // False when the components are not what the target's colour or planes call for. Where it has
  // planes, those are written to.
  bool begin(const J2kHeader& header, const J2kTarget& target);

  // What has to be put of a component of the reduced picture: what the target wants, from even
  // places on, so that chroma and the halves of rows meet.
  const Area& area(int component) const { return planes_[component].area; }
  // `count` samples from column x on. Columns and rows are those of the reduced picture.
  void put(int component, int x, int row, int count, const int32_t* samples);
  // Instead, where wants_rgb(): red, green and blue at once.
  bool wants_rgb() const { return !deep_ && !yuv_; }
  void put_rgb(int x, int row, int count, SampleRows<int32_t> samples);
  // Instead of both: where the row's pixels go, where wants_rgb(), or its samples, where they have
  // eight bits (else null).
  uint8_t* rgb_row(int x, int row) { return bgra_.data() + bgra_at(x, row); }
  uint8_t* byte_row(int component, int x, int row) {
    return deep_ ? nullptr : planes_[component].samples + plane_at(component, x, row);
  }

  // All rows have been put.
  void show(const J2kTarget& target);

 private:
  struct Plane {
    std::vector<uint8_t> bytes;  // grows only
    uint8_t* samples = nullptr;  // there, or the target's
    Area area;
    ptrdiff_t stride = 0;
  };

  ptrdiff_t plane_at(int component, int x, int row) const {
    const Plane& plane = planes_[component];
    return plane.stride * (row - plane.area.y0) + ptrdiff_t{deep_ ? 2 : 1} * (x - plane.area.x0);
  }
  size_t row_bytes() const;  // of BGRA
  size_t bgra_at(int x, int row) const;
  void set_dither(int width, int frame_x);
  // From here on rows are counted from the first that was put.
  template <class Sample>
  const Sample* row(int component, int row) const {
    const Plane& plane = planes_[component];
    return reinterpret_cast<const Sample*>(plane.samples + plane.stride * row);
  }
  // A row of chroma as wide as luma.
  const uint16_t* wide_row(int component, int row);
  void show_yuv(const J2kTarget& target) const;
  void show_deep_row(const J2kTarget& target, int row, uint8_t* bgra);
  void show_cinema_row(int row, const float* dither, uint8_t* bgra);

  CpuLevel cpu_;
  const SampleKernels& kernels_;
  J2kHeader shape_;
  bool yuv_ = false;
  bool deep_ = false;  // planes of 16 bits a sample
  DeepYuvMatrix matrix_{};
  Plane planes_[3];
  std::vector<uint8_t> bgra_;  // all rows where wants_rgb(), else one on its way
  std::vector<uint16_t> wide_[2];
  std::vector<float> dither_;  // rows of the matrix, as long as the picture's
  int dither_stride_ = 0;
  int dither_x_ = -1;
  bool dithers_ = false;
  std::unique_ptr<CinemaColor> cinema_;
};

}  // namespace codecs
