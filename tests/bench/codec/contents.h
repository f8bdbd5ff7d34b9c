// Pictures for the codec benchmark: drawn, with the same pixels on every machine and in every run,
// or read from files.
#pragma once

#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// testcard     saturated bars, ramps, checks and circles, similar to FFmpeg's testsrc2
// photo        photograph-like: shaded, textured, overlapping leaves, lens blur, noise
// fractal      a coloured Mandelbrot set with noise: hard for every block codec
// desktop      windows with smoothed text of many colours on flat and shaded ground
// translucent  the photograph-like one with soft and sharp alpha
const std::vector<std::string>& content_names();

// Draws one of these with all threads of the pool.
Picture draw_content(const std::string& name, sail::Size size, sail::WorkerPool& pool);

// The larger ones, in separate files.
void draw_photo(Picture& picture, uint32_t seed, sail::WorkerPool& pool);
void draw_desktop(Picture& picture, sail::WorkerPool& pool);

// Opens any picture, or a film's middle frame, that FFmpeg can read; opaque, named after the file.
// A larger picture is cropped to the shape of `size` and scaled down; a smaller one is repeated at
// its size, mirrored at the seams, until it fills `size`.
sail::Result<Picture> read_image(const std::string& path, sail::Size size);

}  // namespace bench
