#include "manager/monitor/figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/monitor/window_labels.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

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

bool in_trouble(const Window& window) {
  return !trouble_of(window).empty();
}

// A label that people put on the top of the window takes the place of the title.
std::string heading(const Window& window) {
  if (window.label.top && !window.label.text.empty()) {
    return label_text(window, std::time(nullptr));
  }
  return sail::make_plain_text(window.title, sail::kMaxLabelLine);
}

sail::OverlayLabel label_of(const Window& window, const VisibleCorners& corners) {
  const Diagnosis& diagnosis = window.health.diagnosis();
  sail::OverlayLabel label{.x = corners.top.x,
                           .y = corners.top.y,
                           .lines = {heading(window)},
                           .colour = colour_of(diagnosis.grade)};
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
  if (std::ranges::none_of(stack, in_trouble)) return labels;
  const auto corners = visible_corners(wall, stack);
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
  const auto corners = visible_corners(wall, stack);
  for (size_t i = 0; i < stack.size() && labels.size() < sail::kMaxLabels; ++i) {
    if (corners[i]) labels.push_back(label_of(stack[i], *corners[i]));
  }
  return labels;
}

void StreamTotals::add(const sail::StreamStats* before, const sail::StreamStats& now) {
  // A stream that replaced another one counts from 0.
  const bool same_stream = before != nullptr && before->frames_submitted <= now.frames_submitted;
  const auto grow = [same_stream](uint64_t& sum, uint64_t was, uint64_t is) {
    sum += same_stream && was <= is ? is - was : is;
  };
  const sail::StreamStats nothing;
  const sail::StreamStats& was = before == nullptr ? nothing : *before;
  grow(sums_.frames_submitted, was.frames_submitted, now.frames_submitted);
  grow(sums_.frames_shown, was.frames_shown, now.frames_shown);
  grow(sums_.frames_skipped, was.frames_skipped, now.frames_skipped);
  grow(sums_.bytes_sent, was.bytes_sent, now.bytes_sent);
  sail::DropCounts& dropped = sums_.dropped;
  grow(dropped.superseded, was.dropped.superseded, now.dropped.superseded);
  grow(dropped.old_epoch, was.dropped.old_epoch, now.dropped.old_epoch);
  grow(dropped.incomplete, was.dropped.incomplete, now.dropped.incomplete);
  grow(dropped.hidden, was.dropped.hidden, now.dropped.hidden);
  grow(dropped.frozen, was.dropped.frozen, now.dropped.frozen);
  grow(dropped.lost, was.dropped.lost, now.dropped.lost);
  grow(dropped.unsent, was.dropped.unsent, now.dropped.unsent);
}

namespace {

constexpr int64_t kFiguresEveryMs = 1000;
// Figures that do not change are sent this often, because a slow client may have missed them.
constexpr uint32_t kUnchangedEveryS = 10;

auto shown_figures(const sail::StreamStats& stats) {
  return std::tuple(stats.fps_shown, stats.fps_wanted, stats.mbit_per_s, stats.frames_shown,
                    stats.frames_dropped, stats.frames_skipped, stats.latency_ms_p50,
                    stats.latency_ms_p99, stats.skew_us_p99);
}

sail::Json figures_of(const Window& window) {
  const sail::StreamStats& stats = *window.stats;
  return {{"window", window.number},
          {"fps", stats.fps_shown},
          {"fps_wanted", stats.fps_wanted},
          {"mbit_per_s", stats.mbit_per_s},
          {"frames_shown", stats.frames_shown},
          {"frames_dropped", stats.frames_dropped},
          {"frames_skipped", stats.frames_skipped},
          {"latency_ms_p50", stats.latency_ms_p50},
          {"latency_ms_p99", stats.latency_ms_p99},
          {"skew_us_p99", stats.skew_us_p99},
          {"health", to_json(window.health.diagnosis())}};
}

sail::Json figures_of(const ReceiverEntry& receiver) {
  sail::Json figures = to_json(*receiver.stats);
  figures["name"] = receiver.name;
  return figures;
}

}  // namespace

Figures::Figures(sail::Loop& loop, Desk& desk, Peers& peers, ChangeFeed& changes,
                 std::function<Troubles()> troubles, std::function<void()> on_trouble)
    : desk_(desk),
      peers_(peers),
      changes_(changes),
      troubles_(std::move(troubles)),
      on_trouble_(std::move(on_trouble)),
      every_second_(loop) {
  health_.evaluate(reports(), desk.windows(), {});
  every_second_.start(kFiguresEveryMs, kFiguresEveryMs, [this] {
    const int64_t now_ns = sail::steady_now_ns();
    hosts_.record(Hosts::kManager, sail::host_stats(own_load_.sample(now_ns)), now_ns);
    // After this manager itself was stalled, all peers seem stalled until their next reports.
    const bool stalled =
        now_ns - std::exchange(last_check_ns_, now_ns) > 2 * kFiguresEveryMs * 1'000'000;
    if (!stalled) evaluate();
    ++second_;
    publish();
  });
}

void Figures::record(uint32_t window, const sail::StreamStats& stats) {
  Window& known = *desk_.measured(window);
  WindowPart* part = known.part(stats.stream);
  if (part != nullptr) part->stats = stats;
  if (part != nullptr && stats.stream != known.measured_stream()) return;
  totals_.add(known.stats ? &*known.stats : nullptr, stats);
  const auto unreachable = [&known] {
    return known.health.diagnosis().cause == Cause::kUnreachable;
  };
  const bool before = unreachable();
  const bool same = known.stats && shown_figures(*known.stats) == shown_figures(stats);
  take_stats(known, stats, reports());
  if (unreachable() != before) on_trouble_();
  if (!same) windows_.insert(window);
}

void Figures::record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats) {
  peers_.record(receiver, stats, sail::steady_now_ns());
  desk_.receiver_measured(receiver.name(), stats);
  receivers_.insert(receiver.name());
}

void Figures::record(const sail::ServicePeer& peer, const sail::HostStats& stats) {
  hosts_.record(peer.id(), stats, sail::steady_now_ns());
}

Reports Figures::reports() const {
  return {.wall = desk_.wall(),
          .receivers = peers_.receivers(),
          .hosts = hosts_,
          .director = &desk_.director(),
          .switches = desk_.arrangement().switches(),
          .now_ns = sail::steady_now_ns(),
          .now_s = std::time(nullptr),
          .wall_ns = desk_.clock().wall_now_ns()};
}

void Figures::publish_all() {
  for (const uint32_t number : desk_.windows().order()) windows_.insert(number);
}

void Figures::evaluate() {
  const Reports now = reports();
  for (const uint32_t number : desk_.windows().order()) {
    Window& window = *desk_.measured(number);
    const auto state = [&window] {
      return std::pair(window.health.grade(), window.health.diagnosis().cause);
    };
    const auto before = state();
    evaluate_window(window, now);
    const bool due = (number + second_) % kUnchangedEveryS == 0;
    if (window.stats && (due || state() != before)) windows_.insert(number);
  }
  if (health_.evaluate(now, desk_.windows(), troubles_())) {
    changes_.part_changed(StatePart::kHealth);
  }
}

sail::Json Figures::hosts() const {
  return hosts_.json(sail::steady_now_ns());
}

sail::Json Figures::why() const {
  sail::Json health = to_json(health_);
  for (sail::Json& problem : health["problems"]) {
    const Window* window = desk_.windows().find(problem.value("window", 0U));
    if (window == nullptr) continue;
    problem["sentence"] = fmt::format("window {} “{}”: {}", window->number, window->title,
                                      window->health.diagnosis().sentence);
  }
  return health;
}

std::vector<sail::OverlayLabel> Figures::labels(bool all) {
  const WindowStack& windows = desk_.windows();
  const bool blank = desk_.arrangement().switches().blank;
  std::vector<sail::OverlayLabel> labels;
  if (all) {
    labels = labels_.make(desk_.wall(), windows, peers_.receivers(), sail::steady_now_ns());
  } else if (!blank) {
    labels = trouble_labels(desk_.wall(), windows);
  }
  if (blank) return labels;
  add_window_labels(desk_.wall(), windows, std::time(nullptr),
                    all ? [](const Window&) { return true; } : in_trouble, labels);
  return labels;
}

bool Figures::shows_clock() const {
  return std::ranges::any_of(desk_.windows().bottom_to_top(), manager::shows_clock);
}

void Figures::publish() {
  const std::vector<sail::Json> portions = take_new_statistics();
  if (!peers_.any_wants(&Wants::figures)) return;
  for (const sail::Json& figures : portions) {
    peers_.offer(&Wants::figures, sail::share(sail::notification_line("figures", figures)));
  }
}

std::vector<sail::Json> Figures::take_new_statistics() {
  std::vector<sail::Json> portions;
  while (!windows_.empty() || !receivers_.empty()) {
    sail::Json portion = {{"wall_ns", desk_.clock().wall_now_ns()},
                          {"windows", sail::Json::array()},
                          {"receivers", sail::Json::array()}};
    for (const uint32_t number : take_batch(windows_)) {
      const Window* window = desk_.windows().find(number);
      if (window != nullptr && window->stats) portion["windows"].push_back(figures_of(*window));
    }
    for (const std::string& name : take_batch(receivers_)) {
      const ReceiverEntry* receiver = peers_.receivers().find(name);
      if (receiver != nullptr && receiver->stats) {
        portion["receivers"].push_back(figures_of(*receiver));
      }
    }
    portions.push_back(std::move(portion));
  }
  return portions;
}

}  // namespace manager
