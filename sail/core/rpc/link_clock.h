// Wall time of a manager link: the manager's clock, or this machine's own clock if the manager says
// that all machines use theirs. It exchanges times with the manager in both cases and so detects a
// wrong system clock; while that clock is wrong, wall time is the manager's clock. Logs jumps of
// wall time. Single-threaded; times are arguments.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sail/core/base/log.h"
#include "sail/core/time/clock_sync.h"
#include "sail/core/time/system_clock.h"
#include "sail/core/wire/stats.h"

namespace sail {

class LinkClock {
 public:
  explicit LinkClock(Log log) : log_(std::move(log)) {}

  // Starts a session with a manager that uses this clock source. A non-empty `name` equal to the
  // previous one means the same clock; otherwise the manager's clock is another one.
  void begin_session(ClockSource source, const std::string& name, int64_t now_ns);
  // Adds one time exchange, see ClockSync.
  void add(int64_t sent_ns, int64_t remote_ns, int64_t received_ns);
  void add(const SystemClockReading& reading);

  // Converts steady time to the present wall time: the manager's clock or the system's clock.
  const ClockLine& line() const { return line_; }
  ClockStats stats(int64_t now_ns) const;

 private:
  int64_t offset_ns(int64_t now_ns) const;
  void compare(int64_t now_ns);
  void choose_line();

  Log log_;
  ClockSource source_ = ClockSource::kManager;
  std::string name_;
  ClockSync sync_;
  SystemClock system_;
  ClockLine line_;
  bool unset_logged_ = false;
  bool apart_ = false;  // this machine's clock differs from the manager's
};

}  // namespace sail
