// Parsers for command line values: "1920x1080", "1920x1080@29.97", "10,20,640x360". Pure.
#pragma once

#include <sail/sail.h>

#include <optional>
#include <string_view>

#include "sail/core/base/geometry.h"

namespace sail {

constexpr double kMaxFps = 1000;

// WxH, sides from 1 to kMaxFrameSide.
std::optional<Size> parse_size(std::string_view text);

struct SizeAtFps {
  Size size;
  double fps = 0;
};

// WxH@FPS, or WxH with usual_fps. FPS from 0 (as fast as possible) to kMaxFps.
std::optional<SizeAtFps> parse_size_at_fps(std::string_view text, double usual_fps);

// X,Y or X,Y,WxH in wall pixels; without WxH the size is 0. X and Y may be negative.
std::optional<Rect> parse_place(std::string_view text);

struct RawFormat {
  Size size;
  double fps = 0;
  sail_pixel_format pixels = SAIL_BGRA;
  int bits = 8;  // per sample; more than 8: two bytes per sample, little-endian
};

// WxH@FPS:PIXFMT with PIXFMT rgba, bgra, rgb, nv12, i420, nv16, i422; i444, yuv420p10, yuv422p10,
// yuv444p10, yuv422p12, yuv444p12 or rgb48.
std::optional<RawFormat> parse_raw_format(std::string_view text);

// The largest size of the same aspect ratio within the bounds.
Size fit(Size picture, Size bounds);

}  // namespace sail
