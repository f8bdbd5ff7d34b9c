#include "manager/figure_feed.h"

#include <utility>

#include "manager/take_some.h"

namespace manager {
namespace {

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

std::vector<sail::Json> FigureFeed::take(const WindowStack& windows,
                                         const ReceiverRoster& receivers, int64_t wall_ns) {
  std::vector<sail::Json> portions;
  while (!windows_.empty() || !receivers_.empty()) {
    sail::Json portion = {
        {"wall_ns", wall_ns}, {"windows", sail::Json::array()}, {"receivers", sail::Json::array()}};
    for (const uint32_t number : take_some(windows_)) {
      const Window* window = windows.find(number);
      if (window != nullptr && window->stats) portion["windows"].push_back(figures_of(*window));
    }
    for (const std::string& name : take_some(receivers_)) {
      const ReceiverEntry* receiver = receivers.find(name);
      if (receiver != nullptr && receiver->stats) {
        portion["receivers"].push_back(figures_of(*receiver));
      }
    }
    portions.push_back(std::move(portion));
  }
  return portions;
}

}  // namespace manager
