// Reads real pictures for the codec benchmark.
#pragma once

#include <string>

#include "sail/core/base/result.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// Opens any picture, or a film's middle frame, that FFmpeg can read; opaque, named after the file.
// A larger picture is cropped to the shape of `size` and scaled down; a smaller one is repeated at
// its size, mirrored at the seams, until it fills `size`.
sail::Result<Picture> read_image(const std::string& path, sail::Size size);

}  // namespace bench
