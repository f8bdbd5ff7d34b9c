#include "manager/wall/decoration.h"

#include <algorithm>
#include <cmath>

#include "manager/wall/arrange.h"
#include "manager/wall/window_stack.h"

namespace manager {
namespace {

// Returns a rectangle of this size in the corner of the area.
sail::Rect in_corner(sail::Size size, const sail::Rect& area, Corner corner) {
  const bool right = corner == Corner::kTopRight || corner == Corner::kBottomRight;
  const bool bottom = corner == Corner::kBottomLeft || corner == Corner::kBottomRight;
  return {right ? area.right() - size.width : area.x, bottom ? area.bottom() - size.height : area.y,
          size.width, size.height};
}

}  // namespace

sail::Rect logo_box(const sail::Rect& area, Corner corner, double size) {
  constexpr int kMargins = 40;  // The distance is the shorter side, divided by this.
  const int margin = std::min(area.width, area.height) / kMargins;
  const sail::Rect inner{area.x + margin, area.y + margin, area.width - 2 * margin,
                         area.height - 2 * margin};
  const auto part = [size](int of) {
    return std::clamp(static_cast<int>(std::lround(of * size)), 1, of);
  };
  return in_corner({part(inner.width), part(inner.height)}, inner, corner);
}

void place_decoration(Window& window, const sail::Rect& area) {
  const Decoration& decoration = *window.content->decoration;
  const sail::Rect fitted = fit_into(window.shown_size(), area);
  window.sound.muted = true;
  window.wall_rect = window.place = area;
  if (decoration.kind == DecorationKind::kLogo) {
    window.wall_rect = window.place =
        in_corner({fitted.width, fitted.height}, area, decoration.corner);
  } else if (decoration.fit == WallpaperFit::kContain) {
    window.wall_rect = fitted;
  } else if (decoration.fit == WallpaperFit::kCover) {
    window.look = window.filling(area);
  }
}

}  // namespace manager
