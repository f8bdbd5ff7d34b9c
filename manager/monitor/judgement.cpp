#include "manager/monitor/judgement.h"

#include <algorithm>

#include "manager/peers/hosts.h"
#include "manager/wall/director.h"

namespace manager {
namespace {

double seconds(int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

// Returns the receivers beneath the window that are not connected; hanging: whether their programs
// run.
std::vector<std::string> away_from(const Window& window, const Reports& reports, bool hanging) {
  std::vector<std::string> away;
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (receiver.connected() || receiver.hangs() != hanging) continue;
    const bool covers_window = std::ranges::any_of(reports.wall.tiles, [&](const sail::Tile& tile) {
      return tile.receiver == receiver.name && !intersect(tile.wall_rect, window.wall_rect).empty();
    });
    if (covers_window) away.push_back(receiver.name);
  }
  return away;
}

}  // namespace

bool is_stalled(const ReceiverEntry& receiver, int64_t now_ns) {
  return receiver.stats && seconds(now_ns - receiver.measured_ns) >= kStoppedS;
}

Flow flow_of(const Window& window, const Reports& reports) {
  Flow flow{.codec = window.codec,
            .stats = window.stats ? &*window.stats : nullptr,
            .before = window.before ? &*window.before : nullptr,
            .age_s = seconds(reports.now_ns - window.measured_ns),
            .open_s = window.opened_ns == 0 ? 0 : seconds(reports.now_ns - window.opened_ns),
            .now_s = reports.now_s,
            .fed_s = window.fed_s,
            .playback = window.playback,
            .gone = window.lost ? window.lost->sentence() : "",
            .away = away_from(window, reports, false),
            .hanging = away_from(window, reports, true),
            .rank_away = window.absent_sentence(),
            .blank = reports.switches.blank,
            .host = reports.hosts.of(window.owner, reports.now_ns)};
  if (window.starts_ns > reports.wall_ns) {
    flow.starts_s = reports.now_s + (window.starts_ns - reports.wall_ns) / 1'000'000'000 + 1;
  }
  if (!window.stats) return flow;
  flow.layout_waits =
      reports.director != nullptr && reports.director->misses(window.measured_stream());
  for (const sail::LinkStats& link : window.stats->links) {
    const ReceiverEntry* receiver = reports.receivers.find(link.receiver);
    if (receiver == nullptr || !receiver->stats) continue;
    flow.nodes.push_back({.name = receiver->name,
                          .stats = &*receiver->stats,
                          .age_s = seconds(reports.now_ns - receiver->measured_ns),
                          .host = reports.hosts.of(receiver->peer, reports.now_ns),
                          .launched = receiver->run.has_value()});
  }
  return flow;
}

void take_stats(Window& window, const sail::StreamStats& stats, const Reports& reports) {
  if (window.opened_ns == 0) window.opened_ns = reports.now_ns;
  const bool fed = !window.stats || window.stats->frames_submitted != stats.frames_submitted;
  if (fed) window.fed_s = reports.now_s;
  window.before = std::move(window.stats);
  window.stats = stats;
  window.measured_ns = reports.now_ns;
  window.health.report(diagnose(flow_of(window, reports)));
}

void evaluate_window(Window& window, const Reports& reports) {
  if (window.opened_ns == 0) window.opened_ns = reports.now_ns;
  window.health.evaluate(diagnose(flow_of(window, reports)));
}

}  // namespace manager
