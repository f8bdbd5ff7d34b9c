// Content for benchmarks: a large detailed picture (soft gradients, noise at several scales, hard
// edges, fine lines) that is panned by an odd number of pixels each frame. A frame is a view into
// the picture, so it costs nothing and the results are those of the wall.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/base/geometry.h"

namespace bench {

class MovingPicture {
 public:
  explicit MovingPicture(sail::Size frame_size);

  // BGRA pixels of a frame; rows are stride() bytes apart. Any number is valid; the path repeats.
  const uint8_t* frame(uint64_t number) const;
  // The large picture, and the origin of a frame in it: x and y are even.
  sail::Size whole_size() const { return size_; }
  const uint8_t* whole() const { return pixels_.data(); }
  struct Offset {
    int x;
    int y;
  };
  static Offset offset(uint64_t number);
  ptrdiff_t stride() const { return static_cast<ptrdiff_t>(size_.width) * 4; }

 private:
  sail::Size size_;
  std::vector<uint8_t> pixels_;
};

// Converts a BGRA picture to a decoder's format: planar YUV 4:2:0, BT.709, limited range. Not
// optimised; done once, before the measurement.
class PlanarYuv {
 public:
  PlanarYuv(const uint8_t* bgra, ptrdiff_t stride, sail::Size size);

  // The frame at offset (x, y), both even. The planes belong to this object.
  sail_frame frame(int x, int y) const;

 private:
  sail::Size size_;
  std::vector<uint8_t> luma_;
  std::vector<uint8_t> chroma_[2];
};

}  // namespace bench
