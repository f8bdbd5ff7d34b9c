// Windows side by side: the ways to arrange all of them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "manager/arrange.h"

namespace manager {
namespace {

using Places = std::vector<sail::Rect>;

int64_t covered(const Places& places) {
  int64_t area = 0;
  for (const sail::Rect& place : places) area += int64_t{place.width} * place.height;
  return area;
}

double aspect(const sail::Size& size) {
  return static_cast<double>(size.width) / size.height;
}

double aspect_sum(std::span<const sail::Size> contents) {
  double sum = 0;
  for (const sail::Size& content : contents) sum += aspect(content);
  return sum;
}

Places grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns,
            const TileGaps& gaps) {
  const int count = static_cast<int>(contents.size());
  const int rows = (count + columns - 1) / columns;
  const std::vector<sail::Rect> cells = grid_cells(area, columns, rows, gaps);
  const bool bezels = crosses(area, gaps);
  Places places;
  places.reserve(contents.size());
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    const int empty = columns - std::min(columns, count - row * columns);
    // A short last row is centred, but not so that its cells lie across bezels.
    sail::Rect cell = cells[static_cast<size_t>(i + (bezels ? empty / 2 : 0))];
    if (!bezels) cell.x += static_cast<int>(int64_t{area.width} * empty / (2 * columns));
    places.push_back(keep_clear(fit_into(contents[static_cast<size_t>(i)], cell), cell, gaps));
  }
  return places;
}

// Which column or row counts are worth trying: the one that would be best if all had the same
// aspect, and its neighbours up to a half less and twice as many. All, where that is little work.
std::pair<int, int> around(double best, size_t count) {
  constexpr size_t kFew = 64;
  const int most = static_cast<int>(count);
  if (count <= kFew) return {1, most};
  return {std::clamp(static_cast<int>(best / 2), 1, most),
          std::clamp(static_cast<int>(best * 2) + 1, 1, most)};
}

// Where each row begins, so that rows have about the same sum of aspects and none is empty; the end
// of the last, too.
std::vector<size_t> row_starts(std::span<const sail::Size> contents, int rows) {
  const double total = aspect_sum(contents);
  std::vector<size_t> starts{0};
  double sum = 0;
  for (size_t i = 0; i < contents.size(); ++i) {
    const size_t row = starts.size();  // that would begin here
    const size_t rows_left = static_cast<size_t>(rows) - row;
    const double middle = sum + aspect(contents[i]) / 2;
    const bool wanted = middle > total * static_cast<double>(row) / rows;
    const bool needed = contents.size() - i == rows_left;
    if (rows_left > 0 && i > starts.back() && (wanted || needed)) starts.push_back(i);
    sum += aspect(contents[i]);
  }
  starts.push_back(contents.size());
  return starts;
}

// Rows that are as wide as the area, all made smaller when they are too high together.
Places rows_of(const sail::Rect& area, std::span<const sail::Size> contents, int rows) {
  const std::vector<size_t> starts = row_starts(contents, rows);
  double all_heights = 0;  // of rows as wide as the area
  for (size_t row = 0; row + 1 < starts.size(); ++row) {
    all_heights +=
        area.width / aspect_sum(contents.subspan(starts[row], starts[row + 1] - starts[row]));
  }
  const double scale = std::min(1.0, area.height / all_heights);
  const double gap = (area.height - all_heights * scale) / static_cast<double>(starts.size() - 1);
  Places places;
  places.reserve(contents.size());
  double top = gap / 2;
  for (size_t row = 0; row + 1 < starts.size(); ++row) {
    const auto in_row = contents.subspan(starts[row], starts[row + 1] - starts[row]);
    const double height = scale * area.width / aspect_sum(in_row);
    double left = area.width * (1 - scale) / 2;
    for (const sail::Size& content : in_row) {
      const double right = left + height * aspect(content);
      const auto edge = [](double at) { return static_cast<int>(std::floor(at + 1e-6)); };
      places.push_back(fit_into(
          content, sail::Rect::from_edges(area.x + edge(left), area.y + edge(top),
                                          area.x + std::min(edge(right), area.width),
                                          area.y + std::min(edge(top + height), area.height))));
      left = right;
    }
    top += height + gap;
  }
  return places;
}

// The large one in `big`, the others in `rest`.
Places main_and_rest(const sail::Rect& big, const sail::Rect& rest,
                     std::span<const sail::Size> contents, size_t main, const TileGaps& gaps) {
  std::vector<sail::Size> others(contents.begin(), contents.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(main));
  Places places = arrange_grid(rest, others, 0, gaps);
  places.insert(places.begin() + static_cast<std::ptrdiff_t>(main), fit_into(contents[main], big));
  return places;
}

}  // namespace

Places arrange_grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns,
                    const TileGaps& gaps) {
  if (contents.empty()) return {};
  const auto count = static_cast<double>(contents.size());
  if (columns > 0) {
    return grid(area, contents, std::min(columns, static_cast<int>(count)), gaps);
  }
  const double mean_aspect = aspect_sum(contents) / count;
  const auto [first, last] =
      around(std::sqrt(count * area.width / (area.height * mean_aspect)), contents.size());
  Places best;
  for (int tried = first; tried <= last; ++tried) {
    Places places = grid(area, contents, tried, gaps);
    if (best.empty() || covered(places) > covered(best)) best = std::move(places);
  }
  return best;
}

Places arrange_rows(const sail::Rect& area, std::span<const sail::Size> contents) {
  if (contents.empty()) return {};
  const auto [first, last] =
      around(std::sqrt(aspect_sum(contents) * area.height / area.width), contents.size());
  Places best;
  for (int tried = first; tried <= last; ++tried) {
    Places places = rows_of(area, contents, tried);
    if (best.empty() || covered(places) > covered(best)) best = std::move(places);
  }
  return best;
}

Places arrange_main(const sail::Rect& area, std::span<const sail::Size> contents, size_t main,
                    const TileGaps& gaps) {
  if (contents.size() == 1) return {fit_into(contents[0], area)};
  // The others get what the large one leaves: not less than a fifth, and not so much that they
  // would be as large.
  const sail::Rect alone = fit_into(contents[main], area);
  const int width = std::min(alone.width, area.width - std::max(area.width / 5, 1));
  const int height = std::min(alone.height, area.height - std::max(area.height / 5, 1));
  const int column = std::min(area.width - width, std::max(width / 2, 1));
  const int row = std::min(area.height - height, std::max(height / 2, 1));
  const int x = area.x + (area.width - width - column) / 2;
  const int y = area.y + (area.height - height - row) / 2;
  Places beside = main_and_rest({x, area.y, width, area.height},
                                {x + width, area.y, column, area.height}, contents, main, gaps);
  Places below = main_and_rest({area.x, y, area.width, height},
                               {area.x, y + height, area.width, row}, contents, main, gaps);
  return covered(beside) >= covered(below) ? beside : below;
}

}  // namespace manager
