#include "manager/monitor/figures.h"

#include <fmt/core.h>

#include <ctime>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "sail/core/time/clock.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

constexpr int64_t kFiguresEveryMs = 1000;

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
    // After this manager was stalled, all others seem stalled until their next reports.
    const bool stalled =
        now_ns - std::exchange(last_check_ns_, now_ns) > 2 * kFiguresEveryMs * 1'000'000;
    if (!stalled) evaluate();
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
  take_stats(known, stats, reports());
  if (unreachable() != before) on_trouble_();
  windows_.insert(window);
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

void Figures::evaluate() {
  const Reports now = reports();
  for (const uint32_t number : desk_.windows().order()) {
    Window& window = *desk_.measured(number);
    const Grade before = window.health.grade();
    evaluate_window(window, now);
    if (window.stats && window.health.grade() != before) windows_.insert(number);
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
  if (!all) return trouble_labels(desk_.wall(), desk_.windows());
  return labels_.make(desk_.wall(), desk_.windows(), peers_.receivers(), sail::steady_now_ns());
}

void Figures::publish() {
  const std::vector<sail::Json> portions = take_new_statistics();
  if (!peers_.any_wants(&Wants::figures)) return;
  for (const sail::Json& figures : portions) {
    peers_.offer(&Wants::figures, sail::notification_line("figures", figures));
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
