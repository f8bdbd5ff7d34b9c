// Makes thumbnails: each pixel is the mean of a few samples, so the cost depends on the size of the
// small picture and not on the frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/image.h"

namespace codecs {

// Writes width × height pixels, 3 bytes each (R, G, B), row by row without gaps, of a frame of any
// format that is at least as large. Reentrant.
void sample_to_rgb(const ImageView& frame, int width, int height, std::span<uint8_t> rgb);

}  // namespace codecs
