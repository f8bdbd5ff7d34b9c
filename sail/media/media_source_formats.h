// What FFmpeg's pixel formats and colours are here, and what a frame becomes on its way. Pure. Only
// for the media_source files.
#pragma once

#include <sail/sail.h>

#include "codecs/format.h"
#include "sail/media/media_source_av.h"

namespace sail {

// 0: no format of ours.
sail_pixel_format native_format(int format);
// Bits of a sample.
int depth_of(int format);

struct FormatWish {
  bool keep_alpha = false;
  bool for_j2k = false;   // depth and chroma are kept, alpha is not
  bool rgb = false;       // 8 bits become BGRA
  bool sideways = false;  // it is turned by a quarter afterwards
};
// What FFmpeg's scaler makes of a frame: its own format when there is nothing to do. Of a format
// that needs_packing() what follows is a change of order only.
AVPixelFormat stage_format(const AVFrame& frame, const FormatWish& wish);
// Deep RGB in planes, with alpha, or XYZ: SAIL_RGB_DEEP has neither.
bool needs_packing(AVPixelFormat format);

sail_color_matrix matrix_of(const AVFrame& frame);
bool is_full_range(const AVFrame& frame);
// What its components mean from now on, whatever it says; YUV of 8 bits.
void set_color(AVFrame& frame, codecs::PictureColor color);
bool is_rgb(int format);
bool has_alpha(int format);
bool is_xyz(int format);

}  // namespace sail
