// Mixing of two pictures, for fades. The same bits at every CpuLevel. Reentrant; no allocation.
#pragma once

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

// Writes width × height pixels. Each byte is (first · (256 − weight) + second · weight + 128) /
// 256, rounded down. weight: 0 … 256. The target must not overlap the pictures.
void mix_bgra(BgraTarget first, BgraTarget second, int weight, int width, int height,
              BgraTarget target, CpuLevel cpu);

}  // namespace codecs
