// Arranges windows side by side, in a grid, in rows, or around a main one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "manager/wall/arrange.h"

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

Arranged grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns, int rows,
              const TileGaps& gaps) {
  const int count = static_cast<int>(contents.size());
  const std::vector<sail::Rect> cells = grid_cells(area, columns, rows, gaps);
  const bool bezels = crosses(area, gaps);
  Arranged places;
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    const int empty = columns - std::min(columns, count - row * columns);
    // Centre a short last row, but move by whole cells if cells could otherwise cross bezels.
    sail::Rect cell = cells[static_cast<size_t>(i + (bezels ? empty / 2 : 0))];
    if (!bezels) cell.x += static_cast<int>(int64_t{area.width} * empty / (2 * columns));
    const sail::Rect rect = fit_into(contents[static_cast<size_t>(i)], cell);
    places.rects.push_back(keep_clear(rect, cell, gaps));
    places.areas.push_back(cell);
  }
  return places;
}

// Chooses the grid that covers most. Prefers a grid in which no bezel crosses a window if it covers
// nearly as much; such a grid may have one spare row.
class GridChoice {
 public:
  GridChoice(const sail::Rect& area, std::span<const sail::Size> contents, const TileGaps& gaps)
      : area_(area), contents_(contents), gaps_(gaps), bezels_(crosses(area, gaps)) {}

  void consider(int columns) {
    const int rows = (static_cast<int>(contents_.size()) + columns - 1) / columns;
    for (int tried = rows; tried <= rows + (bezels_ ? 1 : 0); ++tried) {
      Arranged places = grid(area_, contents_, columns, tried, gaps_);
      const int64_t shown = covered(places.rects);
      const bool cut = bezels_ && std::ranges::any_of(places.rects, [this](const sail::Rect& rect) {
                         return crosses(rect, gaps_);
                       });
      if (!cut && shown > clear_shown_) {
        clear_shown_ = shown;
        clear_ = places;
      }
      if (tried > rows || shown <= most_shown_) continue;
      most_shown_ = shown;
      most_ = std::move(places);
    }
  }
  Arranged best() {
    constexpr int kEnoughPercent = 70;
    const bool enough = clear_shown_ * 100 >= most_shown_ * kEnoughPercent;
    return std::move(enough ? clear_ : most_);
  }

 private:
  const sail::Rect area_;
  const std::span<const sail::Size> contents_;
  const TileGaps& gaps_;
  const bool bezels_;
  Arranged most_;
  Arranged clear_;
  int64_t most_shown_ = 0;
  int64_t clear_shown_ = 0;
};

// Returns the range of column or row counts to try: from half to twice the count that would be best
// if all contents had one aspect ratio. If there are few contents, returns all counts.
std::pair<int, int> around(double best, size_t count) {
  constexpr size_t kFew = 64;
  const int most = static_cast<int>(count);
  if (count <= kFew) return {1, most};
  return {std::clamp(static_cast<int>(best / 2), 1, most),
          std::clamp(static_cast<int>(best * 2) + 1, 1, most)};
}

// Returns the index of each row's first content, and the end of the last row. Rows have about the
// same sum of aspect ratios, and none is empty.
std::vector<size_t> row_starts(std::span<const sail::Size> contents, int rows) {
  const double total = aspect_sum(contents);
  std::vector<size_t> starts{0};
  double sum = 0;
  for (size_t i = 0; i < contents.size(); ++i) {
    const size_t row = starts.size();  // The row that would begin here.
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

// Rows as wide as the area, or all scaled down if they are too high together.
Places rows_of(const sail::Rect& area, std::span<const sail::Size> contents, int rows) {
  const std::vector<size_t> starts = row_starts(contents, rows);
  double all_heights = 0;  // Sum for rows as wide as the area.
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

// Places the large one in `big` and the others in `rest`.
Arranged main_and_rest(const sail::Rect& big, const sail::Rect& rest,
                       std::span<const sail::Size> contents, size_t main, const TileGaps& gaps) {
  std::vector<sail::Size> others(contents.begin(), contents.end());
  const auto place = static_cast<std::ptrdiff_t>(main);
  others.erase(others.begin() + place);
  Arranged places = arrange_grid(rest, others, 0, gaps);
  places.rects.insert(places.rects.begin() + place, fit_into(contents[main], big));
  places.areas.insert(places.areas.begin() + place, big);
  return places;
}

}  // namespace

Arranged arrange_grid(const sail::Rect& area, std::span<const sail::Size> contents, int columns,
                      const TileGaps& gaps) {
  if (contents.empty()) return {};
  const auto count = static_cast<double>(contents.size());
  if (columns > 0) {
    GridChoice choice(area, contents, gaps);
    choice.consider(std::min(columns, static_cast<int>(count)));
    return choice.best();
  }
  const double mean_aspect = aspect_sum(contents) / count;
  const auto [first, last] =
      around(std::sqrt(count * area.width / (area.height * mean_aspect)), contents.size());
  GridChoice choice(area, contents, gaps);
  for (int tried = first; tried <= last; ++tried) choice.consider(tried);
  return choice.best();
}

Arranged arrange_rows(const sail::Rect& area, std::span<const sail::Size> contents) {
  if (contents.empty()) return {};
  const auto [first, last] =
      around(std::sqrt(aspect_sum(contents) * area.height / area.width), contents.size());
  Places best;
  for (int tried = first; tried <= last; ++tried) {
    Places places = rows_of(area, contents, tried);
    if (best.empty() || covered(places) > covered(best)) best = std::move(places);
  }
  return {best, best};
}

Arranged arrange_main(const sail::Rect& area, std::span<const sail::Size> contents, size_t main,
                      const TileGaps& gaps) {
  if (contents.size() == 1) return {{fit_into(contents[0], area)}, {area}};
  // The others get the space beside the large one: at least a fifth, at most half its size.
  const sail::Rect alone = fit_into(contents[main], area);
  const int width = std::min(alone.width, area.width - std::max(area.width / 5, 1));
  const int height = std::min(alone.height, area.height - std::max(area.height / 5, 1));
  const int column = std::min(area.width - width, std::max(width / 2, 1));
  const int row = std::min(area.height - height, std::max(height / 2, 1));
  const int x = area.x + (area.width - width - column) / 2;
  const int y = area.y + (area.height - height - row) / 2;
  Arranged beside = main_and_rest({x, area.y, width, area.height},
                                  {x + width, area.y, column, area.height}, contents, main, gaps);
  Arranged below = main_and_rest({area.x, y, area.width, height},
                                 {area.x, y + height, area.width, row}, contents, main, gaps);
  return covered(beside.rects) >= covered(below.rects) ? beside : below;
}

}  // namespace manager
