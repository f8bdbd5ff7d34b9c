#include "manager/wall/tile_gaps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace manager {
namespace {

// A cut snaps to a gap within 1/kNearPart of a cell.
constexpr int kNearPart = 8;

// Returns the gaps between the parts of an axis that tiles cover.
std::vector<Stretch> gaps_between(std::vector<Stretch> covered) {
  std::sort(covered.begin(), covered.end(),
            [](const Stretch& a, const Stretch& b) { return a.start < b.start; });
  std::vector<Stretch> gaps;
  int end = covered.empty() ? 0 : covered.front().end;
  for (const Stretch& tile : covered) {
    const bool first = &tile == &covered.front();
    // Tiles of one column have the same position on this axis: no gap lies between them.
    if (!first && tile.start >= end) gaps.push_back({end, tile.start});
    end = std::max(end, tile.end);
  }
  return gaps;
}

int distance(int at, const Stretch& gap) {
  return std::max({0, gap.start - at, at - gap.end});
}

bool within(const Stretch& gap, const Stretch& whole) {
  return gap.start > whole.start && gap.end < whole.end;
}

bool goes_through(const Stretch& gap, int start, int end) {
  return gap.length() > 0 && gap.start < end && gap.end > start;
}

bool clear(int start, int length, std::span<const Stretch> gaps) {
  return std::none_of(gaps.begin(), gaps.end(),
                      [&](const Stretch& gap) { return goes_through(gap, start, start + length); });
}

// Returns the start nearest to `start` at which no gap crosses; `start` itself if there is none.
int clear_start(int start, int length, const Stretch& area, std::span<const Stretch> gaps) {
  if (clear(start, length, gaps)) return start;
  std::optional<int> best;
  for (const Stretch& gap : gaps) {
    for (const int tried : {gap.start - length, gap.end}) {
      const bool fits = tried >= area.start && tried + length <= area.end;
      if (!fits || !clear(tried, length, gaps)) continue;
      if (!best || std::abs(tried - start) < std::abs(*best - start)) best = tried;
    }
  }
  return best.value_or(start);
}

}  // namespace

TileGaps tile_gaps(const sail::Wall& wall) {
  std::vector<Stretch> columns;
  std::vector<Stretch> rows;
  for (const sail::Tile& tile : wall.tiles) {
    columns.push_back({tile.wall_rect.x, tile.wall_rect.right()});
    rows.push_back({tile.wall_rect.y, tile.wall_rect.bottom()});
  }
  return {gaps_between(std::move(columns)), gaps_between(std::move(rows))};
}

std::vector<Stretch> divide(Stretch whole, int count, std::span<const Stretch> gaps) {
  const auto cut = [&](int index) {
    return whole.start + static_cast<int>(int64_t{whole.length()} * index / count);
  };
  std::vector<std::optional<Stretch>> cuts(static_cast<size_t>(count) + 1);
  cuts.front() = {whole.start, whole.start};
  cuts.back() = {whole.end, whole.end};
  for (const Stretch& gap : gaps) {
    if (!within(gap, whole)) continue;
    const int64_t middle = (int64_t{gap.start} + gap.end) / 2 - whole.start;
    const auto index = static_cast<int>(
        std::llround(static_cast<double>(middle) * count / static_cast<double>(whole.length())));
    if (index < 1 || index >= count) continue;
    const int at = cut(index);
    auto& chosen = cuts[static_cast<size_t>(index)];
    if (int64_t{distance(at, gap)} * kNearPart * count > whole.length()) continue;
    if (!chosen || distance(at, gap) < distance(at, *chosen)) chosen = gap;
  }
  std::vector<Stretch> parts;
  for (size_t from = 0; from < static_cast<size_t>(count);) {
    size_t to = from + 1;
    while (!cuts[to]) ++to;
    const Stretch between{cuts[from]->end, cuts[to]->start};
    const auto parts_here = static_cast<int64_t>(to - from);
    for (int64_t i = 0; i < parts_here; ++i) {
      parts.push_back({between.start + static_cast<int>(between.length() * i / parts_here),
                       between.start + static_cast<int>(between.length() * (i + 1) / parts_here)});
    }
    from = to;
  }
  return parts;
}

std::vector<sail::Rect> grid_cells(const sail::Rect& area, int columns, int rows,
                                   const TileGaps& gaps) {
  const std::vector<Stretch> across = divide({area.x, area.right()}, columns, gaps.x);
  const std::vector<Stretch> down = divide({area.y, area.bottom()}, rows, gaps.y);
  std::vector<sail::Rect> cells;
  cells.reserve(across.size() * down.size());
  for (const Stretch& row : down) {
    for (const Stretch& column : across) {
      cells.push_back(sail::Rect::from_edges(column.start, row.start, column.end, row.end));
    }
  }
  return cells;
}

bool crosses(const sail::Rect& rect, const TileGaps& gaps) {
  return !clear(rect.x, rect.width, gaps.x) || !clear(rect.y, rect.height, gaps.y);
}

sail::Rect keep_clear(const sail::Rect& rect, const sail::Rect& area, const TileGaps& gaps) {
  return {clear_start(rect.x, rect.width, {area.x, area.right()}, gaps.x),
          clear_start(rect.y, rect.height, {area.y, area.bottom()}, gaps.y), rect.width,
          rect.height};
}

}  // namespace manager
