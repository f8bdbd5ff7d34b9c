// One display. Loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "receiver/power/power_runs.h"
#include "sail/core/loop/loop.h"

namespace receiver {

class DisplaySwitch {
 public:
  static constexpr size_t kMostWaiting = 16;
  static constexpr size_t kMostSharing = 64;  // Questions that one answer may serve.

  DisplaySwitch(sail::Loop& loop, sail::PowerControl control, int64_t limit_ms)
      : loop_(loop), control_(std::move(control)), limit_ms_(limit_ms), limit_(loop) {}

  // Calls `done` with the state after the order, at once only if too many orders wait (kLimit). A
  // question that follows another one shares its answer.
  // kTimeout: the display took too long.
  void ask(sail::PowerOrder order, PowerDone done);

 private:
  struct Waiting {
    sail::PowerOrder order;
    std::vector<PowerDone> done;
  };
  void begin();
  void end(const sail::Result<sail::PowerState>& result);

  sail::Loop& loop_;
  const sail::PowerControl control_;
  const int64_t limit_ms_;
  std::deque<Waiting> waiting_;  // the first one runs
  sail::Timer limit_;
  std::shared_ptr<void> run_;
};

}  // namespace receiver
