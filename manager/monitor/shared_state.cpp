#include "manager/monitor/shared_state.h"

#include <algorithm>

namespace manager {

const SharedState::Text& SharedState::at(uint64_t revision, const sail::Ends& to, int64_t now_ns,
                                         const std::function<Text()>& make) {
  if (revision != revision_ || now_ns - made_ns_ >= kStatisticsNs) texts_.clear();
  const auto known = std::ranges::find_if(
      texts_, [&](const auto& one) { return sail::reach_alike(one.first, to); });
  if (known != texts_.end()) return known->second;
  if (texts_.empty()) made_ns_ = now_ns;
  revision_ = revision;
  return texts_.emplace_back(to, make()).second;
}

}  // namespace manager
