// Schedules the checks of a stream's links: regularly, and soon after a frame began to wait for a
// receiver. A check is skipped if its timer is so late that this process must have been stalled.
// Then messages wait to be read, and no receiver may be left behind because of that. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sail/core/loop/loop.h"

namespace sail {

class LinkChecks {
 public:
  struct Handlers {
    // Called a few times a second.
    std::function<void()> check;
    // Called while a frame waits for a receiver, if it has waited for a moment.
    std::function<void()> check_waiting;
    // Returns the steady time since which a frame waits for a receiver; empty: none waits.
    std::function<std::optional<int64_t>()> waits_since_ns;
  };
  LinkChecks(Loop& loop, Handlers handlers);

  void start();
  void stop();
  // A frame may wait for a receiver from now on.
  void watch_waiting();

 private:
  void check();
  void check_waiting(int64_t due_ns);

  const Handlers handlers_;
  Timer checks_;
  int64_t checked_ns_ = 0;
  Timer waiting_;
  bool waiting_runs_ = false;
};

}  // namespace sail
