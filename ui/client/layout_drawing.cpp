#include "ui/client/layout_drawing.h"

#include <fmt/format.h>

#include <algorithm>

namespace ui {
namespace {

constexpr int kDrawnColumns = 72;
constexpr int kMostDrawnRows = 40;
constexpr int kHeightOfACharacter = 2;  // in widths

// Where the pixels from `begin` to `end` are: the first and the last cell.
struct Cells {
  int first = 0;
  int last = 0;
};
Cells cells_of(int64_t begin, int64_t end, int64_t pixels, int cells) {
  const int64_t first = std::clamp<int64_t>(begin, 0, pixels - 1) * cells / pixels;
  const int64_t last = std::max(first, (std::clamp<int64_t>(end, 1, pixels) * cells - 1) / pixels);
  return {static_cast<int>(first), static_cast<int>(last)};
}

void draw_window(std::vector<std::string>& rows, const Cells& across, const Cells& down,
                 const std::string& label) {
  for (int y = down.first; y <= down.last; ++y) {
    std::string& row = rows[static_cast<size_t>(y)];
    const bool is_edge = y == down.first || y == down.last;
    for (int x = across.first; x <= across.last; ++x) {
      const bool is_side = x == across.first || x == across.last;
      row[static_cast<size_t>(x)] = is_edge && is_side ? '+' : is_edge ? '-' : is_side ? '|' : ' ';
    }
  }
  // Within the frame, or else in place of it.
  const bool has_inside = down.last - down.first > 1;
  std::string& row = rows[static_cast<size_t>(has_inside ? down.first + 1 : down.first)];
  const int left = has_inside ? across.first + 1 : across.first;
  const int room = (has_inside ? across.last : across.last + 1) - left;
  for (int i = 0; i < std::min(room, static_cast<int>(label.size())); ++i) {
    row[static_cast<size_t>(left + i)] = label[static_cast<size_t>(i)];
  }
}

}  // namespace

std::string layout_drawing(sail::Size wall, const std::vector<DrawnWindow>& windows) {
  if (wall.width <= 0 || wall.height <= 0) return "";
  const int64_t wanted =
      int64_t{kDrawnColumns} * wall.height / (int64_t{wall.width} * kHeightOfACharacter);
  const int count = static_cast<int>(std::clamp<int64_t>(wanted, 2, kMostDrawnRows));
  std::vector<std::string> rows(static_cast<size_t>(count), std::string(kDrawnColumns, ' '));
  for (const auto& [number, rect] : windows) {
    const int64_t right = int64_t{rect.x} + rect.width;
    const int64_t bottom = int64_t{rect.y} + rect.height;
    if (right <= 0 || bottom <= 0 || rect.x >= wall.width || rect.y >= wall.height) continue;
    draw_window(rows, cells_of(rect.x, right, wall.width, kDrawnColumns),
                cells_of(rect.y, bottom, wall.height, count), std::to_string(number));
  }
  const std::string edge(kDrawnColumns + 2, '=');
  std::string text = edge;
  for (const std::string& row : rows) text += fmt::format("\n!{}!", row);
  return fmt::format("{}\n{}", text, edge);
}

}  // namespace ui
