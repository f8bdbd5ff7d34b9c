#include "manager/arrange.h"

#include <algorithm>
#include <cstdint>

#include "sail/wire/limits.h"

namespace manager {
namespace {

// Cell `index` of `count` equal ones along an extent, without gaps whatever the rounding.
int cell_edge(int extent, int index, int count) {
  return static_cast<int>(int64_t{extent} * index / count);
}

bool is_free(const sail::Rect& place, std::span<const sail::Rect> others) {
  return std::none_of(others.begin(), others.end(),
                      [&](const sail::Rect& other) { return !intersect(place, other).empty(); });
}

}  // namespace

sail::Rect grid_cell(const sail::Rect& area, int column, int columns, int row, int rows) {
  return sail::Rect::from_edges(area.x + cell_edge(area.width, column, columns),
                                area.y + cell_edge(area.height, row, rows),
                                area.x + cell_edge(area.width, column + 1, columns),
                                area.y + cell_edge(area.height, row + 1, rows));
}

sail::Rect fit_into(sail::Size content, const sail::Rect& whole_area) {
  // A wall may be larger than a window.
  const sail::Size most{std::min(whole_area.width, sail::kMaxWindowSide),
                        std::min(whole_area.height, sail::kMaxWindowSide)};
  const sail::Rect area{whole_area.x + (whole_area.width - most.width) / 2,
                        whole_area.y + (whole_area.height - most.height) / 2, most.width,
                        most.height};
  const int64_t by_width = int64_t{area.width} * content.height;
  const int64_t by_height = int64_t{area.height} * content.width;
  sail::Size size{area.width, area.height};
  if (by_width > by_height) {
    size.width = static_cast<int>(by_height / content.height);
  } else {
    size.height = static_cast<int>(by_width / content.width);
  }
  size = {std::max(size.width, 1), std::max(size.height, 1)};
  return {area.x + (area.width - size.width) / 2, area.y + (area.height - size.height) / 2,
          size.width, size.height};
}

sail::Rect place_new(sail::Size wall_size, std::span<const sail::Rect> others, sail::Size content) {
  if (others.empty()) return fit_into(content, {0, 0, wall_size.width, wall_size.height});
  const sail::Rect wall{0, 0, wall_size.width, wall_size.height};
  constexpr int kMostCells = 4;
  for (int cells = 2; cells <= kMostCells; ++cells) {
    for (int row = 0; row < cells; ++row) {
      for (int column = 0; column < cells; ++column) {
        const auto place = fit_into(content, grid_cell(wall, column, cells, row, cells));
        if (is_free(place, others)) return place;
      }
    }
  }
  constexpr int kSteps = 8;  // from the top left to where half the wall's size still fits
  const int step = static_cast<int>(others.size() % kSteps);
  const sail::Rect half{cell_edge(wall_size.width, step, 2 * kSteps),
                        cell_edge(wall_size.height, step, 2 * kSteps),
                        std::max(wall_size.width / 2, 1), std::max(wall_size.height / 2, 1)};
  return fit_into(content, half);
}

sail::Rect place_at(sail::Size wall_size, std::pair<int, int> centre, sail::Size content) {
  const int width = std::max(wall_size.width / 3, 1);
  const int height = std::max(wall_size.height / 3, 1);
  return fit_into(content, {centre.first - width / 2, centre.second - height / 2, width, height});
}

}  // namespace manager
