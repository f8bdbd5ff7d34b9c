// Whether nothing gets to a receiver's machine any more. Its system acknowledges what comes, though
// the receiver stands still or all processors are busy. So where nothing is acknowledged, the link
// is down or the machine is, and nobody needs patience with it. Pure; times in steady ns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "sail/net/tcp.h"
#include "sail/wall/swap_barrier.h"

namespace sail {

class LinkSilence {
 public:
  // Beyond a round trip: longer than systems put acknowledgements off.
  static constexpr int64_t kShortestNs = 100'000'000;

  void look(const TcpCounts& counts, int64_t now_ns) {
    const bool goes_on = std::exchange(acknowledged_, counts.acknowledged) != counts.acknowledged;
    if (!counts.unacknowledged) {
      since_ns_.reset();
    } else if (goes_on || !since_ns_) {
      since_ns_ = now_ns;  // what is on its way may be new
    } else {
      since_ns_ = std::max(*since_ns_, now_ns - 1000 * counts.heard_us_ago);
    }
    const int64_t silent_ns = since_ns_ ? now_ns - *since_ns_ : 0;
    longest_ns_ -= longest_ns_ / kRemembered;
    // A longer one is no habit of the link's.
    const bool ended = silent_ns < silent_ns_ && silent_ns_ < SwapBarrier::kLongestPatienceNs;
    if (ended) longest_ns_ = std::max(longest_ns_, silent_ns_);
    silent_ns_ = silent_ns;
    const int64_t answer_ns = 1000 * (2 * counts.round_trip_us + 4 * counts.jitter_us);
    limit_ns_ = std::min(std::max(kShortestNs + answer_ns, kTimes * longest_ns_),
                         SwapBarrier::kLongestPatienceNs);
  }
  // Far longer than it lately was before the link went on.
  bool too_long() const { return silent_ns_ >= limit_ns_; }

 private:
  static constexpr int64_t kTimes = 2;
  static constexpr int64_t kRemembered = 512;  // looks, until a peak has faded to a third

  std::optional<int64_t> since_ns_;  // something is on its way, and nothing was heard
  uint64_t acknowledged_ = 0;
  int64_t silent_ns_ = 0;
  int64_t longest_ns_ = 0;  // that ended
  int64_t limit_ns_ = kShortestNs;
};

}  // namespace sail
