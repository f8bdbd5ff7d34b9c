// Converts YUV films with HDR or wide colours to what a display shows, by a table with prism
// interpolation (simd/prism_kernels.h), dithered to eight bits.
//
// Greys stay exactly grey. The chroma of a square of pixels is converted once, with their mean
// luma. The same bits at every CpuLevel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/color/color_transform.h"

namespace codecs {

struct ColorPrisms;

// An eight-bit picture to write.
struct PlaneTarget {
  uint8_t* planes[3] = {};
  ptrdiff_t strides[3] = {};
};

class YuvColorTable {
 public:
  // Computes about 40,000 colours, which takes tens of milliseconds. `matrix`: of the frames.
  YuvColorTable(const SourceColor& source, const DisplayColor& display, ColorMatrix matrix);

  // Parts of a picture that begin at a multiple of this have the dithering of the whole.
  static constexpr int kRows = 16;

  // `frame`: planar YUV of any depth; range and bits may differ from call to call. The result has
  // planes of the same sizes, limited range and BT.709's matrix.
  void convert(const ImageView& frame, const PlaneTarget& target, CpuLevel cpu) const;

 private:
  // Levels of all nodes: Y, Cb, Cr.
  std::vector<int16_t> node_levels(const ColorTransform& transform) const;
  // The positions that samples of the frame have.
  ColorPrisms prisms_for(const ImageView& frame) const;

  ColorMatrix matrix_;
  double brightest_signal_;  // the size of kLumaSteps
  int luma_nodes_;
  std::vector<int16_t> luma_;
  std::vector<int16_t> chroma_;
};

}  // namespace codecs
