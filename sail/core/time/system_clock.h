// The system clock, CLOCK_REALTIME, as the source of wall time: disciplined by a daemon (chrony,
// NTP, PTP), with the error that the daemon reports to the kernel (adjtimex).
#pragma once

#include <cstdint>
#include <optional>

#include "sail/core/time/clock_line.h"

namespace sail {

// The clock that defines wall time.
enum class ClockSource { kManager, kSystem };

struct SystemClockReading {
  int64_t steady_ns = 0;
  int64_t system_ns = 0;
  int64_t read_error_ns = 0;  // error because the clocks are not read at the same instant
  int64_t max_error_ns = 0;   // as reported: error bound against its reference (UTC)
  bool synchronised = false;  // by a daemon, as the kernel reports
};
// Any thread.
SystemClockReading read_system_clock();

// Tracks the system clock from readings about once a second. Single-threaded; pure.
class SystemClock {
 public:
  // Returns by how much the clock was set if that makes time jump, else an empty optional.
  std::optional<int64_t> add(const SystemClockReading& reading);
  const ClockLine& line() const { return line_; }
  bool synchronised() const { return synchronised_; }

 private:
  ClockLine line_;
  bool synchronised_ = false;
};

}  // namespace sail
