// How busy the machines are that applications, receivers and this manager run on, by what these
// told last. Pure; times are steady.
#pragma once

#include <cstdint>
#include <map>

#include "sail/wire/host_stats.h"
#include "sail/wire/json.h"

namespace manager {

class Hosts {
 public:
  // peer: of the control protocol; kManager: this manager.
  static constexpr uint64_t kManager = 0;
  void record(uint64_t peer, const sail::HostStats& stats, int64_t now_ns) {
    told_[peer] = {stats, now_ns};
  }
  void peer_left(uint64_t peer) { told_.erase(peer); }
  // Null: it told nothing lately.
  const sail::HostStats* of(uint64_t peer, int64_t now_ns) const;
  // Each machine once, as the verb "stats" answers.
  sail::Json json(int64_t now_ns) const;

 private:
  struct Told {
    sail::HostStats stats;
    int64_t at_ns = 0;
  };
  std::map<uint64_t, Told> told_;
};

}  // namespace manager
