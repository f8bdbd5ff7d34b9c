// Rules for connections that are made again after a loss: when they count as lost, and how long to
// wait before the next attempt. Once the network is back, the next attempt begins within 2 s. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sail/core/text/limits.h"

namespace sail {

// The kernel of a machine that is reached answers at once, however slow the machine. An attempt
// that began while the network was cut sends again only after 1, 3 and 7 s. See
// TcpConnection::ConnectOptions::reach_ms.
constexpr int64_t kReachMs = 2000;

// Pauses between attempts to connect, doubling.
class ReconnectPause {
 public:
  static constexpr int64_t kLongestMs = 1000;

  explicit ReconnectPause(int64_t first_ms) : first_ms_(first_ms), next_ms_(first_ms) {}
  // Returns the pause before the next attempt.
  int64_t take_ms() { return std::exchange(next_ms_, std::min(2 * next_ms_, kLongestMs)); }
  // Call this when the peer answers again.
  void restart() { next_ms_ = first_ms_; }

 private:
  int64_t first_ms_;
  int64_t next_ms_;
};

// Detects that the peer reads nothing, or that nothing reaches it: written bytes do not drain.
// After a long silence TCP itself sends again only after many seconds. Times are steady ns.
class StalledWrites {
 public:
  void begin(int64_t now_ns) {
    written_ = drained_ = 0;
    drained_at_ns_ = now_ns;
  }
  void add(size_t bytes) { written_ += bytes; }
  // unsent: see TcpConnection::unsent_bytes(). Returns true if none has drained for
  // kStallTimeoutMs.
  bool too_long(size_t unsent, int64_t now_ns) {
    const size_t drained = written_ - std::min(unsent, written_);
    if (drained != drained_ || unsent == 0) {
      drained_ = drained;
      drained_at_ns_ = now_ns;
    }
    return now_ns - drained_at_ns_ > int64_t{1'000'000} * kStallTimeoutMs;
  }

 private:
  size_t written_ = 0;
  size_t drained_ = 0;
  int64_t drained_at_ns_ = 0;
};

}  // namespace sail
