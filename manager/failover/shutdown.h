// The shutdown of the manager: saves the wall, lets applications close their windows, stops cameras
// that move, and ends the programs that it started. Each step has a timeout. Runs on the loop
// thread.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/core/base/log.h"

namespace manager {

class Cameras;
class ChildPrograms;
class Desk;
class Guests;
class Peers;
class Players;
class ReceiverLauncher;
class JournalServer;
class WallArchive;
class Webhooks;

class Shutdown {
 public:
  struct Parts {
    Cameras& cameras;
    ChildPrograms& children;
    Desk& desk;
    Guests& guests;
    Peers& peers;
    Players& players;
    ReceiverLauncher& launcher;
    WallArchive& archive;
    JournalServer& journal_server;
    Webhooks& webhooks;
  };
  // on_ended: called once, at the end; it may destroy this object. The parts must outlive this
  // object.
  Shutdown(const Parts& parts, const sail::Log& log, std::function<void()> on_ended);

  // Starts the shutdown. Further calls do nothing.
  void begin();
  // Advances time. May destroy this object through on_ended.
  void tick();

 private:
  void notify_programs();
  // Signals all programs that this manager, or an earlier one on this host, has started.
  void signal_programs(int signal);

  const Parts parts_;
  sail::Log log_;
  std::function<void()> on_ended_;
  int64_t since_ns_ = 0;   // 0: not shutting down.
  bool notified_ = false;  // SIGTERM was sent to the programs.
};

}  // namespace manager
