// Maps FFmpeg's pixel formats and colours to ours, and chooses the conversions of a frame. Pure.
// Only for the media_source files.
#pragma once

#include <sail/sail.h>

#include <optional>
#include <string>

#include "codecs/base/format.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

// 0: not one of our formats.
sail_pixel_format native_format(int format);
// Bits per sample.
int depth_of(int format);

struct FormatWish {
  bool keep_alpha = false;
  bool for_j2k = false;   // keep depth and chroma, but not alpha
  bool rgb = false;       // 8-bit pictures become BGRA
  bool sideways = false;  // the frame is rotated by a quarter turn afterwards
};
// The format for FFmpeg's scaler to produce; the frame's own if no conversion is needed. If
// needs_packing() is true for the result, the samples are only rearranged afterwards.
AVPixelFormat stage_format(const AVFrame& frame, const FormatWish& wish);
// True for planar deep RGB, deep RGB with alpha, and XYZ, which must become SAIL_RGB_DEEP.
bool needs_packing(AVPixelFormat format);
// True for the formats of 8-bit R, G, B that can become SAIL_RGB_DEEP: RGB24 and RGBA.
bool is_shallow_rgb(int format);

sail_color_matrix matrix_of(const AVFrame& frame);
bool is_full_range(const AVFrame& frame);
// The colour that a container specifies for pictures in JPEG 2000; empty: none.
std::optional<codecs::ColorMatrix> container_matrix(const AVCodecParameters& picture);
std::optional<codecs::ColorRange> container_range(const AVCodecParameters& picture);
// Overrides the frame's colour. For 8-bit YUV.
void set_color(AVFrame& frame, codecs::PictureColor color);
bool is_rgb(int format);
bool has_alpha(int format);
bool is_xyz(int format);

}  // namespace sail
