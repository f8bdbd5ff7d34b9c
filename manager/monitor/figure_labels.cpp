#include "manager/monitor/figure_labels.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/visibility.h"

namespace manager {
namespace {

using Corner = std::pair<int, int>;  // y, x: the smallest one is uppermost, then leftmost.

// Returns the top left corner of the visible part of each window; empty: not visible.
std::vector<std::optional<Corner>> corners_of(const sail::Wall& wall,
                                              const std::vector<Window>& windows) {
  std::vector<std::optional<Corner>> corners(windows.size());
  for (const sail::Tile& tile : wall.tiles) {
    std::vector<size_t> on_tile;
    std::vector<sail::StackedWindow> stack;
    for (size_t i = 0; i < windows.size(); ++i) {
      if (intersect(windows[i].wall_rect, tile.wall_rect).empty()) continue;
      on_tile.push_back(i);
      stack.push_back({windows[i].wall_rect, windows[i].blended()});
    }
    for (size_t k = 0; k < on_tile.size(); ++k) {
      for (const sail::Rect& rect : sail::visible_part(stack, k, tile.wall_rect)) {
        std::optional<Corner>& corner = corners[on_tile[k]];
        const Corner other{rect.y, rect.x};
        if (!corner || other < *corner) corner = other;
      }
    }
  }
  return corners;
}

uint32_t colour_of(Grade grade) {
  switch (grade) {
    case Grade::kWell:
      return 0xffffff;
    case Grade::kSlow:
      return 0xffc247;
    case Grade::kBad:
      return 0xff7a6b;
  }
  return 0;
}

// Wraps the sentence into lines; cuts what exceeds kMaxLabelLines.
void add_folded(const std::string& sentence, std::vector<std::string>& lines) {
  constexpr size_t kColumns = 56;
  std::string_view rest = sentence;
  while (!rest.empty() && lines.size() < sail::kMaxLabelLines) {
    size_t length = rest.size() <= kColumns ? rest.size() : rest.rfind(' ', kColumns);
    if (length == std::string_view::npos) length = std::min(rest.find(' '), rest.size());
    lines.push_back(
        sail::make_plain_text(std::string(rest.substr(0, length)), sail::kMaxLabelLine));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

std::string rates_text(const sail::StreamStats& stats) {
  const std::string wanted =
      stats.fps_wanted > 0 ? fmt::format(" of {:.1f}", stats.fps_wanted) : "";
  return fmt::format("{:.1f}{} fps  {:.1f} Mbit/s", stats.fps_shown, wanted, stats.mbit_per_s);
}

// Empty: no trouble.
std::string trouble_of(const Window& window) {
  if (window.lost) return window.lost->sentence();
  if (window.no_signal()) return window.silent_sentence();
  const Diagnosis& diagnosis = window.health.diagnosis();
  return diagnosis.cause == Cause::kUnreachable ? diagnosis.sentence : "";
}

sail::OverlayLabel label_of(const Window& window, const Corner& corner) {
  const Diagnosis& diagnosis = window.health.diagnosis();
  sail::OverlayLabel label{
      .x = corner.second, .y = corner.first, .lines = {}, .colour = colour_of(diagnosis.grade)};
  label.lines.push_back(sail::make_plain_text(window.title, sail::kMaxLabelLine));
  if (const std::string trouble = trouble_of(window); !trouble.empty()) {
    label.colour = colour_of(Grade::kBad);
    add_folded(trouble, label.lines);
    return label;
  }
  if (!window.stats) {
    label.lines.push_back(window.codec);
    return label;
  }
  const sail::StreamStats& stats = *window.stats;
  label.lines.push_back(fmt::format("{}  {}", window.codec, rates_text(stats)));
  label.lines.push_back(fmt::format(
      "skipped {}  dropped {}  latency {:.1f} / {:.1f} ms  skew {:.0f} us", stats.frames_skipped,
      stats.frames_dropped, stats.latency_ms_p50, stats.latency_ms_p99, stats.skew_us_p99));
  if (diagnosis.grade != Grade::kWell) add_folded(diagnosis.sentence, label.lines);
  return label;
}

}  // namespace

std::vector<sail::OverlayLabel> trouble_labels(const sail::Wall& wall, const WindowStack& windows) {
  std::vector<sail::OverlayLabel> labels;
  const std::vector<Window>& stack = windows.bottom_to_top();
  const auto in_trouble = [](const Window& window) { return !trouble_of(window).empty(); };
  if (std::ranges::none_of(stack, in_trouble)) return labels;
  const auto corners = corners_of(wall, stack);
  for (size_t i = 0; i < stack.size() && labels.size() < sail::kMaxLabels; ++i) {
    if (in_trouble(stack[i]) && corners[i]) labels.push_back(label_of(stack[i], *corners[i]));
  }
  return labels;
}

double FigureLabels::fps_of(const ReceiverEntry& receiver, int64_t now_ns) {
  Count& count = counts_[receiver.name];
  const uint64_t shown = receiver.stats->frames_shown;
  const int64_t passed_ns = now_ns - count.at_ns;
  // The receiver's counters restart when it restarts.
  const bool counted_before = count.at_ns != 0 && shown >= count.frames_shown;
  count.fps = counted_before && passed_ns > 0 ? static_cast<double>(shown - count.frames_shown) *
                                                    1e9 / static_cast<double>(passed_ns)
                                              : 0;
  count.frames_shown = shown;
  count.at_ns = now_ns;
  return count.fps;
}

std::vector<sail::OverlayLabel> FigureLabels::make(const sail::Wall& wall,
                                                   const WindowStack& windows,
                                                   const ReceiverRoster& receivers,
                                                   int64_t now_ns) {
  std::vector<sail::OverlayLabel> labels;
  for (const ReceiverEntry& receiver : receivers.all()) {
    const auto tile = std::find_if(wall.tiles.begin(), wall.tiles.end(),
                                   [&](const auto& one) { return one.receiver == receiver.name; });
    if (tile == wall.tiles.end() || !receiver.connected() || !receiver.stats) continue;
    labels.push_back(
        {.x = tile->wall_rect.x,
         .y = tile->wall_rect.bottom(),
         .above = true,
         .lines = {receiver.name,
                   fmt::format("{:.0f} frames/s  dropped {}", fps_of(receiver, now_ns),
                               receiver.stats->frames_dropped),
                   fmt::format("render {:.1f} ms  clock {:.0f} us", receiver.stats->render_ms,
                               receiver.stats->clock_error_us)}});
  }
  const std::vector<Window>& stack = windows.bottom_to_top();
  const auto corners = corners_of(wall, stack);
  for (size_t i = 0; i < stack.size() && labels.size() < sail::kMaxLabels; ++i) {
    if (corners[i]) labels.push_back(label_of(stack[i], *corners[i]));
  }
  return labels;
}

}  // namespace manager
