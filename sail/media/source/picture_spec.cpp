#include "sail/media/source/picture_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

// The whole text must be the number.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return number;
}

std::optional<std::pair<std::string_view, std::string_view>> split(std::string_view text, char at) {
  const size_t position = text.find(at);
  if (position == std::string_view::npos) return std::nullopt;
  return std::pair{text.substr(0, position), text.substr(position + 1)};
}

std::optional<Size> parse_sides(std::string_view text, int max_side) {
  const auto sides = split(text, 'x');
  if (!sides) return std::nullopt;
  const auto width = parse_number<int>(sides->first);
  const auto height = parse_number<int>(sides->second);
  if (!width || !height) return std::nullopt;
  if (*width < 1 || *height < 1 || *width > max_side || *height > max_side) return std::nullopt;
  return Size{*width, *height};
}

}  // namespace

std::optional<Size> parse_size(std::string_view text) {
  return parse_sides(text, kMaxFrameSide);
}

std::optional<SizeAtFps> parse_size_at_fps(std::string_view text, double usual_fps) {
  const auto parts = split(text, '@');
  const auto size = parse_size(parts ? parts->first : text);
  const auto fps = parts ? parse_number<double>(parts->second) : usual_fps;
  if (!size || !fps || !std::isfinite(*fps) || *fps < 0 || *fps > kMaxFps) return std::nullopt;
  return SizeAtFps{*size, *fps};
}

std::optional<Rect> parse_place(std::string_view text) {
  const auto first = split(text, ',');
  if (!first) return std::nullopt;
  const auto second = split(first->second, ',');
  const auto x = parse_number<int>(first->first);
  const auto y = parse_number<int>(second ? second->first : first->second);
  if (!x || !y || std::abs(static_cast<long>(*x)) > kMaxWindowOffset ||
      std::abs(static_cast<long>(*y)) > kMaxWindowOffset) {
    return std::nullopt;
  }
  if (!second) return Rect{*x, *y, 0, 0};
  const auto size = parse_sides(second->second, kMaxWindowSide);
  if (!size) return std::nullopt;
  return Rect{*x, *y, size->width, size->height};
}

std::optional<RawFormat> parse_raw_format(std::string_view text) {
  struct Format {
    std::string_view name;
    sail_pixel_format pixels;
    int bits = 8;
  };
  constexpr std::array<Format, 14> kFormats = {{
      {"rgba", SAIL_RGBA},
      {"bgra", SAIL_BGRA},
      {"rgb", SAIL_RGB},
      {"nv12", SAIL_NV12},
      {"i420", SAIL_I420},
      {"nv16", SAIL_NV16},
      {"i422", SAIL_I422},
      {"i444", SAIL_I444},
      {"yuv420p10", SAIL_I420_DEEP, 10},
      {"yuv422p10", SAIL_I422_DEEP, 10},
      {"yuv444p10", SAIL_I444_DEEP, 10},
      {"yuv422p12", SAIL_I422_DEEP, 12},
      {"yuv444p12", SAIL_I444_DEEP, 12},
      {"rgb48", SAIL_RGB_DEEP, 16},
  }};
  const auto parts = split(text, ':');
  if (!parts || parts->first.find('@') == std::string_view::npos) return std::nullopt;
  const auto picture = parse_size_at_fps(parts->first, 0);
  const auto* format = std::find_if(kFormats.begin(), kFormats.end(),
                                    [&](const Format& f) { return f.name == parts->second; });
  if (!picture || format == kFormats.end()) return std::nullopt;
  return RawFormat{picture->size, picture->fps, format->pixels, format->bits};
}

Size fit(Size picture, Size bounds) {
  const double scale = std::min(static_cast<double>(bounds.width) / picture.width,
                                static_cast<double>(bounds.height) / picture.height);
  return {std::max(1, static_cast<int>(std::lround(picture.width * scale))),
          std::max(1, static_cast<int>(std::lround(picture.height * scale)))};
}

}  // namespace sail
