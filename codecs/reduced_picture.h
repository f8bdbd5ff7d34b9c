// Part of a frame made smaller by a power of two in the frame's own format, for codecs that code it
// as it is: chroma stays subsampled, and deep samples deep. RGB of 8 bits becomes BGRA.
//
// One thread at a time; takes memory only for pictures larger than any before.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/cpu.h"
#include "codecs/image.h"

namespace codecs {

class ReducedPicture {
 public:
  // The rectangle at (x, y), in pixels of the frame halved `reduction` times (1 … kMaxReduction);
  // both even where chroma is subsampled. Each sample is the mean of those that the frame has in
  // its square. Good until the next call.
  const ImageView& make(const ImageView& frame, int reduction, int x, int y, int width, int height,
                        CpuLevel cpu);

 private:
  struct Plane;
  void make_planes(const ImageView& frame, int reduction, int x, int y);
  template <class Sample>
  void reduce_plane(const Plane& plane, int reduction, uint8_t* to);

  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> sums_;  // of the samples above one another, for a row
  ImageView view_;
};

}  // namespace codecs
