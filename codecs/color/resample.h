// Bilinear scaling of BGRA pixels. The caller gives the sample positions, so that all tiles of a
// wall agree on every pixel although each scales its own part of a window.
//
// The same bits at every CpuLevel. Reentrant; no allocation beyond `scratch`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs {

// One output column or row: (source[first] · (256 − weight) + source[second] · weight) / 256.
struct Tap {
  int32_t first;
  int32_t second;   // first or first + 1
  uint16_t weight;  // of `second`, 0 … 256
};

// Writes columns.size() × rows.size() pixels: scales horizontally, rounds to 8 bits (+128 >> 8),
// then does the same vertically. The taps index source columns and rows. `scratch` holds two source
// rows scaled horizontally: at least columns.size() · 8 bytes.
void resample_bilinear(const uint8_t* source, ptrdiff_t source_stride, std::span<const Tap> columns,
                       std::span<const Tap> rows, std::span<uint8_t> scratch, BgraTarget target,
                       CpuLevel cpu);

}  // namespace codecs
