#include "manager/wall/peer_return.h"

#include <algorithm>

namespace manager {

bool PeerReturn::stalled(int64_t now_ns) {
  if (ticked_ns_ == 0 || now_ns - ticked_ns_ < kStallNs) return false;
  ticked_ns_ = now_ns;
  return true;
}

// Repeated timeouts within kStallNs do not extend the pause, so flapping peers cannot stop the
// wall.
void PeerReturn::peer_fell_silent(int64_t now_ns) {
  if (still_until_ns_ != 0 && now_ns - still_until_ns_ < kStallNs) return;
  still_until_ns_ = now_ns + kSilenceNs;
}

void PeerReturn::expect(const std::vector<uint32_t>& streams, bool all) {
  expected_.insert(streams.begin(), streams.end());
  expects_all_ = expects_all_ || all;
}

// Drops the routes to recorders, which will get new ones.
void PeerReturn::resume(const sail::Routes& routes) {
  expected_.insert(routes.stream);
  sail::Routes& kept = resumed_[routes.stream] = routes;
  std::erase_if(kept.routes, [](const sail::Route& route) { return route.recorder != 0; });
}

const sail::Routes* PeerReturn::resumed(uint32_t stream) const {
  const auto it = resumed_.find(stream);
  return it == resumed_.end() ? nullptr : &it->second;
}

void PeerReturn::end_when_all_are_back(
    int64_t now_ns, const std::function<bool(const std::string& receiver)>& is_here) {
  // expected_ may be incomplete: streams and new receivers do not know all other streams.
  if (!waits(now_ns) || expected_.empty() || !expects_all_) return;
  for (const uint32_t stream : expected_) {
    if (!resumed_.contains(stream)) return;
  }
  for (const auto& [number, routes] : resumed_) {
    for (const sail::Route& route : routes.routes) {
      if (!is_here(route.receiver)) return;
    }
  }
  until_ns_ = now_ns;
}

void PeerReturn::forget() {
  resumed_.clear();
  expected_.clear();
  expects_all_ = false;
}

}  // namespace manager
