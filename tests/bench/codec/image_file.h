// Real pictures for the codec benchmark.
#pragma once

#include <string>

#include "sail/core/base/result.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// Whatever FFmpeg opens: a picture, or a film's frame from its middle, opaque, named after the
// file. What is larger than `size` is cut to its shape and scaled down; what is smaller repeats,
// at its own size and mirrored at the seams, until it fills it.
sail::Result<Picture> read_image(const std::string& path, sail::Size size);

}  // namespace bench
