// Samples of a frame moved to other places: turned, packed, laid over black. Pure; both frames are
// there. Only for the media_source files.
#pragma once

#include "sail/media/media_source_av.h"

namespace sail {

// RGBA or BGRA of 8 bits: alpha becomes 255.
void lay_over_black(AVFrame& frame);

// `turned` has one of our own formats, that of `frame`, and its sides, swapped for odd turns.
void turn_samples(const AVFrame& frame, AVFrame& turned, int quarter_turns);

// From a format that needs_packing() into R, G, B of 16 bits, the lower `bits` of which count: the
// return value. What has alpha is laid over black.
int pack_samples(const AVFrame& frame, AVFrame& packed);

}  // namespace sail
