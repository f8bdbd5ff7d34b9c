// Adaptive timeout of a swap barrier for a silent member: a multiple of the longest recent wait of
// a frame for its last member. A wall whose receivers keep pace soon continues without a stalled
// one; a busy wall does not lose synchronisation at each pause. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sail/core/routing/swap_barrier.h"

namespace sail {

class AdaptiveTimeout {
 public:
  // Longer than a TCP retransmission takes.
  static constexpr int64_t kShortestNs = 250'000'000;

  int64_t ns() const {
    return std::clamp(kTimes * longest_ns_, kShortestNs, SwapBarrier::kLongestTimeoutNs);
  }
  // Reports how long a frame waited.
  void add(int64_t wait_ns) {
    longest_ns_ = std::max(wait_ns, longest_ns_ - longest_ns_ / kRemembered);
  }

 private:
  static constexpr int64_t kTimes = 5;
  static constexpr int64_t kRemembered = 512;  // frames until a peak has decayed to about a third

  int64_t longest_ns_ = SwapBarrier::kLongestTimeoutNs / kTimes;
};

}  // namespace sail
