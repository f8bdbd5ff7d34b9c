#include "manager/peers/hosts.h"

#include <string>

namespace manager {
namespace {

constexpr int64_t kGoodForNs = 5'000'000'000;

}  // namespace

const sail::HostStats* Hosts::of(uint64_t peer, int64_t now_ns) const {
  const auto report = reports_.find(peer);
  const bool good = report != reports_.end() && now_ns - report->second.at_ns < kGoodForNs;
  return good ? &report->second.stats : nullptr;
}

sail::Json Hosts::json(int64_t now_ns) const {
  std::map<std::string, const sail::HostStats*> hosts;
  for (const auto& [peer, report] : reports_) {
    if (of(peer, now_ns) != nullptr) hosts[report.stats.host] = &report.stats;
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
