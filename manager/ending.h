// The end of the manager: the wall is saved, applications close their windows, and the programs
// that it started end. Each step waits for what it asked for, but not for ever. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/base/log.h"

namespace manager {

class ChildPrograms;
class Desk;
class Guests;
class Peers;
class Players;
class ReceiverLauncher;
class Revival;
class Successor;

class Ending {
 public:
  struct Rooms {
    ChildPrograms& children;
    Desk& desk;
    Guests& guests;
    Peers& peers;
    Players& players;
    ReceiverLauncher& launcher;
    Revival& revival;
    Successor& successor;
  };
  // on_ended comes once, when all is done; it may destroy this. The rooms outlive this.
  Ending(const Rooms& rooms, const sail::Log& log, std::function<void()> on_ended);

  // Again: nothing happens.
  void begin();
  // Time passes. This may be gone afterwards.
  void tick();

 private:
  void tell_programs();
  // All that this manager, or a former one of this host, started.
  void signal_programs(int signal);

  const Rooms rooms_;
  sail::Log log_;
  std::function<void()> on_ended_;
  int64_t since_ns_ = 0;  // 0: not ending
  bool told_ = false;     // the programs to end
};

}  // namespace manager
