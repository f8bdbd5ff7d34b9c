// Real-time priority (SCHED_RR) of one thread while it waits for a presentation time; normal
// priority for long work such as painting.
#pragma once

#include <fmt/core.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

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
  static bool schedule_thread(int policy) {
    sched_param least{};
    least.sched_priority = sched_get_priority_min(policy);
    return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &least) == 0;
  }

  bool may_ = false;
  bool has_ = false;
};

inline sail::Result<void> RealtimePriority::request() {
  may_ = has_ = schedule_thread(SCHED_RR);
  if (may_) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    fmt::format("no real-time priority: {}", std::strerror(errno)));
}

inline void RealtimePriority::leave() {
  if (has_) has_ = !schedule_thread(SCHED_OTHER);
}

inline void RealtimePriority::take() {
  if (may_ && !has_) has_ = schedule_thread(SCHED_RR);
}

}  // namespace receiver
