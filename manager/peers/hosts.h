// The load of the machines that run applications, receivers and this manager, from their latest
// reports. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <map>

#include "sail/core/text/json.h"
#include "sail/core/wire/stats.h"

namespace manager {

class Hosts {
 public:
  // peer: id in the control protocol; kManager: this manager.
  static constexpr uint64_t kManager = 0;
  void record(uint64_t peer, const sail::HostStats& stats, int64_t now_ns) {
    reports_[peer] = {stats, now_ns};
  }
  void peer_left(uint64_t peer) { reports_.erase(peer); }
  // Null: no recent report.
  const sail::HostStats* of(uint64_t peer, int64_t now_ns) const;
  // Returns each machine once, for the verb "stats".
  sail::Json json(int64_t now_ns) const;

 private:
  struct LastReport {
    sail::HostStats stats;
    int64_t at_ns = 0;
  };
  std::map<uint64_t, LastReport> reports_;
};

}  // namespace manager
