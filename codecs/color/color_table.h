// Converts RGB pictures with HDR or wide colours to what a display shows, by a table of
// 33 × 33 × 33 colours with tetrahedral interpolation, dithered to eight bits. For YUV see
// yuv_color_table.h.
//
// The table is over R'G'B', and greys are on its diagonal: they stay exactly grey. The same bits at
// every CpuLevel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/color/color_transform.h"

namespace codecs {

class ColorTable {
 public:
  // Computes about 36,000 colours, which takes tens of milliseconds.
  ColorTable(const SourceColor& source, const DisplayColor& display);

  // `frame`: kRgbDeep; its bits may differ from call to call.
  void convert(const ImageView& frame, BgraTarget target, CpuLevel cpu) const;

 private:
  double brightest_signal_;  // at the last node of an axis
  std::vector<int16_t> nodes_;
};

}  // namespace codecs
