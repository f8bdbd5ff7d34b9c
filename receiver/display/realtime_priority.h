// Real-time priority (SCHED_RR) of one thread while it waits for a presentation time; normal
// priority for long work such as painting.
#pragma once

#include "sail/core/base/result.h"

namespace receiver {

class RealtimePriority {
 public:
  // Switches the calling thread to real-time priority, so that it runs before all normal threads
  // (sched(7)). Threads that it starts later do not inherit the priority. Returns kUnauthorized if
  // the user's RLIMIT_RTPRIO forbids it; leave() and take() then do nothing.
  sail::Result<void> request();
  // Return to normal priority, and to real-time priority again. No effect if already there.
  void leave();
  void take();

 private:
  bool may_ = false;
  bool has_ = false;
};

}  // namespace receiver
