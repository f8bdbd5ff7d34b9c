// Integer rectangles. A variable's name gives the coordinate space: wall_rect (wall pixels),
// tile_rect (a tile's own pixels), source_rect (a frame's pixels), blocks (block columns and rows).
#pragma once

#include <algorithm>
#include <cstdint>

namespace sail {

struct Size {
  int width = 0;
  int height = 0;

  bool operator==(const Size&) const = default;
};

// Half-open: covers [x, x + width) × [y, y + height). Empty if a side is not positive.
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  int right() const { return x + width; }
  int bottom() const { return y + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool contains(int px, int py) const {
    return px >= x && px < right() && py >= y && py < bottom();
  }
  bool operator==(const Rect&) const = default;

  static Rect from_edges(int left, int top, int right, int bottom) {
    return {left, top, right - left, bottom - top};
  }
};

inline Rect intersect(const Rect& a, const Rect& b) {
  const Rect both =
      Rect::from_edges(std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.right(), b.right()),
                       std::min(a.bottom(), b.bottom()));
  return both.empty() ? Rect{} : both;
}

// The smallest rectangle that covers both.
inline Rect united(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return Rect::from_edges(std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.right(), b.right()),
                          std::max(a.bottom(), b.bottom()));
}

}  // namespace sail
