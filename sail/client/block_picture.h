// A small picture from a frame's encoded blocks: of streams whose frames come encoded, and of the
// last frame of any stream.
#pragma once

#include <cstdint>
#include <span>

#include "sail/base/geometry.h"
#include "sail/client/encoded_frame.h"
#include "sail/wire/codec_name.h"

namespace sail {

// Writes R, G, B of each pixel, row by row without gaps. The frame has all its rows and is at least
// as large; blocks that it lacks, and unreadable ones, are dark grey.
void picture_from_blocks(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                         std::span<uint8_t> rgb);

}  // namespace sail
