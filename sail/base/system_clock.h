// The system's clock, CLOCK_REALTIME, as the wall's: what its daemon (chrony, NTP, PTP) makes of
// it, with the error that this tells the kernel (adjtimex).
#pragma once

#include <cstdint>
#include <optional>

#include "sail/base/clock_line.h"

namespace sail {

// Whose clock wall time is.
enum class ClockSource { kManager, kSystem };

struct SystemClockReading {
  int64_t steady_ns = 0;
  int64_t system_ns = 0;
  int64_t read_error_ns = 0;  // the two were not read at once
  int64_t max_error_ns = 0;   // as told: bound of the error against UTC, or whatever it is set by
  bool synchronised = false;  // somebody sets it, and says so
};
// Any thread.
SystemClockReading read_system_clock();

// Follows it by readings, once a second or so. Single-threaded; pure.
class SystemClock {
 public:
  // How far it was set, when that was so much that time jumps.
  std::optional<int64_t> add(const SystemClockReading& reading);
  const ClockLine& line() const { return line_; }
  bool synchronised() const { return synchronised_; }

 private:
  ClockLine line_;
  bool synchronised_ = false;
};

}  // namespace sail
