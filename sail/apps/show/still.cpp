#include "sail/apps/show/still.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
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

void draw_coarse(Raster& frame, const PageView& view, const DrawnView& drawn) {
  const PageView& other = drawn.view;
  const std::vector<int> columns =
      nearest(view.frame.width, view.left, view.scale, other.frame.width, other.left, other.scale);
  const std::vector<int> rows =
      nearest(view.frame.height, view.top, view.scale, other.frame.height, other.top, other.scale);
  const auto is_drawn = [](int column) { return column != kNone; };
  const auto begin = std::ranges::find_if(columns, is_drawn);
  const auto end = std::find_if_not(begin, columns.end(), is_drawn);
  const auto left = static_cast<int>(begin - columns.begin());
  int before = kNone;  // the row that was drawn last
  for (int y = 0; y < view.frame.height; ++y) {
    const int row = rows[static_cast<size_t>(y)];
    if (row == kNone) continue;
    uint8_t* to = frame.at(left, y);
    if (row == std::exchange(before, row)) {
      std::copy_n(frame.at(left, y - 1), (end - begin) * 4, to);
      continue;
    }
    const uint8_t* from = drawn.raster.at(0, row);
    for (auto column = begin; column != end; ++column, to += 4) {
      std::memcpy(to, from + static_cast<ptrdiff_t>(*column) * 4, 4);
    }
  }
}

}  // namespace sail
