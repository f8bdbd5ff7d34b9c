// A timer for pacing: finer than Timer, whose resolution is a millisecond. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sail/net/loop.h"

namespace sail {

class FineTimer {
 public:
  // The callback may start or destroy the timer.
  FineTimer(Loop& loop, std::function<void()> callback);
  ~FineTimer();
  FineTimer(const FineTimer&) = delete;
  FineTimer& operator=(const FineTimer&) = delete;

  // Calls back once at that steady time, or at once when it is over. Replaces what was set.
  void start_at(int64_t steady_ns);
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
