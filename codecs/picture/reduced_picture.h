// Reduces a part of a frame by a power of two in the frame's own format, for codecs that code that
// format: chroma stays subsampled, and deep samples stay deep. RGB of 8 bits becomes BGRA.
//
// One thread at a time; allocates only for pictures larger than any before.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

class ReducedPicture {
 public:
  // Reduces the rectangle at (x, y), in pixels of the frame halved `reduction` times (1 …
  // kMaxReduction); x and y are even if chroma is subsampled. Each sample is the mean of its
  // square, clipped to the frame. The result is valid until the next call.
  const ImageView& make(const ImageView& frame, int reduction, int x, int y, int width, int height,
                        CpuLevel cpu);

 private:
  struct Plane;
  void make_planes(const ImageView& frame, int reduction, int x, int y);
  template <class Sample>
  void reduce_plane(const Plane& plane, int reduction, uint8_t* to);

  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> sums_;  // column sums of the samples, for one row
  ImageView view_;
};

}  // namespace codecs
