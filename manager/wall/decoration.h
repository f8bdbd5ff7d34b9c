// Pictures that people do not arrange: wallpapers lie below all windows, logos above them, and
// curtains above everything, over what is blank. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace manager {

struct Window;

enum class DecorationKind : uint8_t { kWallpaper, kLogo, kCurtain };
enum class WallpaperFit : uint8_t { kCover, kContain, kStretch };
enum class Corner : uint8_t { kTopRight, kTopLeft, kBottomLeft, kBottomRight };

struct Decoration {
  DecorationKind kind = DecorationKind::kWallpaper;
  std::string area{};                       // Tile or partition; empty: the wall. No curtain.
  WallpaperFit fit = WallpaperFit::kCover;  // only for a wallpaper
  Corner corner = Corner::kTopRight;        // only for a logo
  // Only for a curtain, which covers the wall if both are empty.
  sail::Rect blank_area{};    // The area that it covers.
  uint32_t blank_window = 0;  // The window that it covers.

  // Whether both belong to the same place, which has room for only one.
  bool shares_place(const Decoration& other) const {
    return kind == other.kind && area == other.area && blank_area == other.blank_area &&
           blank_window == other.blank_window &&
           (kind != DecorationKind::kLogo || corner == other.corner);
  }
  bool operator==(const Decoration&) const = default;
};

constexpr sail::Choice<DecorationKind, 3> kDecorationKinds{
    {{DecorationKind::kWallpaper, "wallpaper"},
     {DecorationKind::kLogo, "logo"},
     {DecorationKind::kCurtain, "curtain"}}};
constexpr sail::Choice<WallpaperFit, 3> kWallpaperFits{{{WallpaperFit::kCover, "cover"},
                                                        {WallpaperFit::kContain, "contain"},
                                                        {WallpaperFit::kStretch, "stretch"}}};
constexpr sail::Choice<Corner, 4> kCorners{{{Corner::kTopRight, "top-right"},
                                            {Corner::kTopLeft, "top-left"},
                                            {Corner::kBottomLeft, "bottom-left"},
                                            {Corner::kBottomRight, "bottom-right"}}};

void fields(auto& visit, sail::Of<Decoration> auto& decoration) {
  visit("kind", kDecorationKinds, decoration.kind);
  visit("area", sail::sparse(sail::Text{sail::kMaxNameLength}), decoration.area);
  visit("fit", sail::sparse(kWallpaperFits), decoration.fit);
  visit("corner", sail::sparse(kCorners), decoration.corner);
  visit("blank_area", sail::sparse(sail::kWindowRect), decoration.blank_area);
  visit("blank_window", sail::sparse(sail::kStreamNumber), decoration.blank_window);
}

// Returns the box in the corner of the area, at a small distance from its edges, that a logo is
// fitted into. size: its sides as a part of those of the area, up to 1.
sail::Rect logo_box(const sail::Rect& area, Corner corner, double size);
// Puts the window into the area or box, as its decoration says. Requires decorates().
void place_decoration(Window& window, const sail::Rect& area);

}  // namespace manager
