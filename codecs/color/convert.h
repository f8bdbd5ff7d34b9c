// Converts any PixelFormat, except those for JPEG 2000 only, to BGRA pixels (B, G, R, 255).
//
// YUV: 8-bit fixed point after ITU-R BT.601 / BT.709 / BT.2020, limited or full range; chroma is
// taken from the nearest sample (no filter). The same bits at every CpuLevel. Reentrant; no
// allocation.
#pragma once

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

// Converts the rectangle at (x, y), which must lie within the frame.
void convert_to_bgra(const ImageView& frame, int x, int y, int width, int height, BgraTarget target,
                     CpuLevel cpu);
// The same, bypassing the caches (streamed_copy.h), for targets that are not read soon.
void stream_to_bgra(const ImageView& frame, int x, int y, int width, int height, BgraTarget target,
                    CpuLevel cpu);

}  // namespace codecs
