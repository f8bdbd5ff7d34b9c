#include "sail/core/time/system_clock.h"

#include <sys/timex.h>
#include <time.h>

#include <cstdlib>

#include "sail/core/time/clock.h"
#include "sail/core/time/clock_line.h"

namespace sail {
namespace {

constexpr int64_t kNsPerUs = 1000;
// The kernel's own value while nothing disciplines the clock.
constexpr int64_t kUnsetErrorNs = 16 * kSecondNs;

int64_t realtime_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * kSecondNs + now.tv_nsec;
}

}  // namespace

SystemClockReading read_system_clock() {
  SystemClockReading best{.read_error_ns = kSecondNs, .max_error_ns = kUnsetErrorNs};
  // Three attempts: the thread may be preempted between the readings.
  for (int i = 0; i < 3; ++i) {
    const int64_t before_ns = steady_now_ns();
    const int64_t system_ns = realtime_ns();
    const int64_t half_ns = (steady_now_ns() - before_ns) / 2;
    if (half_ns >= best.read_error_ns) continue;
    best.steady_ns = before_ns + half_ns;
    best.system_ns = system_ns;
    best.read_error_ns = half_ns;
  }
  timex kernel{};  // no modes: read only
  const int state = adjtimex(&kernel);
  if (state >= 0) {
    best.max_error_ns = kernel.maxerror * kNsPerUs;
    best.synchronised = state != TIME_ERROR && (kernel.status & STA_UNSYNC) == 0;
  }
  return best;
}

std::optional<int64_t> SystemClock::add(const SystemClockReading& reading) {
  synchronised_ = reading.synchronised;
  // The kernel runs both clocks at one rate, so drift is 0; the error grows as the kernel's bound.
  ClockLine line{.known = true,
                 .steady_ns = reading.steady_ns,
                 .offset_ns = reading.system_ns - reading.steady_ns,
                 .error_ns = reading.max_error_ns + reading.read_error_ns + 1,
                 .doubt = kMostDrift};
  const int64_t set_ns = reading.system_ns - line_.to_wall_ns(reading.steady_ns);
  const bool gently = line.continue_from(line_, kUnseenJumpNs);
  line_ = line;
  return gently ? std::nullopt : std::optional(set_ns);
}

}  // namespace sail
