#include "sail/apps/show/coarse_picture.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace sail {
namespace {

constexpr int kNone = -1;

// Maps each frame pixel along one side to a pixel of the drawn picture; kNone outside of it.
std::vector<int> nearest(int count, double edge, double scale, int drawn_count, double drawn_edge,
                         double drawn_scale) {
  std::vector<int> from(static_cast<size_t>(count), kNone);
  for (int i = 0; i < count; ++i) {
    const double on_page = edge + (i + 0.5) / scale;
    const double at = std::floor((on_page - drawn_edge) * drawn_scale);
    if (at >= 0 && at < drawn_count) from[static_cast<size_t>(i)] = static_cast<int>(at);
  }
  return from;
}

}  // namespace

void draw_coarse(Raster& frame, const PageView& view, const DrawnView& drawn) {
  const PageView& other = drawn.view;
  const std::vector<int> columns =
      nearest(view.frame.width, view.left, view.scale, other.frame.width, other.left, other.scale);
  const std::vector<int> rows =
      nearest(view.frame.height, view.top, view.scale, other.frame.height, other.top, other.scale);
  for (int y = 0; y < view.frame.height; ++y) {
    const int row = rows[static_cast<size_t>(y)];
    if (row == kNone) continue;
    const uint8_t* from = drawn.raster.at(0, row);
    uint8_t* to = frame.at(0, y);
    for (const int column : columns) {
      if (column != kNone) std::memcpy(to, from + static_cast<ptrdiff_t>(column) * 4, 4);
      to += 4;
    }
  }
}

}  // namespace sail
