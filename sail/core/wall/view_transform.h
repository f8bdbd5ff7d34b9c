// View transform of a window: the visible part of the picture, rotation, mirroring, opacity. Used
// in control messages and saved windows; sail/core/wall/picture_map.h applies it to pixels. Pure.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <cstdint>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

// For pictures that hold a left and a right eye, side by side or one above the other (left on top).
enum class Stereo : uint8_t {
  kOff,   // the whole picture is shown as it is
  kLeft,  // one eye's picture
  kRight,
  kAnaglyph,  // red from the left eye, green and blue from the right eye
};
constexpr Choice<Stereo, 4> kStereoWords{{{Stereo::kOff, "off"},
                                          {Stereo::kLeft, "left"},
                                          {Stereo::kRight, "right"},
                                          {Stereo::kAnaglyph, "anaglyph"}}};
enum class Halves : uint8_t { kSideBySide, kTopBottom };
constexpr Choice<Halves, 2> kHalvesWords{
    {{Halves::kSideBySide, "side-by-side"}, {Halves::kTopBottom, "top-bottom"}}};

// The default shows the picture unchanged. The steps are applied in this order.
struct ViewTransform {
  Stereo stereo = Stereo::kOff;
  Halves halves = Halves::kSideBySide;  // arrangement of the two eyes' pictures
  Rect crop{};         // visible part of the picture, or of one eye's picture; empty: all
  int rotate = 0;      // 0, 90, 180 or 270 degrees clockwise
  bool flip = false;   // mirrored left to right, after rotation
  double opacity = 1;  // 0: invisible

  // Opacity as used for painting.
  int opacity_255() const { return static_cast<int>(std::lround(opacity * 255)); }
  bool translucent() const { return opacity_255() < 255; }
  bool invisible() const { return opacity_255() == 0; }
  bool operator==(const ViewTransform&) const = default;
};

struct QuarterTurns {
  static void read(JsonFields& in, const char* name, int& degrees) {
    degrees = static_cast<int>(in.integer(name, 0, 270));
    if (degrees % 90 != 0) in.mistake(name, "must be 0, 90, 180 or 270");
  }
};
constexpr Real kOpacity{0, 1};
// A rectangle with non-negative x and y; all values at most kMaxFrameSide.
struct SourceRect {
  static void read(JsonFields& in, const char* name, Rect& rect) {
    rect = in.rect(name, kMaxFrameSide, kMaxFrameSide);
    if (rect.x < 0 || rect.y < 0) {
      in.mistake(
          name, fmt::format("must lie within the picture, but begins at ({}, {})", rect.x, rect.y));
    }
  }
  static Json json(const Rect& rect) { return rect_json(rect); }
};
void fields(auto& visit, Of<ViewTransform> auto& look) {
  visit("stereo", sparse(kStereoWords), look.stereo);
  visit("halves", sparse(kHalvesWords), look.halves);
  visit("crop", sparse(SourceRect()), look.crop);
  visit("rotate", sparse(QuarterTurns()), look.rotate);
  visit("flip", sparse(Flag()), look.flip);
  visit("opacity", written_if(look.opacity != 1, kOpacity), look.opacity);
}

}  // namespace sail
