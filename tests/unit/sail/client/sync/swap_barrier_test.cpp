#include "sail/core/routing/swap_barrier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kTimeoutNs = SwapBarrier::kLongestTimeoutNs;
constexpr int64_t kStepNs = kTimeoutNs / 500;
using Arrival = SwapBarrier::Arrival;
using Members = std::vector<uint32_t>;

std::optional<uint64_t> take_due(SwapBarrier& barrier) {
  const auto due = barrier.due();
  if (due) barrier.take(*due);
  return due;
}

TEST(SwapBarrier, GoesWhenAllMembersHoldTheFrame) {
  SwapBarrier barrier(1, Members{1, 2});
  EXPECT_EQ(barrier.ready(1, 1, 0), Arrival::kCounted);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  EXPECT_EQ(barrier.ready(2, 1, 0), Arrival::kCounted);
  EXPECT_EQ(barrier.due(), 1U);
  EXPECT_EQ(take_due(barrier), 1U);
  EXPECT_EQ(barrier.due(), std::nullopt);
  EXPECT_EQ(take_due(barrier), std::nullopt);
}

TEST(SwapBarrier, StrangersAndRepetitionsDoNotCount) {
  SwapBarrier barrier(1, Members{1, 2});
  EXPECT_EQ(barrier.ready(9, 1, 0), Arrival::kIgnored);
  EXPECT_EQ(barrier.ready(1, 1, 0), Arrival::kCounted);
  EXPECT_EQ(barrier.ready(1, 1, 0), Arrival::kIgnored);
  EXPECT_EQ(barrier.ready(1, 0, 0), Arrival::kIgnored);
  EXPECT_EQ(take_due(barrier), std::nullopt);
}

TEST(SwapBarrier, FrameThatOneMemberSkipsIsDroppedForAll) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.ready(2, 2, 0);  // it skipped frame 1
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(1, 2, 0);
  EXPECT_EQ(take_due(barrier), 2U);
}

TEST(SwapBarrier, WhoIsCutOffIsLeftBehindOnceAFrameWaitsForIt) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.mark_unreachable(2, 0);
  EXPECT_FALSE(barrier.left_behind(2));
  barrier.ready(1, 1, 0);
  EXPECT_EQ(barrier.waits_since_ns(), 0);
  barrier.mark_unreachable(1, kStepNs);
  barrier.mark_unreachable(2, kStepNs);
  EXPECT_FALSE(barrier.left_behind(1)) << "it has the frame";
  EXPECT_TRUE(barrier.is_stalled(2));
  EXPECT_EQ(barrier.waits_since_ns(), std::nullopt);
  EXPECT_EQ(take_due(barrier), 1U);
  EXPECT_EQ(barrier.ready(2, 1, kTimeoutNs - 1), Arrival::kLate);
  EXPECT_FALSE(barrier.left_behind(2)) << "it was slow";
}

TEST(SwapBarrier, NewestCompleteFrameGoesAndOlderOnesAreSettled) {
  SwapBarrier barrier(1, Members{1, 2});
  for (uint64_t frame = 1; frame <= 3; ++frame) barrier.ready(1, frame, 0);
  for (uint64_t frame = 1; frame <= 2; ++frame) barrier.ready(2, frame, 0);
  EXPECT_EQ(take_due(barrier), 2U);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(2, 3, 0);
  EXPECT_EQ(take_due(barrier), 3U);
}

TEST(SwapBarrier, MemberWhoseConnectionIsLostIsNotWaitedForUntilItIsBack) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.lose(2);
  EXPECT_EQ(take_due(barrier), 1U);
  EXPECT_EQ(barrier.take_held_up(2).left_behind, 1U);
  // It gets the newest frame again, and counts from then on.
  EXPECT_EQ(barrier.ready(2, 1, 0), Arrival::kLate);
  barrier.ready(1, 2, 0);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(2, 2, 0);
  EXPECT_EQ(take_due(barrier), 2U);
}

TEST(SwapBarrier, FramesOfAMemberThatIsLostAreForgotten) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.lose(1);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  EXPECT_EQ(barrier.expire(10 * kTimeoutNs), 0);  // nothing is waiting any more
  barrier.ready(2, 1, 0);
  EXPECT_EQ(take_due(barrier), 1U);
}

TEST(SwapBarrier, KnowsWhenAllHaveDoneWithWhatWent) {
  SwapBarrier barrier(1, Members{1, 2});
  EXPECT_TRUE(barrier.all_ended()) << "nothing went";
  for (const uint32_t member : {1, 2}) barrier.ready(member, 5, 0);
  take_due(barrier);
  barrier.ended(1, 5);
  EXPECT_FALSE(barrier.all_ended());
  barrier.ended(2, 4);
  EXPECT_FALSE(barrier.all_ended());
  barrier.ended(2, 6);
  EXPECT_TRUE(barrier.all_ended());
}

TEST(SwapBarrier, WhoIsLeftBehindHoldsUpNobody) {
  SwapBarrier barrier(1, Members{1, 2});
  for (const uint32_t member : {1, 2}) barrier.ready(member, 5, 0);
  take_due(barrier);
  barrier.ended(1, 5);
  barrier.lose(2);
  EXPECT_TRUE(barrier.all_ended());
}

TEST(SwapBarrier, MemberThatKeepsAFrameWaitingIsLeftBehind) {
  SwapBarrier barrier(1, Members{1, 2, 3});
  barrier.ready(1, 1, 0);
  barrier.ready(2, 1, 10 * kStepNs);
  EXPECT_EQ(barrier.expire(kTimeoutNs - 1), 0);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  EXPECT_EQ(barrier.expire(kTimeoutNs), 1);
  EXPECT_EQ(take_due(barrier), 1U);
  // The next frame does not wait for this member.
  barrier.ready(1, 2, kTimeoutNs);
  barrier.ready(2, 2, kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 2U);
  // The member still gets the decisions.
  EXPECT_TRUE(barrier.has(3));
}

TEST(SwapBarrier, MemberLeftBehindCountsAgainWithItsNextReport) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.expire(kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 1U);
  EXPECT_EQ(barrier.ready(2, 1, kTimeoutNs), Arrival::kLate);
  barrier.ready(1, 2, kTimeoutNs);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(2, 2, kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 2U);
}

TEST(SwapBarrier, WhoWasAwayForLongIsNotWaitedForUntilItKeepsUp) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.expire(kTimeoutNs);
  for (uint64_t frame = 2; frame <= 4; ++frame) barrier.ready(1, frame, kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 4U);
  // It holds frames that the others have passed.
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    EXPECT_EQ(barrier.ready(2, frame, 2 * kTimeoutNs), Arrival::kTooLate);
    barrier.take_for(2, frame);
    EXPECT_TRUE(barrier.left_behind(2));
  }
  barrier.ready(1, 5, 2 * kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 5U);
  EXPECT_TRUE(barrier.goes_to(1, 5));
  EXPECT_FALSE(barrier.goes_to(2, 5)) << "it has not got it";
  barrier.ready(2, 6, 2 * kTimeoutNs);
  EXPECT_FALSE(barrier.left_behind(2));
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(1, 6, 2 * kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 6U);
  EXPECT_TRUE(barrier.goes_to(2, 6));
}

// Otherwise a node that is always slower would never show a frame.
TEST(SwapBarrier, WhoComesTooLateWithEachFrameIsWaitedForInTheEnd) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  barrier.expire(kTimeoutNs);
  for (uint64_t frame = 2; frame <= 8; ++frame) {
    barrier.ready(1, frame, kTimeoutNs);
    EXPECT_EQ(take_due(barrier), frame);
    EXPECT_EQ(barrier.ready(2, frame - 1, 2 * kTimeoutNs), Arrival::kTooLate);
    EXPECT_TRUE(barrier.is_stalled(2));
  }
  barrier.ready(1, 9, 2 * kTimeoutNs);
  EXPECT_EQ(take_due(barrier), 9U);
  EXPECT_EQ(barrier.ready(2, 8, 2 * kTimeoutNs), Arrival::kTooLate);
  EXPECT_FALSE(barrier.left_behind(2));
  barrier.ready(1, 10, 2 * kTimeoutNs);
  EXPECT_EQ(take_due(barrier), std::nullopt) << "it is waited for";
}

// A node with a new connection is not stalled: layouts wait for it.
TEST(SwapBarrier, WhoseConnectionIsLostDoesNotStandStill) {
  SwapBarrier barrier(1, Members{1, 2, 3});
  barrier.lose(2);
  barrier.pass_over(3);
  EXPECT_TRUE(barrier.left_behind(2));
  EXPECT_FALSE(barrier.is_stalled(2));
  EXPECT_TRUE(barrier.is_stalled(3));
}

// Otherwise one slow node would stay out of step.
TEST(SwapBarrier, WhoWasOnlySlowCountsAgainAtOnce) {
  SwapBarrier barrier(1, Members{1, 2});
  barrier.ready(1, 1, 0);
  EXPECT_EQ(barrier.expire(kTimeoutNs / 2, kTimeoutNs / 2), 1);
  barrier.ready(1, 2, kTimeoutNs / 2);
  EXPECT_EQ(take_due(barrier), 2U);
  EXPECT_EQ(barrier.ready(2, 1, kTimeoutNs - 1), Arrival::kTooLate);
  EXPECT_FALSE(barrier.left_behind(2));
  EXPECT_EQ(barrier.take_longest_wait(), kTimeoutNs - 1) << "so it is waited for longer";
  EXPECT_EQ(barrier.take_longest_wait(), std::nullopt);
  barrier.ready(1, 3, kTimeoutNs);
  EXPECT_EQ(take_due(barrier), std::nullopt);
}

// Three frames are in flight, and each takes 400 ms.
TEST(SwapBarrier, MemberThatIsSlowButAliveIsWaitedFor) {
  SwapBarrier barrier(1, Members{1, 2});
  for (uint64_t frame = 1; frame <= 3; ++frame) barrier.ready(1, frame, 0);
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    const auto now_ns = static_cast<int64_t>(frame) * 400 * kStepNs;
    EXPECT_EQ(barrier.expire(now_ns), 0);
    barrier.ready(2, frame, now_ns);
    EXPECT_EQ(take_due(barrier), frame);
  }
  barrier.ready(1, 4, 1200 * kStepNs);
  EXPECT_EQ(barrier.expire(1200 * kStepNs + kTimeoutNs - 1), 0);
  EXPECT_EQ(barrier.expire(1200 * kStepNs + kTimeoutNs), 1);
}

TEST(SwapBarrier, ReportsWithoutEndTakeNoMemory) {
  SwapBarrier barrier(1, Members{1, 2});
  for (uint64_t frame = 1; frame <= 100'000; ++frame) barrier.ready(1, frame, 0);
  EXPECT_EQ(take_due(barrier), std::nullopt);
  barrier.ready(2, 100'000, 0);
  EXPECT_EQ(take_due(barrier), 100'000U);
}

// Reference model of the rules: plain sets, no limits.
class Model {
 public:
  explicit Model(const Members& numbers) {
    for (const uint32_t number : numbers) members_[number];
  }
  void ready(uint32_t number, uint64_t frame, bool counts) {
    Member& member = members_.at(number);
    if (!member.held.empty() && frame <= *member.held.rbegin()) return;
    member.held.insert(frame);
    member.left_behind = !counts;
    drop_passed_over();
  }
  void lose(uint32_t number) { members_.at(number) = {.held = {}, .left_behind = true}; }
  void leave_behind(uint32_t number) { members_.at(number).left_behind = true; }
  bool counts(uint32_t number) const { return !members_.at(number).left_behind; }
  bool all_hold(uint64_t frame) const {
    return std::all_of(members_.begin(), members_.end(), [&](const auto& member) {
      return member.second.left_behind || member.second.held.contains(frame);
    });
  }
  // The newest frame above `gone` that every counting member holds, and none skipped.
  std::optional<uint64_t> due(uint64_t gone) const {
    std::map<uint64_t, int> holders;
    int counting = 0;
    for (const auto& [number, member] : members_) {
      if (member.left_behind) continue;
      ++counting;
      for (const uint64_t frame : member.held) ++holders[frame];
    }
    for (auto it = holders.rbegin(); it != holders.rend() && it->first > gone; ++it) {
      if (it->second == counting && !dropped_.contains(it->first)) return it->first;
    }
    return std::nullopt;
  }

 private:
  struct Member {
    std::set<uint64_t> held;
    bool left_behind = false;
  };
  // A frame skipped by a counting member can never go, even if members leave later.
  void drop_passed_over() {
    for (const auto& [number, holder] : members_) {
      for (const uint64_t frame : holder.held) {
        for (const auto& [other_number, other] : members_) {
          const bool beyond = !other.held.empty() && *other.held.rbegin() > frame;
          if (!other.left_behind && beyond && !other.held.contains(frame)) dropped_.insert(frame);
        }
      }
    }
  }
  std::map<uint32_t, Member> members_;
  std::set<uint64_t> dropped_;
};

// Members receive frames in order, skip some, stop for a while, leave. A frame must go exactly when
// every counting member holds it, in order, and nothing may wait past the timeout.
TEST(SwapBarrierProperty, AgreesWithThePlainRulesAndNeverStops) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
    Members numbers;
    for (uint32_t i = 0; i < 1 + random() % 5; ++i) numbers.push_back(i + 1);
    SwapBarrier barrier(1, numbers);
    Model model(numbers);
    std::map<uint32_t, uint64_t> next;
    for (const uint32_t number : numbers) next[number] = 1;

    int64_t now_ns = 0;
    uint64_t sent = 0;
    uint64_t gone = 0;
    const auto check_due = [&] {
      const auto expected = model.due(gone);
      const auto due = take_due(barrier);
      if (expected) {
        ASSERT_TRUE(due);
        ASSERT_GE(*due, *expected);
      }
      if (!due) return;
      ASSERT_GT(*due, gone);
      ASSERT_TRUE(model.all_hold(*due));
      gone = *due;
    };
    for (int step = 0; step < 300; ++step) {
      now_ns += static_cast<int64_t>(random() % 40) * kStepNs;
      // SAIL is never further ahead than its credits.
      if (sent < gone + kMaxFramesInFlight) ++sent;
      const uint32_t number = numbers[random() % numbers.size()];
      if (chance(2)) {
        barrier.lose(number);
        model.lose(number);
      } else if (next[number] <= sent && !(step % 100 > 60 && number == 1)) {
        if (chance(10)) ++next[number];  // skips a frame
        if (next[number] <= sent) {
          barrier.ready(number, next[number], now_ns);
          const bool counts = !barrier.left_behind(number);
          ASSERT_TRUE(counts || next[number] < gone);
          ASSERT_TRUE(counts || !model.counts(number)) << "nobody who speaks is left behind for it";
          model.ready(number, next[number], counts);
          ++next[number];
        }
      }
      check_due();
      std::map<uint32_t, uint64_t> left;
      for (const uint32_t each : numbers) left[each] = barrier.take_held_up(each).left_behind;
      barrier.expire(now_ns);
      for (const uint32_t each : numbers) {
        if (barrier.take_held_up(each).left_behind == left[each]) continue;
        ASSERT_TRUE(model.counts(each));
        model.leave_behind(each);
      }
      check_due();
      ASSERT_EQ(barrier.due(), std::nullopt);
    }
    // At the end every member gets a last frame: it must go.
    for (const uint32_t number : numbers) {
      barrier.ready(number, sent + 1, now_ns);
      model.ready(number, sent + 1, true);
    }
    check_due();
    EXPECT_EQ(gone, sent + 1);
  }
}

TEST(SwapBarrier, WhoKeptTheOthersWaitingIsKnown) {
  SwapBarrier barrier(1, Members{1, 2});
  for (uint64_t frame = 1; frame <= 10; ++frame) {
    const int64_t now_ns = static_cast<int64_t>(frame) * 100 * kMillisecondNs;
    const bool other_way = frame == 3;
    barrier.ready(other_way ? 2 : 1, frame, now_ns);
    barrier.ready(other_way ? 1 : 2, frame, now_ns + 30 * kMillisecondNs);
    ASSERT_EQ(take_due(barrier), frame);
  }
  EXPECT_DOUBLE_EQ(barrier.take_held_up(1).mean_ms, 3);
  EXPECT_DOUBLE_EQ(barrier.take_held_up(2).mean_ms, 27);
  barrier.begin_held_up();
  EXPECT_DOUBLE_EQ(barrier.take_held_up(2).mean_ms, 0) << "nothing came since";
}

// Frames go within the timeout, whichever members stop.
TEST(SwapBarrierProperty, OneLivingMemberIsEnough) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    SwapBarrier barrier(1, Members{1, 2, 3, 4});
    int64_t now_ns = 0;
    for (uint64_t frame = 1; frame <= 50; ++frame) {
      for (const uint32_t number : {2, 3, 4}) {
        if (random() % 3 == 0) barrier.ready(number, frame, now_ns);
      }
      barrier.ready(1, frame, now_ns);
      now_ns += kTimeoutNs;
      barrier.expire(now_ns);
      const auto due = take_due(barrier);
      ASSERT_EQ(due, frame);
    }
  }
}

}  // namespace
}  // namespace sail
