#include "receiver/statistics.h"

#include <algorithm>
#include <utility>

#include "sail/core/routing/cadence.h"

namespace receiver {
namespace {

double mean_ms(int64_t total_ns, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(total_ns) / 1e6 / static_cast<double>(count);
}

// Capped at 100: work that began before the interval counts as a whole.
double percent(int64_t part_ns, int64_t whole_ns) {
  if (whole_ns <= 0) return 0;
  return std::min(100 * static_cast<double>(part_ns) / static_cast<double>(whole_ns), 100.0);
}

}  // namespace

void Statistics::swapped(const Swapped& swapped) {
  render_ns_ = swapped.render_ns;
  paint_ns_ += swapped.paint_ns;
  ++swaps_;
}

sail::Refresh Statistics::set_refreshes(
    const std::vector<sail::TileInfo>& tiles, const std::vector<TileRefresh>& refreshes,
    int64_t now_ns, const std::function<int64_t(int64_t steady_ns)>& to_wall_ns) {
  refreshes_.clear();
  std::vector<sail::Refresh> in_wall_time;
  for (size_t i = 0; i < tiles.size(); ++i) {
    sail::Refresh refresh = refreshes[i].refresh;
    if (refresh.period_ns == 0) continue;
    // If the phase is unknown, all nodes report the same one.
    const int64_t now_wall_ns = to_wall_ns(now_ns);
    refresh.at_ns = refreshes[i].phase_known() ? to_wall_ns(refresh.at_ns)
                                               : now_wall_ns - now_wall_ns % refresh.period_ns;
    in_wall_time.push_back(refresh);
    refreshes_.push_back({.tile = tiles[i].name,
                          .source = refreshes[i].source,
                          .period_ns = refresh.period_ns,
                          .at_ns = refreshes[i].phase_known() ? refresh.at_ns : 0});
  }
  return sail::together(in_wall_time);
}

sail::ReceiverStats Statistics::take(const StreamFrames::Counters& counters,
                                     int64_t longest_decode_ns, int64_t now_ns) {
  const uint64_t swaps = std::exchange(swaps_, 0);
  const int64_t paint_ns = std::exchange(paint_ns_, 0);
  const int64_t passed_ns = now_ns - std::exchange(taken_ns_, now_ns);
  const uint64_t decoded =
      counters.frames_decoded - std::exchange(frames_decoded_, counters.frames_decoded);
  const int64_t decode_ns = counters.decode_ns - std::exchange(decode_ns_, counters.decode_ns);
  return {.frames_shown = counters.frames_shown,
          .frames_dropped = counters.frames_dropped,
          .blocks_concealed = counters.blocks_concealed,
          .decoders_lost = counters.decoders_lost,
          .render_ms = mean_ms(paint_ns, swaps),
          .render_peak_ms = mean_ms(render_ns_, 1),
          .paint_pct = percent(paint_ns, passed_ns),
          .decode_ms = mean_ms(decode_ns, decoded),
          .decode_pct = percent(longest_decode_ns, passed_ns),
          .refresh = refreshes_};
}

}  // namespace receiver
