// Mixing of two pictures, for fades. The same bits at every CpuLevel. Reentrant; no allocation.
#pragma once

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// Writes width × height pixels. Each byte is (first · (256 − weight) + second · weight + 128) /
// 256, rounded down. weight: 0 … 256. The target must not overlap the pictures.
inline void mix_bgra(BgraTarget first, BgraTarget second, int weight, int width, int height,
                     BgraTarget target, CpuLevel cpu) {
  const BlendRows blend_rows = kernels_for(cpu).blend_rows;
  const size_t bytes = static_cast<size_t>(width) * kBgraBytes;
  for (int y = 0; y < height; ++y) {
    blend_rows(first.pixels + y * first.stride, second.pixels + y * second.stride, weight, bytes,
               target.pixels + y * target.stride);
  }
}

}  // namespace codecs
