#include "manager/peers/hosts.h"

#include <string>

namespace manager {
namespace {

constexpr int64_t kGoodForNs = 5'000'000'000;

}  // namespace

const sail::HostStats* Hosts::of(uint64_t peer, int64_t now_ns) const {
  const auto told = told_.find(peer);
  const bool good = told != told_.end() && now_ns - told->second.at_ns < kGoodForNs;
  return good ? &told->second.stats : nullptr;
}

sail::Json Hosts::json(int64_t now_ns) const {
  std::map<std::string, const sail::HostStats*> hosts;
  for (const auto& [peer, told] : told_) {
    if (of(peer, now_ns) != nullptr) hosts[told.stats.host] = &told.stats;
  }
  sail::Json list = sail::Json::array();
  for (const auto& [host, stats] : hosts) {
    sail::Json object = to_json(*stats);
    object.erase("own_pct");
    object["overloaded"] = stats->load.overloaded();
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace manager
