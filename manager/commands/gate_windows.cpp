#include "manager/commands/gate_windows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "manager/desk/desk.h"
#include "manager/wall/arrange.h"
#include "manager/wall/window_stack.h"
#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"

namespace manager::gate {
namespace {

using sail::Json;
using sail::Rect;

// Lines join the points, so the rectangle around all points counts. usual_width: the verb's
// default, in wall pixels. Empty: the line is on windows, or invalid.
std::optional<Rect> line_on_wall(const Asked& asked, int usual_width) {
  if (asked.params.contains("window") || asked.params.contains("windows")) return std::nullopt;
  std::vector<double> xs;
  std::vector<double> ys;
  for (const Json& point : list_in(asked.params, "points")) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
      return std::nullopt;
    }
    xs.push_back(point[0].get<double>());
    ys.push_back(point[1].get<double>());
  }
  if (xs.empty()) return std::nullopt;
  const auto width = asked.params.find("width");
  const bool is_given = width != asked.params.end() && width->is_number();
  const double wide = is_given ? width->get<double>() : usual_width;
  const auto pixel = [](double at) {
    constexpr double kFarthest = 2.0 * sail::kMaxWindowOffset;
    return static_cast<int>(std::floor(std::clamp(at, -kFarthest, kFarthest)));
  };
  const int x = pixel(std::ranges::min(xs) - wide);
  const int y = pixel(std::ranges::min(ys) - wide);
  return Rect{x, y, pixel(std::ranges::max(xs) + wide) + 1 - x,
              pixel(std::ranges::max(ys) + wide) + 1 - y};
}

// The rectangle of a text with this corner. usual_size: the verb's default, in wall pixels.
Rect text_rect(const Asked& asked, const Rect& corner, int usual_size) {
  const auto given = asked.params.find("size");
  const bool is_given = given != asked.params.end() && given->is_number();
  const double size = is_given ? given->get<double>() : usual_size;
  sail::OverlayStroke stroke{
      .points = {corner.x, corner.y},
      .width = static_cast<int>(std::ceil(std::clamp<double>(size, 1, sail::kMaxStrokeWidth)))};
  for (const Json& line : list_in(asked.params, "text")) {
    const bool is_line = line.is_string() && stroke.text.size() < sail::kMaxLabelLines;
    if (is_line) stroke.text.push_back(line.get<std::string>().substr(0, sail::kMaxLabelLine));
  }
  const Rect text = sail::stroke_rect(stroke);
  return Rect::from_edges(corner.x, corner.y, std::max(text.right(), corner.right()),
                          std::max(text.bottom(), corner.bottom()));
}

}  // namespace

void control(const Asked& asked) {
  const Window* window = window_of(asked);
  if (window == nullptr) return;
  const std::string action = text_in(asked.params, "action");
  const bool is_sound = action == "volume" || action == "sound_track";
  const Act act = is_sound ? Act::kHear : Act::kControl;
  asked.touched.window(act, window->number);
  for (const Window& other : asked.desk.windows().bottom_to_top()) {
    if (window->group.empty() || other.group != window->group) continue;
    asked.touched.window(act, other.number);
  }
}

void windows_or_wall(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const bool names = asked.params.contains("windows") || asked.params.contains("window");
  if (!names && !asked.params.contains("areas")) asked.touched.wall(Act::kArrange);
  for (const Json& area : list_in(asked.params, "areas")) {
    if (const auto rect = rect_in(Json{{"rect", area}}, "rect")) {
      asked.touched.rect(Act::kArrange, *rect);
    }
  }
}

void move(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const Window* window = window_of(asked);
  if (window == nullptr) return;
  Rect rect = window->wall_rect;
  constexpr int64_t kFarthest = sail::kMaxWindowOffset;
  if (asked.params.contains("dx") || asked.params.contains("dy")) {
    rect.x += number_in(asked.params, "dx", 2 * kFarthest).value_or(0);
    rect.y += number_in(asked.params, "dy", 2 * kFarthest).value_or(0);
  } else {
    rect.x = number_in(asked.params, "x", kFarthest).value_or(rect.x);
    rect.y = number_in(asked.params, "y", kFarthest).value_or(rect.y);
  }
  asked.touched.rect(Act::kArrange, rect);
}

void resize(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const Window* window = window_of(asked);
  if (window == nullptr) return;
  const int width = number_in(asked.params, "width", sail::kMaxWindowSide).value_or(0);
  const int height = number_in(asked.params, "height", sail::kMaxWindowSide).value_or(0);
  if (const auto place = window_place(resized(*window, width, height))) {
    asked.touched.rect(Act::kArrange, *place);
  }
}

void place(const Asked& asked) {
  windows<Act::kArrange>(asked);
  for (const Json& item : list_in(asked.params, "windows")) {
    if (const auto rect = rect_in(item, "rect")) asked.touched.rect(Act::kArrange, *rect);
  }
}

void swap(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const Window* one = window_of(asked);
  const auto number = window_in(asked.params, "other");
  const Window* other = number ? asked.desk.windows().find(*number) : nullptr;
  if (one == nullptr || other == nullptr) return;
  const auto takes_place = [&](const Window& window, const Window& of) {
    asked.touched.rect(Act::kArrange, fit_into(window.shown_size(), of.place));
    if (of.before_maximised) asked.touched.rect(Act::kArrange, wall_rect(asked));
  };
  takes_place(*one, *other);
  takes_place(*other, *one);
}

void windows_in_partition(const Asked& asked, const std::string& name) {
  for (const Window& window : asked.desk.windows().bottom_to_top()) {
    if (window.partition != name || window.locked || window.before_maximised) continue;
    asked.touched.window(Act::kArrange, window.number);
  }
}

void fit(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const std::string partition = text_in(asked.params, "partition");
  if (!partition.empty()) {
    asked.touched.partition(Act::kArrange, partition);
    const bool shared = asked.params.value("share", Json(false)) == Json(true);
    if (shared) windows_in_partition(asked, partition);
    return;
  }
  const std::string tile = text_in(asked.params, "tile");
  if (tile.empty()) {
    asked.touched.rect(Act::kArrange, wall_rect(asked));
  } else if (const sail::Tile* known = asked.desk.wall().find_tile(tile)) {
    asked.touched.rect(Act::kArrange, known->wall_rect);
  }
}

void maximise(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const Window* window = window_of(asked);
  if (asked.params.value("on", Json(true)) != Json(false)) {
    asked.touched.rect(Act::kArrange, wall_rect(asked));
  } else if (window != nullptr && window->before_maximised) {
    asked.touched.rect(Act::kArrange, *window->before_maximised);
  }
}

void annotate(const Asked& asked) {
  windows<Act::kArrange>(asked);
  if (asked.params.contains("text")) {
    const auto corner = line_on_wall(asked, 0);
    if (corner) asked.touched.rect(Act::kArrange, text_rect(asked, *corner, 48));
    return;
  }
  if (const auto rect = line_on_wall(asked, 8)) asked.touched.rect(Act::kArrange, *rect);
}

void annotate_erase(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const auto rect = line_on_wall(asked, 40);
  if (!rect) return;
  asked.touched.rect(Act::kArrange, *rect);
  for (const Window& window : asked.desk.windows().bottom_to_top()) {
    const bool is_below = !window.hidden && !sail::intersect(window.wall_rect, *rect).empty();
    const bool has_stroke = std::ranges::any_of(
        window.drawing.strokes(),
        [&](const DrawnStroke& stroke) { return stroke.by == asked.author.name; });
    if (is_below && has_stroke) asked.touched.window(Act::kArrange, window.number);
  }
}

}  // namespace manager::gate
