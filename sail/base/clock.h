// Time. "Wall time" is the manager's steady clock in nanoseconds: the one clock of the whole wall.
// It has no relation to the date; only differences mean something.
#pragma once

#include <cstdint>
#include <deque>

namespace sail {

constexpr int64_t kSecondNs = 1'000'000'000;

// This machine's steady clock, ns. Never goes back. Any thread.
int64_t steady_now_ns();

// Estimates how far the manager's clock is ahead of ours from request/response exchanges: of the
// exchanges in the last window the one with the smallest round trip bounds the error by half that
// round trip (the testing framework of the InTENSity PowerWall, 2000; the rule of NTP, RFC 5905).
// Single-threaded; pure.
class ClockSync {
 public:
  // Our clock when the request left, the manager's clock in the reply, our clock at its arrival.
  void add(int64_t sent_ns, int64_t manager_ns, int64_t received_ns);

  bool synchronised() const { return !samples_.empty(); }
  // manager clock − our clock; 0 before the first sample.
  int64_t offset_ns() const;
  // Half of the smallest round trip: the bound of the error.
  int64_t error_ns() const;

 private:
  struct Sample {
    int64_t round_trip_ns;
    int64_t offset_ns;
  };
  const Sample* best() const;

  std::deque<Sample> samples_;  // the last kWindow
};

}  // namespace sail
