// FFmpeg's JPEG 2000 (Part 1), as a coder of whole frames.
#pragma once

#include "tests/bench/codec/j2k_coder.h"

namespace bench {

// The frame must outlive the coders. RGB formats and I420.
MakeJ2kCoder ffmpeg_jpeg2000(const codecs::ImageView& frame);

}  // namespace bench
