// Follows another machine's clock by exchanges: we ask, it tells its time, the answer comes.
//
// Each exchange bounds the offset: the clock was read between our question and the answer, so half
// the round trip is the most that the middle of it can be wrong, however lopsided the ways there
// and back are (RFC 5905). What counts are the quickest exchanges, one of each few seconds for some
// minutes (as on the InTENSity PowerWall, 2000). Two of them bound the drift, and with that all of
// them bound the offset now. The estimate is a line through them, weighted by how doubtful each is,
// and never out of these bounds. Exchanges that contradict later ones are dropped: when all do, the
// other clock jumped, or ours did.
//
// Without exchanges the line goes on, and the bound of its error grows by what the drift may still
// be: 100 ppm when it was never measured, otherwise what the measurement left open and 2 ppm.
//
// Single-threaded; pure: times come as arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "sail/base/clock_line.h"

namespace sail {

class ClockSync {
 public:
  // Our clock when the question left, the other clock in the answer, our clock at its arrival.
  // When the other clock is further than its bound from where it was told to be: how far; less
  // than a millisecond is passed over.
  std::optional<int64_t> add(int64_t sent_ns, int64_t told_ns, int64_t received_ns);
  // From now on it may be another clock. When it agrees with what was known of the former one,
  // nobody notices.
  void begin_session(int64_t now_ns);

  const ClockLine& line() const { return line_; }
  // Of the last exchange: how long it took, and our clock at its end; 0 before the first.
  int64_t round_trip_ns() const { return round_trip_ns_; }
  int64_t heard_ns() const { return heard_ns_; }

 private:
  // The offset was no further from this than half_ns.
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
  // Of the offset − that of the newest sample.
  Range offsets_at(int64_t now_ns, const Range& rates) const;
  bool agree() const;
  void thin_out();
  void make_line(int64_t now_ns, int64_t most_ns);
  void fit(int64_t now_ns, double& offset_ns, double& drift) const;

  std::deque<Sample> samples_;  // oldest first
  double former_drift_ = 0;     // before the session, or the last jump
  ClockLine line_;
  int64_t round_trip_ns_ = 0;
  int64_t heard_ns_ = 0;
};

}  // namespace sail
