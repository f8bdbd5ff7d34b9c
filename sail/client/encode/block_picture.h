// Makes a small picture from a frame's encoded blocks. Used for streams whose frames arrive
// encoded, and for the last frame of any stream.
#pragma once

#include <cstdint>
#include <span>

#include "sail/client/encode/encoded_frame.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {

// Writes R, G and B of each pixel, row by row without padding. The frame must have all its rows and
// be at least as large as `size`. Missing and undecodable blocks become dark grey.
void picture_from_blocks(const EncodedFrame& frame, const StreamCodec& codec, Size size,
                         std::span<uint8_t> rgb);

}  // namespace sail
