// Tracks another machine's clock by requests that the other machine answers with its time.
//
// Each exchange bounds the offset: the other clock was read between our request and its reply, so
// the time at the middle is wrong by at most half the round trip, however asymmetric the path is
// (RFC 5905). Only the newest exchange counts, and those with the shortest round trip, one per few
// seconds for some minutes (as on the InTENSity PowerWall, 2000). Two exchanges bound the drift.
// With the drift bounded, all exchanges together bound the current offset. The estimate is a line
// through the exchanges, weighted by their uncertainty and kept within these bounds. Older
// exchanges that contradict later ones are dropped. If all contradict, one of the two clocks
// jumped.
//
// Without exchanges the line continues and its error bound grows with the uncertainty of the drift:
// 500 ppm if never measured, else the uncertainty of the measurement plus 2 ppm.
//
// Single-threaded; pure: times are arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "sail/core/time/clock_line.h"

namespace sail {

class ClockSync {
 public:
  // Adds an exchange: our clock when the request was sent, the other clock in the reply, our clock
  // when the reply arrived. Returns how far the other clock jumped if it lies outside the error
  // bound by more than a millisecond, else an empty optional.
  std::optional<int64_t> add(int64_t sent_ns, int64_t remote_ns, int64_t received_ns);
  // The next exchanges may be with another clock. If that clock agrees with the estimate of the
  // former one, time continues without a jump.
  void begin_session(int64_t now_ns);

  const ClockLine& line() const { return line_; }
  // The last exchange: its round trip, and our clock when the reply arrived; 0 before the first.
  int64_t round_trip_ns() const { return round_trip_ns_; }
  int64_t last_exchange_ns() const { return last_exchange_ns_; }

 private:
  // The true offset was within half_ns of offset_ns.
  struct Sample {
    int64_t at_ns;
    int64_t offset_ns;
    int64_t half_ns;
  };
  struct Range {
    double least;
    double most;
    bool empty() const { return least > most; }
  };
  Range drifts() const;
  // Range of the offset, relative to that of the newest sample.
  Range offsets_at(int64_t now_ns, const Range& rates) const;
  bool agree() const;
  void thin_out();
  void make_line(int64_t now_ns, int64_t most_ns);
  void fit(int64_t now_ns, double& offset_ns, double& drift) const;

  std::deque<Sample> samples_;  // oldest first
  double former_drift_ = 0;     // drift before the session or the last jump
  ClockLine line_;
  int64_t round_trip_ns_ = 0;
  int64_t last_exchange_ns_ = 0;
};

}  // namespace sail
