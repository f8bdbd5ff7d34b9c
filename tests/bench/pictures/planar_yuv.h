// Converts a BGRA picture to a decoder's format: planar YUV 4:2:0, BT.709, limited range. Not
// optimised; done once, before the measurement.
#pragma once

#include <sail/sail.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/core/base/geometry.h"

namespace bench {

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
