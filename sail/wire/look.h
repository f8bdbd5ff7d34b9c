// How a window shows its picture, besides where: which part of it, turned, mirrored, seen through.
// A control message's and a saved window's part; sail/wall/picture_map.h makes pixels of it. Pure.
#pragma once

#include <cmath>
#include <cstdint>

#include "sail/base/geometry.h"
#include "sail/wire/json_fields.h"

namespace sail {

// A picture that holds those of two eyes, the left one's left or at the top.
enum class Stereo : uint8_t {
  kOff,       // all of it is shown as it is
  kLeft,      // one eye's
  kRight,     //
  kAnaglyph,  // the left eye's red, the right one's green and blue
};
constexpr Choice<Stereo, 4> kStereoWords{{{Stereo::kOff, "off"},
                                          {Stereo::kLeft, "left"},
                                          {Stereo::kRight, "right"},
                                          {Stereo::kAnaglyph, "anaglyph"}}};
enum class Halves : uint8_t { kSideBySide, kTopBottom };
constexpr Choice<Halves, 2> kHalvesWords{
    {{Halves::kSideBySide, "side-by-side"}, {Halves::kTopBottom, "top-bottom"}}};

// The default shows the picture as it is. The steps are taken in this order.
struct Look {
  Stereo stereo = Stereo::kOff;
  Halves halves = Halves::kSideBySide;  // where the eyes' pictures are
  Rect crop{};                          // of the picture, or of an eye's: what is shown; empty: all
  int rotate = 0;                       // 0, 90, 180, 270: degrees clockwise
  bool flip = false;                    // then left and right change places
  double opacity = 1;                   // 0: not seen at all

  // What painting takes it for.
  int opacity_255() const { return static_cast<int>(std::lround(opacity * 255)); }
  bool translucent() const { return opacity_255() < 255; }
  bool invisible() const { return opacity_255() == 0; }
  bool operator==(const Look&) const = default;
};

struct QuarterTurns {
  static void read(JsonFields& in, const char* name, int& degrees);
};
constexpr Real kOpacity{0, 1};
// As large as a frame's sides can be, from (0, 0) on.
struct SourceRect {
  static void read(JsonFields& in, const char* name, Rect& rect);
  static Json json(const Rect& rect) { return rect_json(rect); }
};
void fields(auto& visit, Of<Look> auto& look) {
  visit("stereo", sparse(kStereoWords), look.stereo);
  visit("halves", sparse(kHalvesWords), look.halves);
  visit("crop", sparse(SourceRect()), look.crop);
  visit("rotate", sparse(QuarterTurns()), look.rotate);
  visit("flip", sparse(Flag()), look.flip);
  visit("opacity", written_if(look.opacity != 1, kOpacity), look.opacity);
}

}  // namespace sail
