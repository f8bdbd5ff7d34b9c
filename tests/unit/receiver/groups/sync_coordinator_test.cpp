#include "receiver/groups/sync_coordinator.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kMillisecondNs;

using sail::DecisionKind;
using sail::GroupVote;

constexpr int64_t kWallAheadNs = 5'000'000 * kMillisecondNs;

class SyncCoordinatorTest : public testing::Test {
 protected:
  SyncCoordinatorTest() { table_.set_members({.streams = {1, 2}}, now_ns_); }

  SyncCoordinator::Now now() const { return {now_ns_, now_ns_ + kWallAheadNs}; }
  // Times in ms of the film.
  static int64_t present(int64_t ms) { return kWallAheadNs + (2000 + ms) * kMillisecondNs; }
  void say(uint32_t member, int64_t ms, GroupVote vote = GroupVote::kReady, int64_t at_ns = 0) {
    table_.ready(member, {present(ms), at_ns, 3 * kMillisecondNs, vote}, now());
  }
  // Reports the first frame of a layout that moves two members.
  void say_together(uint32_t member, int64_t ms) {
    table_.ready(member, {.present_ns = present(ms), .vote = GroupVote::kLayoutReady, .members = 2},
                 now());
  }
  std::vector<SyncCoordinator::Outgoing> take() {
    const std::vector<SyncCoordinator::Outgoing> reported(table_.outgoing().begin(),
                                                          table_.outgoing().end());
    table_.clear_outgoing();
    return reported;
  }
  // Expects this decision for both members, and nothing else.
  void expect_both(DecisionKind kind, int64_t ms) {
    const auto reported = take();
    ASSERT_EQ(reported.size(), 2U);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(reported[i].member, i + 1);
      EXPECT_EQ(reported[i].decision.kind, kind);
      EXPECT_EQ(reported[i].decision.present_ns, present(ms));
      EXPECT_EQ(reported[i].decision.at_ns, reported[0].decision.at_ns);
    }
  }
  void expect_one(uint32_t member, DecisionKind kind, int64_t ms) {
    const auto reported = take();
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_EQ(reported[0].member, member);
    EXPECT_EQ(reported[0].decision.kind, kind);
    EXPECT_EQ(reported[0].decision.present_ns, present(ms));
  }
  void show_both(int64_t ms) {
    say(1, ms);
    say(2, ms);
    expect_both(DecisionKind::kShow, ms);
  }

  SyncCoordinator table_;
  int64_t now_ns_ = 1000 * kMillisecondNs;
};

TEST_F(SyncCoordinatorTest, ShowsWhatAllHaveAtItsInstant) {
  say(1, 0);
  EXPECT_TRUE(take().empty());
  say(2, 0);
  const auto reported = take();
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_EQ(reported[0].decision.at_ns, present(0));
  EXPECT_EQ(reported[1].decision.at_ns, present(0));
}

// A frame each 40 ms on displays of 60 Hz; one member has its frames 2 ms after the other.
TEST_F(SyncCoordinatorTest, ShowsInTheDisplaysPattern) {
  constexpr uint32_t kPeriodNs = 16'666'667;
  const sail::Refresh displays[] = {{kWallAheadNs, kPeriodNs, 0},
                                    {kWallAheadNs + 2 * kMillisecondNs, kPeriodNs, 0}};
  std::vector<int64_t> refreshes;
  for (int64_t frame = 0; frame < 20; ++frame) {
    for (uint32_t member = 1; member <= 2; ++member) {
      table_.ready(
          member,
          {present(40 * frame), 0, 3 * kMillisecondNs, GroupVote::kReady, 0, displays[member - 1]},
          now());
    }
    now_ns_ += 40 * kMillisecondNs;
    const auto reported = take();
    ASSERT_EQ(reported.size(), 2U);
    EXPECT_EQ(reported[0].decision.at_ns, reported[1].decision.at_ns);
    const int64_t first_ns = sail::next_refresh_ns(displays[0], reported[0].decision.at_ns);
    EXPECT_EQ(sail::next_refresh_ns(displays[1], reported[0].decision.at_ns),
              first_ns + 2 * kMillisecondNs);
    refreshes.push_back((first_ns - kWallAheadNs) / kPeriodNs);
  }
  for (size_t i = 5; i < refreshes.size(); ++i) EXPECT_EQ(refreshes[i] - refreshes[i - 5], 12) << i;
}

TEST_F(SyncCoordinatorTest, WhatIsGoneMakesNothingLater) {
  table_.ready(1, {.lead_ns = 20 * kMillisecondNs, .vote = GroupVote::kWithdrawn}, now());
  say(2, -2000);
  const auto reported = take();
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported[0].decision.at_ns, now().wall_ns + 3 * kMillisecondNs + sail::kMessageLeadNs);
}

TEST_F(SyncCoordinatorTest, WhatComesLateIsShownAsSoonAsAllCan) {
  now_ns_ += 1500 * kMillisecondNs;
  say(1, 0);
  say(2, 0);
  const auto reported = take();
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_EQ(reported[0].decision.at_ns, now().wall_ns + 3 * kMillisecondNs + sail::kMessageLeadNs);
}

TEST_F(SyncCoordinatorTest, InstantsThatAreHardlyApartAreOne) {
  table_.ready(1, {present(0), 0, 0, GroupVote::kReady}, now());
  table_.ready(2, {present(0) + sail::kSamePresentNs, 0, 0, GroupVote::kReady}, now());
  expect_both(DecisionKind::kShow, 0);
  say(1, 10);
  table_.ready(2, {present(10) + sail::kSamePresentNs + 1, 0, 0, GroupVote::kReady}, now());
  for (const auto& reported : take()) EXPECT_EQ(reported.decision.kind, DecisionKind::kDrop);
}

TEST_F(SyncCoordinatorTest, WhatOneHasNotIsDroppedByAll) {
  say(1, 0);
  say(1, 33);
  EXPECT_TRUE(take().empty()) << "the other may still have it";
  say(2, 33);
  expect_both(DecisionKind::kShow, 33);
  // Without a common frame each member must drop its frame, to free its memory.
  say(1, 66);
  say(2, 100);
  expect_both(DecisionKind::kDrop, 66);
  say(1, 100);
  expect_both(DecisionKind::kShow, 100);
}

TEST_F(SyncCoordinatorTest, SilenceIsLeftBehindAndComesBack) {
  show_both(0);
  say(1, 33);
  now_ns_ += (sail::kBarrierTimeoutMs - 1) * kMillisecondNs;
  table_.tick(now());
  EXPECT_TRUE(take().empty());
  now_ns_ += 2 * kMillisecondNs;
  table_.tick(now());
  expect_both(DecisionKind::kShow, 33);
  say(2, 20);
  expect_one(2, DecisionKind::kDrop, 20);
  say(2, 66);
  EXPECT_TRUE(take().empty()) << "waits for the other";
  say(1, 66);
  expect_both(DecisionKind::kShow, 66);
}

TEST_F(SyncCoordinatorTest, LostMembersCountNoMoreAndNewOnesNotYet) {
  show_both(0);
  say(1, 33);
  table_.lose(2, now());
  expect_both(DecisionKind::kShow, 33);
  table_.set_members({.streams = {1, 3}}, now_ns_);
  EXPECT_FALSE(table_.has(2));
  say(1, 66);
  EXPECT_EQ(take().size(), 2U) << "nobody waits for the new one";
  say(3, 100);
  EXPECT_TRUE(take().empty());
  say(1, 100);
  EXPECT_EQ(take().size(), 2U);
}

// The others wait even for a member that is always late for their frames.
TEST_F(SyncCoordinatorTest, WhoJoinsLateIsWaitedFor) {
  table_.lose(2, now());
  say(1, 100);
  EXPECT_EQ(take().size(), 2U);
  say(2, 0);
  expect_one(2, DecisionKind::kDrop, 0);
  say(1, 133);
  EXPECT_TRUE(take().empty());
  say(2, 133);
  expect_both(DecisionKind::kShow, 133);
}

// A member that was left behind may still have the current frame.
TEST_F(SyncCoordinatorTest, TheFrameOfNowIsShownAtOnceToWhoMissedIt) {
  show_both(0);
  say(2, 0);
  auto reported = take();
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].decision.kind, DecisionKind::kShow);
  EXPECT_EQ(reported[0].decision.at_ns, present(0)) << "not before the others";
  now_ns_ += 2000 * kMillisecondNs;
  say(2, 0);
  reported = take();
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_GT(reported[0].decision.at_ns, now().wall_ns);
}

// Members that begin a layout without a frame forget their frames, although the coordinator has
// just decided on one: the member that gets this frame again first does not show it.
TEST_F(SyncCoordinatorTest, WhatWasForgottenByAllWaitsForTheNext) {
  const auto forget = [this] {
    for (const uint32_t member : {1U, 2U})
      table_.ready(member, {.vote = GroupVote::kWithdrawn}, now());
  };
  show_both(0);
  forget();
  say(1, 0);
  say(2, 0);
  EXPECT_TRUE(take().empty());
  show_both(33);
  forget();
  say(1, 33);
  table_.tick(now());
  EXPECT_TRUE(take().empty());
  now_ns_ += 150 * kMillisecondNs;
  table_.tick(now());
  expect_one(1, DecisionKind::kShow, 33);  // no other frame arrives: the film is paused
  say(2, 33);
  expect_one(2, DecisionKind::kShow, 33);
}

TEST_F(SyncCoordinatorTest, ALayoutNamesTheInstantForAll) {
  now_ns_ += 950 * kMillisecondNs;
  say(1, 0, GroupVote::kLayoutReady);
  say(2, 0);
  expect_one(1, DecisionKind::kLayoutGranted, 0);
  say(2, 33);
  EXPECT_TRUE(take().empty()) << "nothing is ruled before";
  say(1, 0, GroupVote::kLayoutAt, present(50));
  const auto reported = take();
  ASSERT_EQ(reported.size(), 1U) << "who named it hears of it from the manager";
  EXPECT_EQ(reported[0].member, 2U);
  EXPECT_EQ(reported[0].decision.at_ns, present(50));
  say(1, 33);
  const auto next = take();
  ASSERT_EQ(next.size(), 2U);
  EXPECT_EQ(next[0].decision.at_ns, present(50) + 3 * kMillisecondNs + sail::kMessageLeadNs)
      << "when it can be painted after it";
}

// Each frame has its own presentation time, though the frames waited for the layout together.
TEST_F(SyncCoordinatorTest, WhatWaitedForALayoutIsAllShown) {
  now_ns_ += 950 * kMillisecondNs;
  say(1, 0, GroupVote::kLayoutReady);
  say(2, 0);
  expect_one(1, DecisionKind::kLayoutGranted, 0);
  for (const int64_t ms : {33, 66}) {
    say(1, ms, GroupVote::kLayoutReady);
    say(2, ms);
  }
  say(1, 0, GroupVote::kLayoutAt, present(5));
  const auto reported = take();
  ASSERT_EQ(reported.size(), 5U);
  EXPECT_EQ(reported[0].decision.at_ns, present(5));
  for (size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(reported[i].decision.kind, DecisionKind::kShow);
    EXPECT_EQ(reported[i].decision.at_ns, present(i < 3 ? 33 : 66));
  }
}

TEST_F(SyncCoordinatorTest, OfSeveralThatWaitedTooLongTheNewestIsShown) {
  say(1, 0, GroupVote::kLayoutReady);
  say(2, 0);
  expect_one(1, DecisionKind::kLayoutGranted, 0);
  for (const int64_t ms : {33, 66, 100}) {
    say(1, ms, GroupVote::kLayoutReady);
    say(2, ms);
  }
  now_ns_ += 1070 * kMillisecondNs;
  say(1, 0, GroupVote::kLayoutAt, present(72));
  const auto reported = take();
  ASSERT_EQ(reported.size(), 5U) << "66 and 100 to both";
  for (size_t i = 1; i < 5; ++i) {
    const int64_t at_ns = present(i < 3 ? 72 : 100);
    EXPECT_EQ(reported[i].decision.present_ns, present(i < 3 ? 66 : 100));
    EXPECT_GE(reported[i].decision.at_ns, at_ns);
  }
}

// Frames that are complete before a layout's first frame do not depend on it.
TEST_F(SyncCoordinatorTest, FramesBeforeALayoutAreShownThoughItsFirstOneIsThereToo) {
  say(1, 0);
  say(1, 33, GroupVote::kLayoutReady);
  table_.lose(2, now());
  const auto reported = take();
  ASSERT_EQ(reported.size(), 3U);
  EXPECT_EQ(reported[0].decision.kind, DecisionKind::kShow);
  EXPECT_EQ(reported[0].decision.present_ns, present(0));
  EXPECT_EQ(reported[2].decision.kind, DecisionKind::kLayoutGranted);
  EXPECT_EQ(reported[2].decision.present_ns, present(33));
}

TEST_F(SyncCoordinatorTest, ALayoutOfTwoMembersIsOne) {
  say(1, 0, GroupVote::kLayoutReady);
  say(2, 33, GroupVote::kLayoutReady);
  expect_both(DecisionKind::kDrop, 0);
  say(1, 33, GroupVote::kLayoutReady);
  expect_both(DecisionKind::kLayoutGranted, 33);
  say(1, 33, GroupVote::kLayoutAt, present(50));
  say(2, 33, GroupVote::kLayoutAt, present(50));
  EXPECT_TRUE(take().empty());
  show_both(66);
}

TEST_F(SyncCoordinatorTest, ALayoutThatIsNotToBeHoldsNobodyUp) {
  say(1, 0, GroupVote::kLayoutReady);
  say(2, 0);
  expect_one(1, DecisionKind::kLayoutGranted, 0);
  say(1, 0, GroupVote::kWithdrawn);
  expect_both(DecisionKind::kShow, 0);

  say(1, 33, GroupVote::kLayoutReady);
  say(2, 33);
  expect_one(1, DecisionKind::kLayoutGranted, 33);
  now_ns_ += (int64_t{2} * sail::kTransactionTimeoutMs + 1) * kMillisecondNs;
  table_.tick(now());
  expect_both(DecisionKind::kShow, 33);
}

// A paused film is moved while others play: its only frame may be shown.
TEST_F(SyncCoordinatorTest, ALayoutOfWhoStandsStillIsNotHeldUp) {
  show_both(0);
  say(1, 0, GroupVote::kLayoutReady);
  EXPECT_TRUE(take().empty()) << "a newer one may come";
  now_ns_ += 200 * kMillisecondNs;
  table_.tick(now());
  expect_one(1, DecisionKind::kLayoutGranted, 0);
  table_.lose(1, now());
  say(2, 2000);
  take();
  say(1, 100, GroupVote::kLayoutReady);
  now_ns_ += 200 * kMillisecondNs;
  table_.tick(now());
  expect_one(1, DecisionKind::kLayoutGranted, 100);
  say(2, 2033);
  EXPECT_EQ(take().size(), 2U) << "nobody waits for it";
}

TEST_F(SyncCoordinatorTest, AMemberThatGoesBackHasNoFrameOfThen) {
  say(1, 100);
  say(1, 50);
  say(2, 50);
  say(2, 100);
  say(1, 70);
  say(2, 110);
  say(1, 110);
  std::map<int64_t, int> shown;
  for (const SyncCoordinator::Outgoing& reported : take()) {
    if (reported.decision.kind == DecisionKind::kShow) ++shown[reported.decision.present_ns];
  }
  EXPECT_EQ(shown, (std::map<int64_t, int>{{present(100), 2}, {present(110), 2}}));
}

TEST_F(SyncCoordinatorTest, StrangersAndNonsenseChangeNothing) {
  say(9, 0);
  say(1, 0, GroupVote::kLayoutAt, present(50));
  say(1, 0, GroupVote::kWithdrawn);
  EXPECT_TRUE(take().empty());
  table_.ready(1, {0, 0, sail::kMaxTimeNs, GroupVote::kReady}, now());
  table_.lose(1, now());
  show_both(33);
}

// Members of a group's old table show a common frame together, even if it reaches them at different
// times.
TEST_F(SyncCoordinatorTest, ANewTableWaitsForAllOfItsMembers) {
  say(1, 0);
  now_ns_ += 300 * kMillisecondNs;
  table_.tick(now());
  EXPECT_TRUE(take().empty());
  say(2, 0);
  expect_both(DecisionKind::kShow, 0);
}

// Each member would drop other frames, so all members must send fewer frames until they keep up,
// and later more.
TEST_F(SyncCoordinatorTest, MembersSendFewerFramesWhileTheyHaveNoneInCommon) {
  uint32_t spacing_us = 0;
  const auto pass = [&](bool in_common, int64_t from_ms, int64_t until_ms) {
    for (int64_t ms = from_ms; ms < until_ms; ms += 40) {
      say(1, ms);
      say(2, in_common ? ms : ms + 20);
      for (const auto& reported : take()) spacing_us = reported.decision.spacing_us;
      now_ns_ += 40 * kMillisecondNs;
      table_.tick(now());
    }
  };
  pass(true, 0, 2000);
  EXPECT_EQ(spacing_us, 0U);
  pass(false, 2000, 4000);
  pass(true, 4040, 4500);  // until that frame was counted as well
  const uint32_t slow_us = spacing_us;
  EXPECT_GE(slow_us, 80'000U);
  EXPECT_LE(slow_us, sail::kMaxGroupSpacingUs);
  pass(true, 4520, 6000);
  EXPECT_EQ(spacing_us, slow_us) << "not at once";
  pass(true, 6040, 60'000);
  EXPECT_EQ(spacing_us, 0U);
}

// Whatever members report and lose, in any order: all show the same frames at the same instants,
// and each frame that a member reported gets a decision.
TEST_F(SyncCoordinatorTest, RandomMembersNeverShowDifferentFrames) {
  std::mt19937 random{1};
  const auto chance = [&](uint32_t one_in) { return random() % one_in == 0; };
  std::map<uint32_t, int64_t> said{{1, 0}, {2, 0}};  // ms, newest
  std::map<uint32_t, int64_t> ruled = said;
  std::map<uint32_t, int64_t> newest = said;
  std::map<uint32_t, std::map<int64_t, int64_t>> shown;  // visible frames of a member, by time
  for (int step = 0; step < 20000; ++step) {
    const uint32_t member = 1 + random() % 2;
    if (chance(500)) {
      table_.lose(member, now());
      ruled[member] = said[member];
    } else if (said[member] < now_ns_ / kMillisecondNs) {
      said[member] += 10 * (1 + (chance(8) ? random() % 3 : 0));
      say(member, said[member], chance(50) ? GroupVote::kLayoutReady : GroupVote::kReady);
    }
    for (auto reported = take(); !reported.empty(); reported = take()) {
      for (const auto& [to, decision] : reported) {
        const int64_t ms = (decision.present_ns - present(0)) / kMillisecondNs;
        ruled[to] = std::max(ruled[to], ms);
        int64_t at_ns = decision.at_ns;
        if (decision.kind == DecisionKind::kLayoutGranted) {
          at_ns = now().wall_ns + 20 * kMillisecondNs;
          table_.ready(to, {decision.present_ns, at_ns, 0, GroupVote::kLayoutAt}, now());
        }
        if (decision.kind == DecisionKind::kDrop || ms <= newest[to]) continue;
        newest[to] = ms;
        shown[to][at_ns] = ms;
      }
    }
    now_ns_ += 5 * kMillisecondNs;
    table_.tick(now());
  }
  EXPECT_GT(shown[1].size(), 4000U);
  EXPECT_EQ(shown[1], shown[2]);
  EXPECT_GE(std::min(ruled[1], ruled[2]) + 100, std::min(said[1], said[2]));
}

// Frames were in flight when the layout came, so each member starts with another frame.
TEST_F(SyncCoordinatorTest, MembersOfOneLayoutAreToldOfTheSameInstant) {
  show_both(0);
  say(2, 40);
  say(2, 80, GroupVote::kLayoutReady);
  EXPECT_TRUE(take().empty());
  say(1, 40, GroupVote::kLayoutReady);
  expect_both(DecisionKind::kDrop, 40);
  say(1, 80, GroupVote::kLayoutReady);
  expect_both(DecisionKind::kLayoutGranted, 80);
  say(2, 80, GroupVote::kLayoutAt, present(100));
  EXPECT_TRUE(take().empty()) << "the manager tells them";
  say(1, 80, GroupVote::kLayoutAt, present(100));
  say(1, 120);
  say(2, 120);
  EXPECT_EQ(take().size(), 2U);
}

// The other member has the frame, but by the previous layout.
TEST_F(SyncCoordinatorTest, MembersOfOneLayoutAreWaitedForThoughAllHaveAFrame) {
  say(2, 40);
  say_together(1, 40);
  EXPECT_TRUE(take().empty()) << "the other's first frame is not known";
  say_together(2, 80);
  expect_both(DecisionKind::kDrop, 40);
  say_together(1, 80);
  expect_both(DecisionKind::kLayoutGranted, 80);
}

// The next layout sends the newest frame again.
TEST_F(SyncCoordinatorTest, WhatAllHaveByTheLayoutBeforeIsShownByThat) {
  say(1, 40);
  say_together(1, 40);
  say(2, 40);
  expect_both(DecisionKind::kShow, 40);
  say_together(2, 80);
  EXPECT_TRUE(take().empty());
  say_together(1, 80);
  expect_both(DecisionKind::kLayoutGranted, 80);
}

TEST_F(SyncCoordinatorTest, FramesBeforeALayoutAreShownWhileItsMembersAreWaitedFor) {
  say(1, 40);
  say_together(1, 80);
  say(2, 40);
  expect_both(DecisionKind::kShow, 40);
  say(2, 80);
  EXPECT_TRUE(take().empty());
  // A disconnected member is not waited for.
  table_.lose(2, now());
  expect_one(1, DecisionKind::kLayoutGranted, 80);
}

// Until then the coordinator could not decide on these frames.
TEST_F(SyncCoordinatorTest, FramesAfterALayoutAreRuledOnWhenAllOfItsMembersHaveSaidWhenItIs) {
  table_.set_members({.streams = {1, 2, 3}}, now_ns_);
  say(3, 0);
  take();
  for (const uint32_t member : {1, 2}) {
    say_together(member, 40);
    say_together(member, 80);
  }
  take();
  say(3, 40);
  expect_both(DecisionKind::kLayoutGranted, 40);
  say(3, 80);
  say(1, 40, GroupVote::kLayoutAt, present(50));
  expect_one(3, DecisionKind::kShow, 40);
  say(2, 40, GroupVote::kLayoutAt, present(50));
  const auto reported = take();
  ASSERT_EQ(reported.size(), 3U);
  for (const auto& one : reported) EXPECT_EQ(one.decision.present_ns, present(80));
}

// With parts of frames: all members show a frame or none, however long it takes, and although a
// member disconnects.
TEST_F(SyncCoordinatorTest, ATableThatWaitsLeavesNobodyBehind) {
  table_.set_members({.streams = {1, 2}, .waits = true}, now_ns_);
  show_both(0);
  EXPECT_TRUE(table_.absent(now_ns_).empty());
  say(1, 40);
  now_ns_ += 60'000 * kMillisecondNs;
  table_.tick(now());
  EXPECT_TRUE(take().empty());
  EXPECT_EQ(table_.absent(now_ns_), std::vector<uint32_t>{2});
  table_.lose(2, now());
  table_.tick(now());
  EXPECT_TRUE(take().empty());
  say(2, 40);
  expect_both(DecisionKind::kShow, 40);
  EXPECT_TRUE(table_.absent(now_ns_).empty());
}

TEST_F(SyncCoordinatorTest, NoInstantLiesFarAhead) {
  constexpr int64_t kYearMs = int64_t{365} * 86400 * 1000;
  const auto too_far = [this](int64_t ms, int64_t at_ms = 0) {
    return table_.is_too_far_ahead({.present_ns = now().wall_ns + ms * kMillisecondNs,
                                    .at_ns = now().wall_ns + at_ms * kMillisecondNs,
                                    .vote = GroupVote::kLayoutAt},
                                   now());
  };
  EXPECT_FALSE(too_far(2000, 2000));
  EXPECT_FALSE(too_far(-kYearMs));
  EXPECT_TRUE(too_far(2001));
  EXPECT_TRUE(too_far(kYearMs));
  EXPECT_TRUE(too_far(0, kYearMs)) << "a layout's";
  // The times of numbered frames are not checked, not even on a machine that has just started.
  table_.set_members({.streams = {1, 2}, .numbered = true}, now_ns_);
  EXPECT_FALSE(too_far(kYearMs));
  EXPECT_TRUE(too_far(0, kYearMs));
  for (const uint32_t member : {1U, 2U}) say(member, kYearMs);
  const auto reported = take();
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_EQ(reported[0].decision.at_ns, now().wall_ns + 3 * kMillisecondNs + sail::kMessageLeadNs)
      << "soonest";
}

TEST_F(SyncCoordinatorTest, WhoIsLeftBehindIsToldOf) {
  show_both(0);
  say(1, 40);
  now_ns_ += (sail::kBarrierTimeoutMs + 1) * kMillisecondNs;
  table_.tick(now());
  EXPECT_EQ(take().size(), 2U);
  EXPECT_EQ(table_.absent(now_ns_), std::vector<uint32_t>{2});
  say(2, 80);
  EXPECT_TRUE(table_.absent(now_ns_).empty());
}

}  // namespace
}  // namespace receiver
