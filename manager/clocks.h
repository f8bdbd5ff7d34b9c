// The wall's time, and how well its peers know it. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/system_clock.h"
#include "sail/base/wall_clock.h"
#include "sail/net/loop.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/json.h"
#include "sail/wire/stats.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Clocks {
 public:
  // former: the clock of the manager whose place this one took; it goes on, so that nobody sees
  // wall time jump. Not where the systems' clocks are wall time.
  Clocks(sail::Loop& loop, sail::ClockSource source, const sail::ClockLine& former,
         const sail::Log& log);

  // By which all of the wall agree on an instant: the steady clock of this machine, or the
  // system's.
  const sail::WallClock& wall() const { return wall_; }
  // What peers are told of it.
  const sail::WelcomeClock& welcome() const { return welcome_; }

  void record(const sail::ServicePeer& peer, const sail::ClockStats& stats);
  // What a receiver knows of its displays.
  void record(const sail::ServicePeer& peer, std::vector<sail::RefreshStats> refreshes);
  void peer_left(uint64_t id) {
    peers_.erase(id);
    displays_.erase(id);
  }
  // All that is known of clocks, as the verb "clocks" answers.
  sail::Json told() const;

 private:
  void read_system();
  sail::Json displays_told(int64_t now_ns) const;

  struct Peer {
    std::string name;
    const char* role;
    sail::ClockStats stats;
  };
  sail::WelcomeClock welcome_;
  const sail::Log& log_;
  sail::SystemClock system_;
  bool unset_said_ = false;
  sail::WallClock wall_;
  std::map<uint64_t, Peer> peers_;  // by id, those that told
  struct Displays {
    std::string receiver;
    std::vector<sail::RefreshStats> refreshes;
  };
  std::map<uint64_t, Displays> displays_;
  sail::Timer every_second_;
};

}  // namespace manager
