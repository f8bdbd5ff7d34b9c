#include "manager/failover/succession.h"

#include <algorithm>

namespace manager {

void Succession::followed() {
  ending_ = false;
  lost_ns_.reset();
  came_ns_.clear();
}

void Succession::set_receivers(const std::vector<std::string>& names) {
  receivers_ = {names.begin(), names.end()};
}

void Succession::lost(int64_t since_ns) {
  if (!lost_ns_) lost_ns_ = since_ns;
}

void Succession::receiver_came(const std::string& name, int64_t now_ns) {
  if (receivers_.contains(name)) came_ns_[name] = now_ns;
}

size_t Succession::came(int64_t now_ns) const {
  return static_cast<size_t>(std::ranges::count_if(came_ns_, [&](const auto& one) {
    return one.second >= lost_ns_ && now_ns - one.second <= kLatelyNs;
  }));
}

bool Succession::waits(int64_t now_ns) const {
  return lost_ns_ && !ending_ && now_ns - *lost_ns_ >= kPatienceNs && !due(now_ns);
}

bool Succession::due(int64_t now_ns) const {
  return lost_ns_ && !ending_ && now_ns - *lost_ns_ >= kPatienceNs &&
         2 * came(now_ns) > receivers_.size();
}

}  // namespace manager
