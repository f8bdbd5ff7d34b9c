#include "sail/core/socket/connection_quota.h"

#include <algorithm>

namespace sail {

void ConnectionQuota::enter(uint64_t id, const std::string& network) {
  const uint64_t entry = ++entries_;
  all_.emplace(id, Place{entry, network});
  networks_[network].emplace(entry, id);
}

void ConnectionQuota::leave(uint64_t id) {
  const auto left = all_.extract(id);
  if (left.empty()) return;
  const auto network = networks_.find(left.mapped().network);
  network->second.erase(left.mapped().entry);
  if (network->second.empty()) networks_.erase(network);
}

uint64_t ConnectionQuota::next_to_go() const {
  const auto crowd = std::max_element(
      networks_.begin(), networks_.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return crowd->second.begin()->second;
}

}  // namespace sail
