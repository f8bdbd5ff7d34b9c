// Rearranges samples of frames: turns, mirrors, packs, blends over black. Pure; the caller
// allocates both frames. Only for the media_source files.
#pragma once

#include <cstdint>
#include <span>

#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

// 8-bit RGBA or BGRA; alpha becomes 255.
void lay_over_black(AVFrame& frame);

// What makes a stored picture upright: it is mirrored left to right, then turned clockwise.
struct Orientation {
  bool mirrored = false;
  int quarter_turns = 0;  // 0 to 3

  bool is_upright() const { return !mirrored && quarter_turns == 0; }
  bool swaps_sides() const { return quarter_turns % 2 != 0; }
};
// From the 9 values of FFmpeg's display matrix; other angles than quarter turns are rounded.
Orientation orientation_of(std::span<const int32_t, 9> matrix);
// `upright` has the format of `frame`, which must be a native_format(), and its size, with sides
// swapped if the orientation swaps them.
void turn_samples(const AVFrame& frame, AVFrame& upright, Orientation orientation);

// Converts a format that needs_packing() into 16-bit R, G, B; returns the number of low bits used.
// Alpha is blended over black.
int pack_samples(const AVFrame& frame, AVFrame& packed);

}  // namespace sail
