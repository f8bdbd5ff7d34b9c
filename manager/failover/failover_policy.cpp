#include "manager/failover/failover_policy.h"

#include <algorithm>

namespace manager {

void FailoverPolicy::followed() {
  ending_ = false;
  leased_ = false;
  lost_ns_.reset();
  arrived_ns_.clear();
}

void FailoverPolicy::set_receivers(const std::vector<std::string>& names) {
  receivers_ = {names.begin(), names.end()};
}

void FailoverPolicy::lost(int64_t since_ns) {
  if (!lost_ns_) lost_ns_ = since_ns;
}

void FailoverPolicy::receiver_arrived(const std::string& name, int64_t now_ns) {
  if (receivers_.contains(name)) arrived_ns_[name] = now_ns;
}

bool FailoverPolicy::promise(int64_t now_ns) {
  if (votes_ != Votes::kWitness || leased_) return false;
  if (lost_ns_) lost_ns_ = std::max(*lost_ns_, now_ns);
  return true;
}

size_t FailoverPolicy::arrived_receivers(int64_t now_ns) const {
  return static_cast<size_t>(std::ranges::count_if(arrived_ns_, [&](const auto& one) {
    return one.second >= lost_ns_ && now_ns - one.second <= kLatelyNs;
  }));
}

bool FailoverPolicy::is_time(int64_t now_ns) const {
  const int64_t wait_ns = votes_ == Votes::kWitness ? Quorum::kPromiseNs : kWaitTimeoutNs;
  return lost_ns_ && !ending_ && now_ns - *lost_ns_ >= wait_ns;
}

bool FailoverPolicy::waits(int64_t now_ns) const {
  return is_time(now_ns) && !due(now_ns);
}

bool FailoverPolicy::due(int64_t now_ns) const {
  if (!is_time(now_ns)) return false;
  if (votes_ == Votes::kWitness) return leased_;
  return 2 * arrived_receivers(now_ns) > receivers_.size();
}

}  // namespace manager
