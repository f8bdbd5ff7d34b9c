// A swap barrier: a frame is swapped when every member holds it. One of a routing map (one stream,
// one epoch) has its receivers as members; one of a group has its streams, and frames are the
// instants at which they are to be seen. Pure; times in steady ns. Once it is made, nothing here
// but join() takes memory.
//
// A member reports its frames in order, so a member that reports n + 1 without n never will have n:
// such a frame is dropped for all. A member that keeps a frame waiting for longer than the others
// have patience, and reports no other all the while, is left behind, and so is one that is cut off
// or lost. One that reports again within kBarrierTimeoutMs was slow, and counts again at once. Any
// other is not waited for until it has a frame which the others have not gone past, or has come too
// late with several: then it is slow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/wire/limits.h"

namespace sail {

class SwapBarrier {
 public:
  static constexpr int64_t kLongestPatienceNs = int64_t{kBarrierTimeoutMs} * 1'000'000;

  // Members are the numbers of their connections.
  SwapBarrier(uint64_t epoch, std::span<const uint32_t> members);

  enum class Arrival {
    kIgnored,  // from a stranger, or not newer than this member's last one
    kCounted,
    kLate,     // of the frame that went last, from a member that it did not wait for
    kTooLate,  // of an older one
  };
  Arrival ready(uint32_t member, uint64_t frame, int64_t now_ns);
  // What it held is lost, and it begins anew.
  void lose(uint32_t member);
  // It is left behind from the beginning, since it stands still.
  void pass_over(uint32_t member);
  // The member showed the frame or dropped it.
  void ended(uint32_t member, uint64_t frame);
  // Leaves behind who lets a frame wait for so long in silence: how many.
  int expire(int64_t now_ns, int64_t patience_ns = kLongestPatienceNs);
  // Nothing gets to it: it is left behind if a frame waits for it, whether for long or not.
  void cut_off(uint32_t member, int64_t now_ns);
  // Whether the others do not wait for it any more, or have a frame that they wait for in silence
  // of it too long already.
  bool absent(uint32_t member, int64_t now_ns) const;
  bool left_behind(uint32_t member) const;
  // It was left behind though its connection is there.
  bool stands_still(uint32_t member) const;
  // Whether anybody is waited for.
  bool any_counts() const;
  // There is nobody who could hold a frame.
  bool all_lost() const;
  // Since when the oldest frame waits for a member.
  std::optional<int64_t> waits_since_ns() const;
  // How long at most a frame has waited for the last member to hold it, left behind meanwhile or
  // not, since this was asked last. Nothing: no frame came to be whole.
  std::optional<int64_t> take_longest_wait() { return std::exchange(longest_wait_ns_, {}); }

  // The newest frame that all members that count hold.
  std::optional<uint64_t> due() const;
  // The oldest of those after that one.
  std::optional<uint64_t> first_whole(uint64_t after) const;
  // It goes: it and all older ones are settled by this.
  void take(uint64_t frame);
  // Whether that one is to go to this member, too, which was not left behind by then.
  bool goes_to(uint32_t member, uint64_t frame) const;
  // It does not go to this member with the others, but by itself.
  void take_for(uint32_t member, uint64_t frame);
  // They never go: it and all older ones.
  void drop(uint64_t frame);
  // The newest frame of that member which is behind the others; beyond it nothing is settled.
  // Nothing: no member counts.
  std::optional<uint64_t> slowest() const;
  // Whether all members that count have done with the frame that went last.
  bool all_ended() const;

  // How long the others waited for this member, a frame, since the last call; and how often it was
  // left behind.
  struct HeldUp {
    double mean_ms = 0;
    uint64_t left_behind = 0;
  };
  HeldUp take_held_up(uint32_t member);
  // Of all members, for the next call.
  void begin_held_up() { completed_ = 0; }

  // Another member, which counts from its first report on, or from now.
  void join(uint32_t member, bool counts, int64_t now_ns);
  void leave(uint32_t member);
  // It counts, though it was left behind.
  void wait_for(uint32_t member);

  uint64_t epoch() const { return epoch_; }
  // The frame that went last; 0: none.
  uint64_t gone() const { return gone_; }
  bool has(uint32_t member) const;
  // None: nobody shows the stream.
  bool empty() const { return members_.empty(); }

 private:
  struct Member {
    uint32_t number = 0;
    uint64_t newest = 0;                // frame it reported last
    uint64_t ended = 0;                 // and had done with
    uint64_t told = 0;                  // to show
    int64_t heard_ns = INT64_MIN / 2;   // never
    int64_t missed_ns = INT64_MIN / 2;  // since when a frame waited that it was left behind for
    int passed = 0;                     // frames that it came too late with since
    bool left_behind = false;
    bool lost = false;       // its connection, and nothing came since
    uint64_t held = 0;       // bit i: it holds waiting_[i]
    int64_t held_up_ns = 0;  // the others, since take_held_up()
    uint64_t times_left_behind = 0;
  };
  struct Waiting {
    uint64_t frame = 0;
    int64_t since_ns = 0;
  };
  static constexpr int kMostPassed = 8;
  Member* find(uint32_t number);
  const Member* find(uint32_t number) const;
  bool keeps_waiting(const Member& member, size_t slot, int64_t now_ns, int64_t patience_ns) const;
  void waited(int64_t wait_ns) {
    longest_wait_ns_ = std::max(longest_wait_ns_.value_or(0), wait_ns);
  }
  void leave_behind(Member& member);
  bool expire(Member& member, int64_t now_ns, int64_t patience_ns);
  size_t slot_of(uint64_t frame, int64_t now_ns);
  bool complete(size_t slot) const;
  bool hopeless(size_t slot) const;
  void drop_hopeless();
  void erase(size_t slot);

  uint64_t epoch_;
  std::vector<Member> members_;
  std::vector<Waiting> waiting_;  // oldest first, at most kMaxFramesInFlight
  uint64_t gone_ = 0;             // the frame that went last
  uint64_t completed_ = 0;        // frames, since begin_held_up()
  std::optional<int64_t> longest_wait_ns_;
};

}  // namespace sail
