// Wall time as a link to the manager knows it: by the manager's clock, or by this machine's own,
// where the manager says that all go by their systems' clocks. It exchanges times with the manager
// in either case, and so finds a machine whose clock is set otherwise: as long as it is, that one
// goes by the manager's, since what is shown an hour late is not shown at all. Tells the log when
// time jumps. Single-threaded; times come as arguments.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sail/base/clock_sync.h"
#include "sail/base/log.h"
#include "sail/base/system_clock.h"
#include "sail/wire/stats.h"

namespace sail {

class LinkClock {
 public:
  explicit LinkClock(Log log) : log_(std::move(log)) {}

  // The manager of this connection goes by that clock. It may be another manager, and then is
  // another clock unless both have told that name of theirs.
  void begin_session(ClockSource source, const std::string& name, int64_t now_ns);
  // An exchange, as ClockSync has it.
  void add(int64_t sent_ns, int64_t told_ns, int64_t received_ns);
  void add(const SystemClockReading& reading);

  // Of the source that counts.
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
  bool unset_said_ = false;
  bool apart_ = false;  // this machine's clock is not the manager's
};

}  // namespace sail
