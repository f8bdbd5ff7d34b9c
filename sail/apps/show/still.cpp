#include "sail/apps/show/still.h"

#include <algorithm>
#include <cmath>

namespace sail {

Raster::Raster(Size of)
    : size(of), bgra(static_cast<size_t>(of.width) * static_cast<size_t>(of.height) * 4) {
  for (size_t i = 3; i < bgra.size(); i += 4) bgra[i] = 255;
}

SeenPart seen_part(const PageView& view, Size page) {
  SeenPart seen;
  seen.left = std::max(0.0, view.left);
  seen.top = std::max(0.0, view.top);
  seen.right = std::min<double>(page.width, view.left + view.frame.width / view.scale);
  seen.bottom = std::min<double>(page.height, view.top + view.frame.height / view.scale);
  if (seen.right <= seen.left || seen.bottom <= seen.top) return {};
  const auto frame_x = [&](double x) {
    return static_cast<int>(std::lround((x - view.left) * view.scale));
  };
  const auto frame_y = [&](double y) {
    return static_cast<int>(std::lround((y - view.top) * view.scale));
  };
  seen.in_frame = intersect(Rect::from_edges(frame_x(seen.left), frame_y(seen.top),
                                             frame_x(seen.right), frame_y(seen.bottom)),
                            {0, 0, view.frame.width, view.frame.height});
  return seen;
}

}  // namespace sail
