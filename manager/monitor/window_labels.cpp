#include "manager/monitor/window_labels.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sail/core/base/glyphs.h"
#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/label_text.h"
#include "sail/core/wall/visibility.h"

namespace manager {
namespace {

constexpr std::string_view kClock = sail::kLabelPlaceholders[2];

void widen(std::optional<VisibleCorners>& corners, const sail::Rect& visible,
           const sail::Tile& tile) {
  const VisibleCorners::Corner top{visible.x, visible.y, &tile};
  const VisibleCorners::Corner bottom{visible.x, visible.bottom(), &tile};
  if (!corners) {
    corners = {top, bottom};
    return;
  }
  const auto is_before = [](const auto& a, const auto& b) {
    return std::pair(a.y, a.x) < std::pair(b.y, b.x);
  };
  if (is_before(top, corners->top)) corners->top = top;
  const auto is_lower = [](const auto& a, const auto& b) {
    return std::pair(-a.y, a.x) < std::pair(-b.y, b.x);
  };
  if (is_lower(bottom, corners->bottom)) corners->bottom = bottom;
}

std::string source_of(const Window& window) {
  return window.media.empty() ? window.owner_name : window.media.front();
}

std::string state_of(const Window& window) {
  if (window.lost) return "lost";
  if (window.no_signal()) return "no signal";
  if (!window.playback) return "live";
  const sail::Playback& playback = *window.playback;
  if (playback.ended) return "ended";
  if (playback.paused) return "paused";
  return playback.live ? "live" : "playing";
}

// What replaces the placeholders, in the order of sail::kLabelPlaceholders.
using Value = std::string (*)(const Window& window, std::time_t now_s);
constexpr std::array<Value, sail::kLabelPlaceholders.size()> kValues{
    [](const Window& window, std::time_t) { return window.title; },
    [](const Window& window, std::time_t) { return source_of(window); },
    [](const Window&, std::time_t now_s) {
      return fmt::format("{:%H:%M:%S}", fmt::localtime(now_s));
    },
    [](const Window& window, std::time_t) { return state_of(window); }};

// Cuts the text to what fits between the corner and the window's right edge.
std::string cut_to_window(std::string text, const Window& window,
                          const VisibleCorners::Corner& corner) {
  const sail::Size upright = corner.tile->upright();
  const int64_t pixels =
      int64_t{window.wall_rect.right() - corner.x} * upright.width / corner.tile->wall_rect.width;
  const int64_t columns =
      pixels / sail::overlay_magnification(upright) - 2 * int64_t{sail::kPlateMargin};
  if (sail::text_size(text, 1).width <= columns) return text;
  const int letter = sail::text_size("xx", 1).width - sail::text_size("x", 1).width;
  const int64_t letters = (columns + 1) / letter;
  if (letters < 2) return {};
  return std::string(sail::first_letters(text, static_cast<size_t>(letters) - 1)) + "…";
}

}  // namespace

std::vector<std::optional<VisibleCorners>> visible_corners(const sail::Wall& wall,
                                                           const std::vector<Window>& windows) {
  std::vector<std::optional<VisibleCorners>> corners(windows.size());
  for (const sail::Tile& tile : wall.tiles) {
    std::vector<size_t> on_tile;
    std::vector<sail::StackedWindow> stack;
    for (size_t i = 0; i < windows.size(); ++i) {
      const bool is_on =
          !windows[i].hidden && !intersect(windows[i].wall_rect, tile.wall_rect).empty();
      if (!is_on) continue;
      on_tile.push_back(i);
      stack.push_back({windows[i].wall_rect, windows[i].blended()});
    }
    for (size_t k = 0; k < on_tile.size(); ++k) {
      for (const sail::Rect& rect : sail::visible_part(stack, k, tile.wall_rect)) {
        widen(corners[on_tile[k]], rect, tile);
      }
    }
  }
  return corners;
}

std::string label_text(const Window& window, std::time_t now_s) {
  std::string text;
  for (std::string_view rest = window.label.text; !rest.empty();) {
    const auto found = std::ranges::find_if(
        sail::kLabelPlaceholders, [rest](std::string_view name) { return rest.starts_with(name); });
    if (found != sail::kLabelPlaceholders.end()) {
      text += kValues[static_cast<size_t>(found - sail::kLabelPlaceholders.begin())](window, now_s);
      rest.remove_prefix(found->size());
    } else {
      text += rest.front();
      rest.remove_prefix(1);
    }
  }
  return sail::make_plain_text(text, sail::kMaxLabelLine);
}

bool shows_clock(const Window& window) {
  return window.label.text.find(kClock) != std::string::npos;
}

void add_window_labels(const sail::Wall& wall, const WindowStack& windows, std::time_t now_s,
                       bool (*heads)(const Window&), std::vector<sail::OverlayLabel>& labels) {
  const std::vector<Window>& stack = windows.bottom_to_top();
  const auto is_shown = [heads](const Window& window) {
    return !window.label.text.empty() && !window.cover.blank &&
           !(window.label.top && heads(window));
  };
  if (std::ranges::none_of(stack, is_shown)) return;
  const auto corners = visible_corners(wall, stack);
  for (size_t i = 0; i < stack.size() && labels.size() < sail::kMaxLabels; ++i) {
    const Window& window = stack[i];
    if (!corners[i] || !is_shown(window)) continue;
    const VisibleCorners::Corner& corner = window.label.top ? corners[i]->top : corners[i]->bottom;
    std::string line = cut_to_window(label_text(window, now_s), window, corner);
    if (line.empty()) continue;
    labels.push_back({.x = corner.x,
                      .y = corner.y,
                      .above = !window.label.top,
                      .lines = {sail::make_plain_text(line, sail::kMaxLabelLine)}});
  }
}

}  // namespace manager
