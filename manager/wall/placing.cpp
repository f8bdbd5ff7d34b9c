#include "manager/wall/placing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "manager/wall/arrange.h"

namespace manager {
namespace {

using sail::Rect;
using sail::Size;
using Rects = std::vector<Rect>;

constexpr int kMostCells = 8;     // Per side; the largest grid searched for free space.
constexpr int kPart = 3;          // A window around a point gets 1/kPart of the wall's sides.
constexpr int kBezelPercent = 5;  // Penalty for a window that a bezel crosses, in percent.

bool is_free(const Rect& place, std::span<const Rect> taken) {
  return std::none_of(taken.begin(), taken.end(),
                      [&](const Rect& other) { return !intersect(place, other).empty(); });
}

// Returns the area that the contents cover when fitted into these areas, less bezel penalties.
int64_t shown_area(const Rects& areas, std::span<const Size> contents, const TileGaps& gaps) {
  int64_t sum = 0;
  for (size_t i = 0; i < contents.size(); ++i) {
    const Rect place = fit_clear(contents[i], areas[i], gaps);
    const int64_t pixels = int64_t{place.width} * place.height;
    sum += crosses(place, gaps) ? pixels * (100 - kBezelPercent) / 100 : pixels;
  }
  return sum;
}

// Returns columns and rows of a block of `count` cells.
Size block_of(size_t count) {
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  return {columns, (static_cast<int>(count) + columns - 1) / columns};
}

Rects cells_of_block(const Rect& block, size_t count) {
  const auto [columns, rows] = block_of(count);
  Rects cells = grid_cells(block, columns, rows, {});
  cells.resize(count);
  return cells;
}

// Returns areas side by side around the point, all on the wall.
Rects areas_around(Size wall_size, Point at, size_t count) {
  const auto [columns, rows] = block_of(count);
  const int width = std::clamp(wall_size.width / kPart * columns, 1, wall_size.width);
  const int height = std::clamp(wall_size.height / kPart * rows, 1, wall_size.height);
  return cells_of_block(
      {std::clamp(at.first - width / 2, 0, wall_size.width - width),
       std::clamp(at.second - height / 2, 0, wall_size.height - height), width, height},
      count);
}

// Returns areas in a block of 1/part of the wall's sides, a step away from the last block.
Rects areas_in_steps(Size wall_size, size_t windows, size_t count, int part) {
  constexpr int64_t kSteps = 8;  // Steps from the top left to the bottom right.
  const auto step = static_cast<int64_t>(windows) % kSteps;
  const int width = std::max(wall_size.width / part, 1);
  const int height = std::max(wall_size.height / part, 1);
  return cells_of_block(
      {static_cast<int>((wall_size.width - width) * step / kSteps),
       static_cast<int>((wall_size.height - height) * step / kSteps), width, height},
      count);
}

// Tries all grids. Returns the suitable cells of the grid in which the contents cover most.
template <typename Predicate>
Rects best_cells(Size wall_size, const TileGaps& gaps, std::span<const Size> contents,
                 const Predicate& suits) {
  Rects best;
  int64_t most = 0;
  const int side = std::max(kMostCells, block_of(contents.size()).width);
  for (int rows = 1; rows <= side; ++rows) {
    for (int columns = 1; columns <= side; ++columns) {
      Rects cells = grid_cells({0, 0, wall_size.width, wall_size.height}, columns, rows, gaps);
      std::erase_if(cells, [&](const Rect& cell) { return cell.empty() || !suits(cell); });
      if (cells.size() < contents.size()) continue;
      cells.resize(contents.size());
      const int64_t shown = shown_area(cells, contents, gaps);
      if (shown <= most) continue;
      most = shown;
      best = std::move(cells);
    }
  }
  return best;
}

// Returns areas around a point that a person chose. A single window may cover others only if the
// point itself is on one; several windows use free space elsewhere.
Rects areas_at(Size wall_size, const TileGaps& gaps, std::span<const Rect> taken,
               std::span<const Size> contents, Point at) {
  Rects around = areas_around(wall_size, at, contents.size());
  if (contents.size() > 1) {
    Rects free = free_areas(wall_size, gaps, taken, contents);
    return free.empty() ? around : free;
  }
  if (is_free(around.front(), taken)) return around;
  Rects free = best_cells(wall_size, gaps, contents, [&](const Rect& cell) {
    return cell.contains(at.first, at.second) && cell.width <= around.front().width &&
           cell.height <= around.front().height && is_free(cell, taken);
  });
  return free.empty() ? around : free;
}

// Top to bottom, then left to right.
std::vector<const Window*> in_reading_order(const Arrangement& arrangement,
                                            const std::function<bool(const Window&)>& wanted) {
  std::vector<const Window*> windows;
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    if (window.arranged() && wanted(window)) windows.push_back(&window);
  }
  std::ranges::sort(windows, {}, [](const Window* window) {
    return std::pair(window->wall_rect.y, window->wall_rect.x);
  });
  return windows;
}

std::vector<Size> sizes_of(const std::vector<const Window*>& windows) {
  std::vector<Size> sizes;
  for (const Window* window : windows) sizes.push_back(window->shown_size());
  return sizes;
}

// Arranges the contents in one grid with the windows `there`.
Placing join(const std::vector<const Window*>& there, const Rect& area, const TileGaps& gaps,
             std::span<const Size> contents) {
  std::vector<Size> sizes = sizes_of(there);
  sizes.insert(sizes.end(), contents.begin(), contents.end());
  const auto [rects, areas] = arrange_grid(area, sizes, 0, gaps);
  Placing placing;
  for (size_t i = 0; i < there.size(); ++i) {
    placing.others.windows[there[i]->number] = {.wall_rect = rects[i], .place = areas[i]};
  }
  const auto first_new = static_cast<std::ptrdiff_t>(there.size());
  placing.rects.assign(rects.begin() + first_new, rects.end());
  placing.areas.assign(areas.begin() + first_new, areas.end());
  return placing;
}

// Whether the free space is too small to use: less than a third of what the contents would cover if
// all windows shared the wall.
bool too_little(const Rects& free, std::span<const Size> contents, const TileGaps& gaps,
                const Placing& shared) {
  constexpr int kLeast = 3;
  int64_t share = 0;
  for (const Rect& rect : shared.rects) share += int64_t{rect.width} * rect.height;
  return !free.empty() && shown_area(free, contents, gaps) * kLeast < share;
}

// Whether no person has placed these windows: a single one that fills the wall, or a grid.
bool is_grid(const std::vector<const Window*>& windows, const Rect& area, const TileGaps& gaps) {
  const std::vector<Size> sizes = sizes_of(windows);
  const auto are_at = [&](const Rects& places) {
    return std::ranges::equal(windows, places, {}, &Window::wall_rect);
  };
  return (windows.size() == 1 && are_at({fit_into(sizes[0], area)})) ||
         are_at(arrange_grid(area, sizes, 0, gaps).rects);
}

}  // namespace

Rect fit_clear(Size content, const Rect& area, const TileGaps& gaps) {
  return keep_clear(fit_into(content, area), area, gaps);
}

Rects free_areas(Size wall_size, const TileGaps& gaps, std::span<const Rect> taken,
                 std::span<const Size> contents) {
  return best_cells(wall_size, gaps, contents,
                    [&](const Rect& cell) { return is_free(cell, taken); });
}

Placing share_partition(const Arrangement& arrangement, const TileGaps& gaps,
                        const Partition& partition, std::span<const Size> contents,
                        uint32_t without) {
  const auto there = in_reading_order(arrangement, [&](const Window& window) {
    return window.partition == partition.name && !window.before_maximised && !window.locked &&
           window.number != without;
  });
  Placing placing = join(there, partition.rect, gaps, contents);
  placing.in_partition = true;
  return placing;
}

Placing place_windows(const Arrangement& arrangement, const TileGaps& gaps,
                      std::span<const Size> contents, std::optional<Point> at, Others others) {
  const Size wall_size = arrangement.wall_size();
  const Rect wall{0, 0, wall_size.width, wall_size.height};
  if (at && others == Others::kMakeRoom) {
    const Partition* partition = arrangement.partitions().around({at->first, at->second, 1, 1});
    if (partition != nullptr) return share_partition(arrangement, gaps, *partition, contents);
  }
  const auto windows = in_reading_order(arrangement, [](const Window&) { return true; });
  Rects taken;
  bool fixed = false;
  for (const Window* window : windows) {
    taken.push_back(window->wall_rect);
    fixed = fixed || window->locked || window->before_maximised;
  }
  Placing placing;
  if (at) {
    placing.areas = areas_at(wall_size, gaps, taken, contents, *at);
  } else if (contents.size() == 1 && taken.empty()) {
    // The only window gets the whole wall and is centred.
    return {.areas = {wall}, .rects = {fit_into(contents[0], wall)}};
  } else {
    placing.areas = free_areas(wall_size, gaps, taken, contents);
  }
  if (!at || placing.areas.empty()) {
    Placing shared = join(windows, wall, gaps, contents);
    if (too_little(placing.areas, contents, gaps, shared)) placing.areas.clear();
    if (placing.areas.empty() && others == Others::kMakeRoom && !fixed &&
        is_grid(windows, wall, gaps)) {
      return shared;
    }
  }
  if (placing.areas.empty()) {
    const int part = others == Others::kBehind ? 4 : 2;
    placing.areas = areas_in_steps(wall_size, taken.size(), contents.size(), part);
  }
  for (size_t i = 0; i < contents.size(); ++i) {
    placing.rects.push_back(fit_clear(contents[i], placing.areas[i], gaps));
  }
  return placing;
}

namespace {

// Whether neither the new windows nor those that make room touch the closed areas.
bool is_outside(const Placing& placing, const Arrangement& arrangement,
                std::span<const Rect> closed) {
  const auto is_clear = [&](const Rect& rect) { return is_free(rect, closed); };
  return std::ranges::all_of(placing.rects, is_clear) &&
         std::ranges::all_of(placing.others.windows, [&](const auto& moved) {
           const Window* window = arrangement.windows().find(moved.first);
           return is_clear(moved.second.wall_rect) &&
                  (window == nullptr || is_clear(window->wall_rect));
         });
}

}  // namespace

Placing place_outside(const Arrangement& arrangement, const TileGaps& gaps,
                      std::span<const Size> contents, std::optional<Point> at, Others others,
                      std::span<const Rect> closed) {
  Placing placing = place_windows(arrangement, gaps, contents, at, others);
  if (is_outside(placing, arrangement, closed)) return placing;
  Rects taken(closed.begin(), closed.end());
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    if (window.arranged()) taken.push_back(window.wall_rect);
  }
  const Size wall_size = arrangement.wall_size();
  Rects areas = free_areas(wall_size, gaps, taken, contents);
  if (areas.empty()) areas = free_areas(wall_size, gaps, closed, contents);
  if (areas.empty()) return place_windows(arrangement, gaps, contents, at, Others::kStay);
  placing = {.areas = std::move(areas), .rects = {}};
  for (size_t i = 0; i < contents.size(); ++i) {
    placing.rects.push_back(fit_clear(contents[i], placing.areas[i], gaps));
  }
  return placing;
}

}  // namespace manager
