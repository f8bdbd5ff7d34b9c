// A BGRA picture as decoders deliver theirs: planar YUV 4:2:0, BT.709, limited range. Plain; made
// once, before anything is measured.
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

  // What begins at (x, y), both even. Its planes stay this object's.
  sail_frame frame(int x, int y) const;

 private:
  sail::Size size_;
  std::vector<uint8_t> luma_;
  std::vector<uint8_t> chroma_[2];
};

}  // namespace bench
