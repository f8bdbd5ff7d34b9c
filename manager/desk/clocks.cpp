#include "manager/desk/clocks.h"

#include <algorithm>
#include <utility>

#include "sail/core/routing/cadence.h"
#include "sail/core/rpc/rpc_service.h"

namespace manager {
namespace {

constexpr int64_t kEveryMs = 1000;

bool same_rate(const sail::Refresh& a, const sail::Refresh& b) {
  return sail::together(std::vector{a, b}).period_ns != 0;
}

// Returns how much later than the other this display begins its pictures; at most half a period.
double phase_us(const sail::Refresh& refresh, const sail::Refresh& other, int64_t now_ns) {
  const int64_t later_ns =
      sail::next_refresh_ns(refresh, now_ns) - sail::next_refresh_ns(other, now_ns);
  const int64_t period_ns = refresh.period_ns;
  const int64_t whole_ns = 2 * later_ns > period_ns     ? period_ns
                           : 2 * later_ns <= -period_ns ? -period_ns
                                                        : 0;
  return static_cast<double>(later_ns - whole_ns) / 1e3;
}

}  // namespace

Clocks::Clocks(sail::Loop& loop, sail::ClockSource source, const sail::ClockLine& former,
               const sail::Log& log)
    : welcome_{.clock = source, .clock_name = {}}, log_(log), every_second_(loop) {
  if (source == sail::ClockSource::kManager) {
    if (!former.known) welcome_.clock_name = sail::steady_clock_name();
    const int64_t now_ns = sail::steady_now_ns();
    wall_.set({.known = true,
               .steady_ns = now_ns,
               .offset_ns = former.known ? former.to_wall_ns(now_ns) - now_ns : 0});
    return;
  }
  read_system();
  every_second_.start(kEveryMs, kEveryMs, [this] { read_system(); });
}

void Clocks::read_system() {
  const sail::SystemClockReading reading = sail::read_system_clock();
  if (const auto set_ns = system_.add(reading)) {
    log_.warning("wall time jumps by {:+.3f} ms: this machine's clock was set",
                 static_cast<double>(*set_ns) / 1e6);
  }
  const bool logged = std::exchange(unset_logged_, !reading.synchronised);
  if (unset_logged_ && !logged) {
    log_.warning(
        "wall time follows this machine's clock, which is not synchronised (chrony, NTP, PTP): "
        "`vitrail doctor` says what to set");
  }
  wall_.set(system_.line());
}

void Clocks::record(const sail::ServicePeer& peer, const sail::ClockStats& stats) {
  peers_[peer.id()] = {.name = peer.name(), .role = sail::role_name(*peer.role()), .stats = stats};
}

void Clocks::record(const sail::ServicePeer& peer, std::vector<sail::RefreshStats> refreshes) {
  displays_[peer.id()] = {.receiver = peer.name(), .refreshes = std::move(refreshes)};
}

sail::Json Clocks::displays_json(int64_t now_ns) const {
  sail::Json displays = sail::Json::array();
  std::vector<sail::Refresh> firsts;  // The first display of each rate.
  for (const auto& [id, known] : displays_) {
    for (const sail::RefreshStats& stats : known.refreshes) {
      const sail::Refresh refresh{.at_ns = stats.at_ns,
                                  .period_ns = static_cast<uint32_t>(std::clamp<int64_t>(
                                      stats.period_ns, sail::kMinRefreshNs, sail::kMaxRefreshNs))};
      sail::Json& display =
          displays.emplace_back(sail::Json{{"receiver", known.receiver},
                                           {"tile", stats.tile},
                                           {"source", sail::kRefreshSources.word(stats.source)},
                                           {"hz", 1e9 / refresh.period_ns}});
      if (stats.source == sail::RefreshSource::kDisplayMode) continue;
      auto first = std::find_if(firsts.begin(), firsts.end(),
                                [&](const sail::Refresh& one) { return same_rate(one, refresh); });
      if (first == firsts.end()) first = firsts.insert(first, refresh);
      display["phase_us"] = phase_us(refresh, *first, now_ns);
    }
  }
  return displays;
}

sail::Json Clocks::json() const {
  sail::Json peers = sail::Json::array();
  for (const auto& [id, peer] : peers_) {
    sail::Json object = to_json(peer.stats);
    object["peer"] = id;
    object["name"] = peer.name;
    object["role"] = peer.role;
    peers.push_back(std::move(object));
  }
  const int64_t now_ns = wall_.wall_now_ns();
  return {{"wall_ns", now_ns},
          {"source", sail::kClockSources.word(welcome_.clock)},
          {"synchronised", welcome_.clock == sail::ClockSource::kManager || system_.synchronised()},
          {"error_us", static_cast<double>(wall_.error_ns()) / 1e3},
          {"peers", std::move(peers)},
          {"displays", displays_json(now_ns)}};
}

}  // namespace manager
