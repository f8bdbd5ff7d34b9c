// Converts pictures with HDR or wide colours to what a display shows, by a table of 33 × 33 × 33
// colours with tetrahedral interpolation, dithered to eight bits.
//
// The table is over R'G'B', and greys are on its diagonal: they stay exactly grey. Chroma is taken
// from the nearest sample and is averaged again afterwards. The same bits at every CpuLevel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/color/color_transform.h"

namespace codecs {

// An eight-bit picture to write.
struct PlaneTarget {
  uint8_t* planes[3] = {};
  ptrdiff_t strides[3] = {};
};

class ColorTable {
 public:
  // The output of convert(): planes of limited range with BT.709's matrix, or BGRA pixels.
  enum class Output : uint8_t { kYuv, kBgra };

  // Computes about 36,000 colours, which takes tens of milliseconds.
  ColorTable(const SourceColor& source, const DisplayColor& display, Output output);

  // `frame`: planar YUV of any depth for kYuv, whose result has planes of the same sizes; kRgbDeep
  // for kBgra. Its matrix, range and bits may differ from call to call.
  void convert(const ImageView& frame, const PlaneTarget& target, CpuLevel cpu) const;

 private:
  Output output_;
  double brightest_signal_;  // at the last node of an axis
  std::vector<int16_t> nodes_;
};

}  // namespace codecs
