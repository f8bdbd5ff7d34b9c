// Runs a loop until a condition is true: tests wait for conditions, never for a fixed time.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/core/loop/loop.h"

namespace sail {

// Timeout for what should happen soon; long, because sanitizers and a busy machine are slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int64_t kTestDeadlineMs = 120'000;
#else
constexpr int64_t kTestDeadlineMs = 20'000;
#endif

// Returns true if the condition became true before the deadline.
inline bool run_until(Loop& loop, const std::function<bool()>& condition,
                      int64_t deadline_ms = kTestDeadlineMs) {
  bool late = false;
  Timer deadline(loop);
  deadline.start(deadline_ms, 0, [&] {
    late = true;
    loop.stop();
  });
  Timer look(loop);
  look.start(0, 1, [&] {
    if (condition()) loop.stop();
  });
  if (!condition()) loop.run();
  return !late;
}

// Handles everything that is due, to check that an event does *not* happen.
inline void run_some(Loop& loop, int rounds = 20) {
  int left = rounds;
  run_until(loop, [&] { return left-- == 0; });
}

}  // namespace sail
