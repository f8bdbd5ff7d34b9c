// How long a swap barrier waits for a member that says nothing: several times as long as frames
// waited lately for the last of its members, so that a wall whose receivers keep step soon goes on
// without one that stands still, and a busy one does not lose step over each pause. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sail/wall/swap_barrier.h"

namespace sail {

class Patience {
 public:
  // Longer than TCP takes to send again what was lost.
  static constexpr int64_t kShortestNs = 250'000'000;

  int64_t ns() const {
    return std::clamp(kTimes * longest_ns_, kShortestNs, SwapBarrier::kLongestPatienceNs);
  }
  // A frame waited so long.
  void add(int64_t wait_ns) {
    longest_ns_ = std::max(wait_ns, longest_ns_ - longest_ns_ / kRemembered);
  }

 private:
  static constexpr int64_t kTimes = 5;
  static constexpr int64_t kRemembered = 512;  // frames, until a peak has faded to a third

  int64_t longest_ns_ = SwapBarrier::kLongestPatienceNs / kTimes;
};

}  // namespace sail
