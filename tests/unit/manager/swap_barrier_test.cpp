#include "manager/swap_barrier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "sail/wire/limits.h"

namespace manager {
namespace {

constexpr int64_t kTimeoutNs = sail::kBarrierTimeoutMs * int64_t{1'000'000};
constexpr int64_t kStepNs = kTimeoutNs / 500;
using Arrival = SwapBarrier::Arrival;

TEST(SwapBarrier, GoesWhenAllMembersHoldTheFrame) {
  SwapBarrier barrier(1, {"a", "b"});
  EXPECT_EQ(barrier.ready("a", 1, 0), Arrival::kCounted);
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  EXPECT_EQ(barrier.ready("b", 1, 0), Arrival::kCounted);
  EXPECT_TRUE(barrier.due());
  EXPECT_EQ(barrier.take_due(), 1U);
  EXPECT_FALSE(barrier.due());
  EXPECT_EQ(barrier.take_due(), std::nullopt);
}

TEST(SwapBarrier, StrangersAndRepetitionsDoNotCount) {
  SwapBarrier barrier(1, {"a", "b"});
  EXPECT_EQ(barrier.ready("x", 1, 0), Arrival::kIgnored);
  EXPECT_FALSE(barrier.heard());
  EXPECT_EQ(barrier.ready("a", 1, 0), Arrival::kCounted);
  EXPECT_EQ(barrier.ready("a", 1, 0), Arrival::kIgnored);
  EXPECT_EQ(barrier.ready("a", 0, 0), Arrival::kIgnored);
  EXPECT_TRUE(barrier.heard());
  EXPECT_EQ(barrier.take_due(), std::nullopt);
}

TEST(SwapBarrier, FrameThatOneMemberSkipsIsDroppedForAll) {
  SwapBarrier barrier(1, {"a", "b"});
  barrier.ready("a", 1, 0);
  barrier.ready("b", 2, 0);  // never had 1
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  barrier.ready("a", 2, 0);
  EXPECT_EQ(barrier.take_due(), 2U);
}

TEST(SwapBarrier, NewestCompleteFrameGoesAndOlderOnesAreSettled) {
  SwapBarrier barrier(1, {"a", "b"});
  for (uint64_t frame = 1; frame <= 3; ++frame) barrier.ready("a", frame, 0);
  for (uint64_t frame = 1; frame <= 2; ++frame) barrier.ready("b", frame, 0);
  EXPECT_EQ(barrier.take_due(), 2U);
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  barrier.ready("b", 3, 0);
  EXPECT_EQ(barrier.take_due(), 3U);
}

TEST(SwapBarrier, MemberThatLeavesIsNotWaitedFor) {
  SwapBarrier barrier(1, {"a", "b"});
  barrier.ready("a", 1, 0);
  barrier.leave("b");
  EXPECT_EQ(barrier.take_due(), 1U);
  EXPECT_EQ(barrier.members(), std::vector<std::string>{"a"});
}

TEST(SwapBarrier, FrameOfAMemberThatLeftIsForgotten) {
  SwapBarrier barrier(1, {"a", "b"});
  barrier.ready("a", 1, 0);
  barrier.leave("a");
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  EXPECT_TRUE(barrier.expire(10 * kTimeoutNs).empty());  // nothing waits any more
  barrier.ready("b", 1, 0);
  EXPECT_EQ(barrier.take_due(), 1U);
}

TEST(SwapBarrier, MemberThatKeepsAFrameWaitingIsLeftBehind) {
  SwapBarrier barrier(1, {"a", "b", "c"});
  barrier.ready("a", 1, 0);
  barrier.ready("b", 1, 10 * kStepNs);
  EXPECT_TRUE(barrier.expire(kTimeoutNs - 1).empty());
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  EXPECT_EQ(barrier.expire(kTimeoutNs), std::vector<std::string>{"c"});
  EXPECT_EQ(barrier.take_due(), 1U);
  // The next frame does not wait for it.
  barrier.ready("a", 2, kTimeoutNs);
  barrier.ready("b", 2, kTimeoutNs);
  EXPECT_EQ(barrier.take_due(), 2U);
  // It hears of what goes all the same.
  EXPECT_EQ(barrier.members().size(), 3U);
}

TEST(SwapBarrier, MemberLeftBehindCountsAgainWithItsNextReport) {
  SwapBarrier barrier(1, {"a", "b"});
  barrier.ready("a", 1, 0);
  barrier.expire(kTimeoutNs);
  EXPECT_EQ(barrier.take_due(), 1U);
  EXPECT_EQ(barrier.ready("b", 1, kTimeoutNs), Arrival::kLate);
  barrier.ready("a", 2, kTimeoutNs);
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  barrier.ready("b", 2, kTimeoutNs);
  EXPECT_EQ(barrier.take_due(), 2U);
}

// Three frames are on their way, and it takes 400 ms for each.
TEST(SwapBarrier, MemberThatIsSlowButAliveIsWaitedFor) {
  SwapBarrier barrier(1, {"fast", "slow"});
  for (uint64_t frame = 1; frame <= 3; ++frame) barrier.ready("fast", frame, 0);
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    const auto now_ns = static_cast<int64_t>(frame) * 400 * kStepNs;
    EXPECT_TRUE(barrier.expire(now_ns).empty());
    barrier.ready("slow", frame, now_ns);
    EXPECT_EQ(barrier.take_due(), frame);
  }
  barrier.ready("fast", 4, 1200 * kStepNs);
  EXPECT_TRUE(barrier.expire(1200 * kStepNs + kTimeoutNs - 1).empty());
  EXPECT_EQ(barrier.expire(1200 * kStepNs + kTimeoutNs).size(), 1U);
}

TEST(SwapBarrier, ReportsWithoutEndTakeNoMemory) {
  SwapBarrier barrier(1, {"a", "b"});
  for (uint64_t frame = 1; frame <= 100'000; ++frame) barrier.ready("a", frame, 0);
  EXPECT_EQ(barrier.take_due(), std::nullopt);
  barrier.ready("b", 100'000, 0);
  EXPECT_EQ(barrier.take_due(), 100'000U);
}

// A plain model of the rules: whole sets instead of bits and slots, and no bound on what waits.
class Model {
 public:
  explicit Model(const std::vector<std::string>& names) {
    for (const std::string& name : names) members_[name];
  }
  void ready(const std::string& name, uint64_t frame) {
    Member& member = members_.at(name);
    if (!member.held.empty() && frame <= *member.held.rbegin()) return;
    member.held.insert(frame);
    member.left_behind = false;
    drop_passed_over();
  }
  void leave(const std::string& name) { members_.erase(name); }
  void leave_behind(const std::string& name) { members_.at(name).left_behind = true; }
  bool counts(const std::string& name) const {
    return members_.contains(name) && !members_.at(name).left_behind;
  }
  bool all_hold(uint64_t frame) const {
    return std::all_of(members_.begin(), members_.end(), [&](const auto& member) {
      return member.second.left_behind || member.second.held.contains(frame);
    });
  }
  // The newest frame above `gone` that every member that counts holds, and none ever skipped.
  std::optional<uint64_t> due(uint64_t gone) const {
    std::map<uint64_t, int> holders;
    int counting = 0;
    for (const auto& [name, member] : members_) {
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
  // A frame that a member which counts has skipped need not go any more, whoever leaves later.
  void drop_passed_over() {
    for (const auto& [name, holder] : members_) {
      for (const uint64_t frame : holder.held) {
        for (const auto& [other_name, other] : members_) {
          const bool beyond = !other.held.empty() && *other.held.rbegin() > frame;
          if (!other.left_behind && beyond && !other.held.contains(frame)) dropped_.insert(frame);
        }
      }
    }
  }
  std::map<std::string, Member> members_;
  std::set<uint64_t> dropped_;
};

// Members receive frames in order, skip some, stop for a while, leave; whatever they do, a frame
// goes exactly when every member that counts holds it, in order, and nothing waits past the
// timeout.
TEST(SwapBarrierProperty, AgreesWithThePlainRulesAndNeverStops) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
    std::vector<std::string> names;
    for (size_t i = 0; i < 1 + random() % 5; ++i) names.push_back(std::string(1, char('a' + i)));
    SwapBarrier barrier(1, names);
    Model model(names);
    std::map<std::string, uint64_t> next;
    for (const std::string& name : names) next[name] = 1;

    int64_t now_ns = 0;
    uint64_t sent = 0;
    uint64_t gone = 0;
    const auto check_due = [&] {
      const auto expected = model.due(gone);
      const auto due = barrier.take_due();
      if (expected) {
        ASSERT_TRUE(due);
        ASSERT_GE(*due, *expected);
      }
      if (!due) return;
      ASSERT_GT(*due, gone);
      ASSERT_TRUE(model.all_hold(*due));
      gone = *due;
    };
    for (int step = 0; step < 300 && !names.empty(); ++step) {
      now_ns += static_cast<int64_t>(random() % 40) * kStepNs;
      // SAIL is never more than its credits ahead of what was settled.
      if (sent < gone + sail::kMaxFramesInFlight) ++sent;
      const std::string name = names[random() % names.size()];
      if (chance(2)) {
        barrier.leave(name);
        model.leave(name);
        std::erase(names, name);
      } else if (next[name] <= sent && !(step % 100 > 60 && name == "a")) {
        if (chance(10)) ++next[name];  // skips one
        if (next[name] <= sent) {
          barrier.ready(name, next[name], now_ns);
          model.ready(name, next[name]);
          ++next[name];
        }
      }
      check_due();
      for (const std::string& left : barrier.expire(now_ns)) {
        ASSERT_TRUE(model.counts(left));
        model.leave_behind(left);
      }
      check_due();
      ASSERT_FALSE(barrier.due());
    }
    // In the end everybody who is still there gets a last frame: it must go.
    for (const std::string& name : names) {
      barrier.ready(name, sent + 1, now_ns);
      model.ready(name, sent + 1);
    }
    check_due();
    if (!names.empty()) {
      EXPECT_EQ(gone, sent + 1);
    }
  }
}

TEST(SwapBarrier, WhoKeptTheOthersWaitingIsKnown) {
  constexpr int64_t kMs = 1'000'000;
  SwapBarrier barrier(1, {"quick", "slow"});
  EXPECT_FALSE(barrier.take_held_up());
  for (uint64_t frame = 1; frame <= 10; ++frame) {
    const int64_t now_ns = static_cast<int64_t>(frame) * 100 * kMs;
    const bool other_way = frame == 3;
    barrier.ready(other_way ? "slow" : "quick", frame, now_ns);
    barrier.ready(other_way ? "quick" : "slow", frame, now_ns + 30 * kMs);
    ASSERT_EQ(barrier.take_due(), frame);
  }
  const auto held_up = barrier.take_held_up();
  ASSERT_TRUE(held_up);
  EXPECT_EQ(held_up->receiver, "slow");
  EXPECT_DOUBLE_EQ(held_up->mean_ms, 27);
  EXPECT_FALSE(barrier.take_held_up()) << "nothing came since";
}

// Whoever stops, the frames of the others go within the timeout.
TEST(SwapBarrierProperty, OneLivingMemberIsEnough) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    SwapBarrier barrier(1, {"alive", "b", "c", "d"});
    int64_t now_ns = 0;
    for (uint64_t frame = 1; frame <= 50; ++frame) {
      for (const char* name : {"b", "c", "d"}) {
        if (random() % 3 == 0) barrier.ready(name, frame, now_ns);
      }
      barrier.ready("alive", frame, now_ns);
      now_ns += kTimeoutNs;
      barrier.expire(now_ns);
      const auto due = barrier.take_due();
      ASSERT_EQ(due, frame);
    }
  }
}

}  // namespace
}  // namespace manager
