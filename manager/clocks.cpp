#include "manager/clocks.h"

#include <utility>

#include "sail/net/rpc_service.h"

namespace manager {
namespace {

constexpr int64_t kEveryMs = 1000;

}  // namespace

Clocks::Clocks(sail::Loop& loop, sail::ClockSource source, const sail::Log& log)
    : source_(source), log_(log), every_second_(loop) {
  if (source == sail::ClockSource::kManager) {
    wall_.set({.known = true});
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
  const bool said = std::exchange(unset_said_, !reading.synchronised);
  if (unset_said_ && !said) {
    log_.warning(
        "wall time is this machine's clock, and nobody says that it is set (chrony, NTP, PTP)");
  }
  wall_.set(system_.line());
}

void Clocks::record(const sail::ServicePeer& peer, const sail::ClockStats& stats) {
  peers_[peer.id()] = {.name = peer.name(), .role = sail::role_name(*peer.role()), .stats = stats};
}

sail::Json Clocks::told() const {
  sail::Json peers = sail::Json::array();
  for (const auto& [id, peer] : peers_) {
    sail::Json object = to_json(peer.stats);
    object["peer"] = id;
    object["name"] = peer.name;
    object["role"] = peer.role;
    peers.push_back(std::move(object));
  }
  return {{"wall_ns", wall_.wall_now_ns()},
          {"source", sail::kClockSources.word(source_)},
          {"synchronised", source_ == sail::ClockSource::kManager || system_.synchronised()},
          {"error_us", static_cast<double>(wall_.error_ns()) / 1e3},
          {"peers", std::move(peers)}};
}

}  // namespace manager
