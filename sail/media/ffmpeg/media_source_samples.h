// Rearranges samples of frames: rotates, packs, blends over black. Pure; the caller allocates both
// frames. Only for the media_source files.
#pragma once

#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

// 8-bit RGBA or BGRA; alpha becomes 255.
void lay_over_black(AVFrame& frame);

// `turned` has the format of `frame`, which must be a native_format(), and its size, with sides
// swapped for odd turns.
void turn_samples(const AVFrame& frame, AVFrame& turned, int quarter_turns);

// Converts a format that needs_packing() into 16-bit R, G, B; returns the number of low bits used.
// Alpha is blended over black.
int pack_samples(const AVFrame& frame, AVFrame& packed);

}  // namespace sail
