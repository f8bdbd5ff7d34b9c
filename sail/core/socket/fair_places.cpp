#include "sail/core/socket/fair_places.h"

#include <algorithm>

namespace sail {

void FairPlaces::enter(uint64_t id, const std::string& network) {
  const uint64_t entry = ++entries_;
  all_.emplace(id, Place{entry, network});
  networks_[network].emplace(entry, id);
}

void FairPlaces::leave(uint64_t id) {
  const auto left = all_.extract(id);
  if (left.empty()) return;
  const auto network = networks_.find(left.mapped().network);
  network->second.erase(left.mapped().entry);
  if (network->second.empty()) networks_.erase(network);
}

uint64_t FairPlaces::next_to_go() const {
  const auto crowd = std::max_element(
      networks_.begin(), networks_.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return crowd->second.begin()->second;
}

}  // namespace sail
