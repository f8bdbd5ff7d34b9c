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

sail::Rect grid_cell(sail::Size wall, int column, int columns, int row, int rows) {
  return sail::Rect::from_edges(
      cell_edge(wall.width, column, columns), cell_edge(wall.height, row, rows),
      cell_edge(wall.width, column + 1, columns), cell_edge(wall.height, row + 1, rows));
}

bool is_free(const sail::Rect& place, std::span<const sail::Rect> others) {
  return std::none_of(others.begin(), others.end(),
                      [&](const sail::Rect& other) { return !intersect(place, other).empty(); });
}

std::vector<sail::Rect> grid(sail::Size wall, std::span<const sail::Size> contents, int columns) {
  const int count = static_cast<int>(contents.size());
  const int rows = (count + columns - 1) / columns;
  std::vector<sail::Rect> places;
  places.reserve(contents.size());
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    const int in_row = std::min(columns, count - row * columns);
    sail::Rect cell = grid_cell(wall, i % columns, columns, row, rows);
    cell.x += cell_edge(wall.width, columns - in_row, 2 * columns);  // a short last row: centred
    places.push_back(fit_into(contents[static_cast<size_t>(i)], cell));
  }
  return places;
}

int64_t covered(const std::vector<sail::Rect>& places) {
  int64_t area = 0;
  for (const sail::Rect& place : places) area += int64_t{place.width} * place.height;
  return area;
}

}  // namespace

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
  constexpr int kMostCells = 4;
  for (int cells = 2; cells <= kMostCells; ++cells) {
    for (int row = 0; row < cells; ++row) {
      for (int column = 0; column < cells; ++column) {
        const auto place = fit_into(content, grid_cell(wall_size, column, cells, row, cells));
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

std::vector<sail::Rect> arrange_grid(sail::Size wall_size, std::span<const sail::Size> contents) {
  std::vector<sail::Rect> best;
  for (int columns = 1; columns <= static_cast<int>(contents.size()); ++columns) {
    std::vector<sail::Rect> places = grid(wall_size, contents, columns);
    if (best.empty() || covered(places) > covered(best)) best = std::move(places);
  }
  return best;
}

}  // namespace manager
