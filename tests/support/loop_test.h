// Runs a loop until something has happened: tests wait for conditions, never for times.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/net/loop.h"

namespace sail {

// Sanitizers and a busy machine make everything slow; whatever takes this long does not happen.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int64_t kTestDeadlineMs = 120'000;
#else
constexpr int64_t kTestDeadlineMs = 20'000;
#endif

// True when the condition came true in time.
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

// Lets everything happen that is due: for what must *not* come.
inline void run_some(Loop& loop, int rounds = 20) {
  int left = rounds;
  run_until(loop, [&] { return left-- == 0; });
}

}  // namespace sail
