// The wall clock, and the clock accuracy of the wall's peers. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/json.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/stats.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Clocks {
 public:
  // former: clock of the replaced manager. Wall time continues from it without a jump. Ignored if
  // system clocks are the wall time.
  Clocks(sail::Loop& loop, sail::ClockSource source, const sail::ClockLine& former,
         const sail::Log& log);

  // The wall's common time base: this machine's steady clock or its system clock.
  const sail::WallClock& wall() const { return wall_; }
  // Clock information for welcome messages.
  const sail::WelcomeClock& welcome() const { return welcome_; }

  void record(const sail::ServicePeer& peer, const sail::ClockStats& stats);
  // Records a receiver's display refresh statistics.
  void record(const sail::ServicePeer& peer, std::vector<sail::RefreshStats> refreshes);
  void peer_left(uint64_t id) {
    peers_.erase(id);
    displays_.erase(id);
  }
  // Returns the answer of the verb "clocks".
  sail::Json json() const;

 private:
  void read_system();
  sail::Json displays_json(int64_t now_ns) const;

  struct Peer {
    std::string name;
    const char* role;
    sail::ClockStats stats;
  };
  sail::WelcomeClock welcome_;
  const sail::Log& log_;
  sail::SystemClock system_;
  bool unset_logged_ = false;
  sail::WallClock wall_;
  std::map<uint64_t, Peer> peers_;  // Peers that have reported, by id.
  struct Displays {
    std::string receiver;
    std::vector<sail::RefreshStats> refreshes;
  };
  std::map<uint64_t, Displays> displays_;
  sail::Timer every_second_;
};

}  // namespace manager
