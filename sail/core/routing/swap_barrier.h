// A swap barrier: a frame is released for display once every member holds it. The barrier of a
// routing map (one stream, one epoch) has receivers as members. The barrier of a group has streams
// as members, and its frames are presentation times. Pure; times are steady ns. After construction
// only join() allocates.
//
// Members report frames in order, so a member that reports n + 1 without n will never have n: frame
// n is dropped for all. A member that delays a frame for longer than the timeout without reporting
// any other frame is left behind: the barrier no longer waits for it. The same applies to a member
// that is unreachable or lost. If it reports again within kBarrierTimeoutMs, it was only slow and
// counts again at once. Otherwise it counts again when it reports a frame not older than the last
// released one, or after kMostPassed older frames: then it is merely slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"

namespace sail {

class SwapBarrier {
 public:
  static constexpr int64_t kLongestTimeoutNs = int64_t{kBarrierTimeoutMs} * 1'000'000;

  // members: connection numbers.
  SwapBarrier(uint64_t epoch, std::span<const uint32_t> members);

  enum class Arrival {
    kIgnored,  // not a member, or not newer than the member's last report
    kCounted,
    kLate,     // the last released frame, from a member that was not waited for
    kTooLate,  // an older frame
  };
  Arrival ready(uint32_t member, uint64_t frame, int64_t now_ns);
  // The member's connection is lost, and with it all frames that it held.
  void lose(uint32_t member);
  // Leaves a stalled member behind from the start.
  void pass_over(uint32_t member);
  // The member showed or dropped the frame.
  void ended(uint32_t member, uint64_t frame);
  // Leaves behind members that have delayed a frame in silence for wait_timeout_ns; returns how
  // many.
  int expire(int64_t now_ns, int64_t wait_timeout_ns = kLongestTimeoutNs);
  // The member is unreachable: leaves it behind if a frame waits for it, however short the wait.
  void mark_unreachable(uint32_t member, int64_t now_ns);
  // Whether the member is left behind, or has delayed a frame in silence for kLongestTimeoutNs.
  bool absent(uint32_t member, int64_t now_ns) const;
  bool left_behind(uint32_t member) const;
  // Whether the member is left behind although its connection is up.
  bool is_stalled(uint32_t member) const;
  // Whether any member is waited for.
  bool any_counts() const;
  // Whether no member can hold a frame.
  bool all_lost() const;
  // Since when the oldest incomplete frame waits for a member.
  std::optional<int64_t> waits_since_ns() const;
  // Longest wait of a frame for its last member since the last call, including members left behind
  // meanwhile. Empty optional: no frame was completed.
  std::optional<int64_t> take_longest_wait() { return std::exchange(longest_wait_ns_, {}); }

  // The newest frame that all waited-for members hold.
  std::optional<uint64_t> due() const;
  // The oldest frame after `after` that all waited-for members hold.
  std::optional<uint64_t> first_complete(uint64_t after) const;
  // Releases the frame. It and all older frames are settled.
  void take(uint64_t frame);
  // Whether the frame is released to this member; not if it was left behind at that time.
  bool goes_to(uint32_t member, uint64_t frame) const;
  // Releases the frame to this member alone.
  void take_for(uint32_t member, uint64_t frame);
  // A member that was left behind with frames which the others have passed, and the newest of these
  // frames. Each is returned once; empty optional: none.
  struct Passed {
    uint32_t member = 0;
    uint64_t frame = 0;
  };
  std::optional<Passed> take_passed();
  // Drops this frame and all older ones.
  void drop(uint64_t frame);
  // The newest frame of the slowest waited-for member; newer frames are unsettled. Empty optional:
  // no member is waited for.
  std::optional<uint64_t> slowest() const;
  // Whether all waited-for members have shown or dropped the last frame released to them.
  bool all_ended() const;

  // How long the others waited for this member per frame since the last call, and how often it was
  // left behind in total.
  struct HeldUp {
    double mean_ms = 0;
    uint64_t left_behind = 0;
  };
  HeldUp take_held_up(uint32_t member);
  // Starts a new interval for all members; call after take_held_up() of each.
  void begin_held_up() { completed_ = 0; }

  // Adds a member. `counts`: it is waited for at once, else from its first report on.
  void join(uint32_t member, bool counts, int64_t now_ns);
  void leave(uint32_t member);
  // Waits for a member again that was left behind.
  void wait_for(uint32_t member);

  uint64_t epoch() const { return epoch_; }
  // The last released frame; 0: none.
  uint64_t last_released() const { return last_released_; }
  bool has(uint32_t member) const;
  // Whether there are no members: no receiver shows the stream.
  bool empty() const { return members_.empty(); }

 private:
  struct Member {
    uint32_t number = 0;
    uint64_t newest = 0;                  // last reported frame
    uint64_t ended = 0;                   // newest frame shown or dropped
    uint64_t released = 0;                // newest frame released to the member
    int64_t reported_ns = INT64_MIN / 2;  // time of the last report; default: never
    int64_t missed_ns = INT64_MIN / 2;    // start of the wait for which it was left behind
    int passed = 0;                       // late frames since it was left behind
    bool left_behind = false;
    bool lost = false;       // connection lost and no report since
    uint64_t held = 0;       // bit i: holds waiting_[i]
    int64_t held_up_ns = 0;  // wait caused to others since take_held_up()
    uint64_t times_left_behind = 0;
  };
  struct Waiting {
    uint64_t frame = 0;
    int64_t since_ns = 0;
  };
  static constexpr int kMostPassed = 8;
  Member* find(uint32_t number);
  const Member* find(uint32_t number) const;
  bool keeps_waiting(const Member& member, size_t slot, int64_t now_ns,
                     int64_t wait_timeout_ns) const;
  void waited(int64_t wait_ns) {
    longest_wait_ns_ = std::max(longest_wait_ns_.value_or(0), wait_ns);
  }
  void leave_behind(Member& member);
  bool expire(Member& member, int64_t now_ns, int64_t wait_timeout_ns);
  size_t slot_of(uint64_t frame, int64_t now_ns);
  bool complete(size_t slot) const;
  bool cannot_complete(size_t slot) const;
  void drop_incomplete();
  void erase(size_t slot);

  uint64_t epoch_;
  std::vector<Member> members_;
  std::vector<Waiting> waiting_;  // oldest first, at most kMaxFramesInFlight
  uint64_t last_released_ = 0;    // last released frame
  uint64_t completed_ = 0;        // completed frames since begin_held_up()
  std::optional<int64_t> longest_wait_ns_;
};

// How long a barrier waits for a silent member: a multiple of the longest recent wait of a frame
// for its last member. A wall whose receivers keep pace soon continues without a stalled one; a
// busy wall does not lose synchronisation at each pause.
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
