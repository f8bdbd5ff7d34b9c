// Pictures made much smaller, for people who want to know what a window shows: each pixel is the
// mean of a few samples, so that the cost goes with the small picture and not with the frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/image.h"

namespace codecs {

// Writes width × height pixels, 3 bytes each (R, G, B), row by row without gaps, of a frame of any
// format that is at least as large. Reentrant.
void sample_to_rgb(const ImageView& frame, int width, int height, std::span<uint8_t> rgb);

}  // namespace codecs
