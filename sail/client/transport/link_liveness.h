// Detects that a receiver's machine is unreachable. Its kernel acknowledges data even if the
// receiver is stalled or all CPUs are busy. So without acknowledgements the link or the machine is
// down, and no longer timeout is needed. Pure; times are steady ns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "sail/core/routing/swap_barrier.h"
#include "sail/core/socket/tcp.h"

namespace sail {

class LinkLiveness {
 public:
  // In addition to the round trip. Kernels delay acknowledgements by 40 ms if the program does not
  // read.
  static constexpr int64_t kShortestNs = 60'000'000;

  void update(const TcpCounts& counts, int64_t now_ns) {
    const bool goes_on = std::exchange(acknowledged_, counts.acknowledged) != counts.acknowledged;
    if (!counts.unacknowledged) {
      since_ns_.reset();
    } else if (goes_on || !since_ns_) {
      // The data in flight may be as new as the last that was sent.
      since_ns_ = now_ns - 1000 * std::min(counts.heard_us_ago, counts.sent_us_ago);
    } else {
      since_ns_ = std::max(*since_ns_, now_ns - 1000 * counts.heard_us_ago);
    }
    const int64_t silent_ns = since_ns_ ? now_ns - *since_ns_ : 0;
    longest_ns_ -= longest_ns_ / kRemembered;
    // A longer silence is an outage and says nothing about the usual silences of the link.
    const bool ended = silent_ns < silent_ns_ && silent_ns_ < SwapBarrier::kLongestTimeoutNs;
    if (ended) longest_ns_ = std::max(longest_ns_, silent_ns_);
    silent_ns_ = silent_ns;
    const int64_t answer_ns = 1000 * (2 * counts.round_trip_us + 4 * counts.jitter_us);
    const int64_t shortest_ns = kShortestNs + 2000 * counts.shortest_round_trip_us;
    limit_ns_ = std::min(std::max({shortest_ns, answer_ns, kTimes * longest_ns_}),
                         SwapBarrier::kLongestTimeoutNs);
  }
  // Returns true if the silence is far longer than recent ones that ended.
  bool too_long() const { return silent_ns_ >= limit_ns_; }
  // Returns true if nothing was heard for a while: the link may be down.
  bool silent() const { return silent_ns_ >= kSilentNs; }

 private:
  static constexpr int64_t kSilentNs = 20'000'000;
  static constexpr int64_t kTimes = 2;
  static constexpr int64_t kRemembered = 512;  // calls until a peak decays to a third

  // Start of the current silence; empty if no data is in flight.
  std::optional<int64_t> since_ns_;
  uint64_t acknowledged_ = 0;
  int64_t silent_ns_ = 0;
  int64_t longest_ns_ = 0;  // longest silence that ended, decaying
  int64_t limit_ns_ = kShortestNs;
};

}  // namespace sail
