#include "sail/client/sync/swap_plan.h"

#include <gtest/gtest.h>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

class SwapPlanTest : public testing::Test {
 protected:
  void route(uint64_t epoch, const std::vector<uint32_t>& members, uint32_t of_group = 0) {
    plan_.route(epoch, members, of_group);
  }
  void ready(uint32_t member, uint64_t frame, uint64_t epoch, int64_t render_ns = 0) {
    plan_.ready(member, {.frame = frame, .epoch = epoch, .render_ns = render_ns}, now_ns_);
  }
  void shown(uint32_t member, uint64_t frame, uint64_t epoch) {
    plan_.reported(member, {.frame = frame, .epoch = epoch, .outcome = FrameOutcome::kShown},
                   now_ns_);
  }
  std::vector<SwapPlan::Show> take_shows() {
    const std::vector<SwapPlan::Show> shows(plan_.shows().begin(), plan_.shows().end());
    plan_.clear_shows();
    return shows;
  }
  // Puts map 1 with its frame 1 into effect, on members 1 and 2.
  void begin() {
    route(1, {1, 2});
    ready(1, 1, 1);
    ready(2, 1, 1);
    ASSERT_TRUE(plan_.take_settled());
    plan_.take_effect(1, 1, now_ns_ + 2 * kMillisecondNs, now_ns_);
    shown(1, 1, 1);
    shown(2, 1, 1);
    ASSERT_TRUE(take_shows().empty());
    now_ns_ += 2 * kMillisecondNs;
  }

  SwapPlan plan_;
  int64_t now_ns_ = 1000 * kMillisecondNs;
};

// 24 frames a second on two displays of 60 Hz with 4 ms phase difference.
TEST_F(SwapPlanTest, FramesAreShownInTheDisplaysPatternAndByTheSameRefreshOfAll) {
  plan_ = SwapPlan(false, 1e9 / 24);
  begin();
  constexpr uint32_t kPeriodNs = 16'666'667;
  constexpr Refresh kDisplays[] = {{100 * kMillisecondNs, kPeriodNs, 0},
                                   {104 * kMillisecondNs, kPeriodNs, 0}};
  std::vector<int64_t> refreshes;
  for (uint64_t frame = 2; frame < 26; ++frame) {
    now_ns_ += 41 * kMillisecondNs +
               (frame % 3) * kMillisecondNs / 2;  // within a millisecond of 24 a second
    for (uint32_t member = 1; member <= 2; ++member) {
      plan_.ready(member, {.frame = frame, .epoch = 1, .refresh = kDisplays[member - 1]}, now_ns_);
    }
    const auto shows = take_shows();
    ASSERT_EQ(shows.size(), 1U);
    const auto after_ns = [&](const Refresh& display) {
      return next_refresh_ns(display, shows[0].at_ns);
    };
    EXPECT_EQ(after_ns(kDisplays[1]) - after_ns(kDisplays[0]), 4 * kMillisecondNs);
    refreshes.push_back((after_ns(kDisplays[0]) - 100 * kMillisecondNs) / kPeriodNs);
    shown(1, frame, 1);
    shown(2, frame, 1);
  }
  for (size_t i = 3; i < refreshes.size(); ++i) {
    const int64_t lasts = refreshes[i] - refreshes[i - 1];
    EXPECT_TRUE(lasts == 2 || lasts == 3) << lasts;
    EXPECT_EQ(refreshes[i] - refreshes[i - 2], 5) << i;
  }
}

TEST_F(SwapPlanTest, FirstFrameWaitsForTheManager) {
  route(7, {1, 2});
  ready(1, 1, 7, 3 * kMillisecondNs);
  EXPECT_FALSE(plan_.take_settled());
  ready(2, 1, 7);
  const auto settled = plan_.take_settled();
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->epoch, 7U);
  EXPECT_EQ(settled->frame, 1U);
  EXPECT_EQ(settled->lead_ns, 3 * kMillisecondNs + kMessageLeadNs);
  EXPECT_TRUE(take_shows().empty()) << "the layout brings it";
  EXPECT_TRUE(plan_.changing());

  // Reported once, whatever else arrives before the layout.
  ready(1, 2, 7);
  ready(2, 2, 7);
  EXPECT_FALSE(plan_.take_settled());
  EXPECT_TRUE(take_shows().empty());

  plan_.take_effect(7, 1, now_ns_ + 50 * kMillisecondNs, now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 2U);
  EXPECT_EQ(shows[0].epoch, 7U);
  EXPECT_FALSE(shows[0].only);
  EXPECT_GT(shows[0].at_ns, now_ns_ + 50 * kMillisecondNs + kMessageLeadNs)
      << "when it can be painted";
  EXPECT_FALSE(plan_.changing());
}

TEST_F(SwapPlanTest, FramesGoWhenAllHaveThem) {
  begin();
  ready(1, 2, 1);
  EXPECT_TRUE(take_shows().empty());
  ready(2, 2, 1, 4 * kMillisecondNs);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 2U);
  EXPECT_EQ(shows[0].at_ns, now_ns_ + 4 * kMillisecondNs + kMessageLeadNs);
  EXPECT_FALSE(plan_.take_settled());
}

TEST_F(SwapPlanTest, InstantsNeverGoBack) {
  begin();
  ready(1, 2, 1, 20 * kMillisecondNs);
  ready(2, 2, 1);
  const int64_t first_ns = take_shows().at(0).at_ns;
  for (uint64_t frame = 3; frame < 100; ++frame) {
    ready(1, frame, 1);
    ready(2, frame, 1);
  }
  for (const SwapPlan::Show& each : take_shows()) EXPECT_GE(each.at_ns, first_ns);
}

// A manager whose clock is hours ahead must not delay later frames.
TEST_F(SwapPlanTest, LayoutsInstantIsBounded) {
  route(1, {1});
  ready(1, 1, 1);
  plan_.take_effect(1, 1, now_ns_ + int64_t{3600} * 1000 * kMillisecondNs, now_ns_);
  ready(1, 2, 1);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + 1000 * kMillisecondNs + kMessageLeadNs);
}

TEST_F(SwapPlanTest, LeadIsBounded) {
  begin();
  ready(1, 2, 1, int64_t{3600} * 1000 * kMillisecondNs);
  ready(2, 2, 1);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + kMaxLeadNs + kMessageLeadNs);
}

// Excludes the one order of events in which tiles could show different frames: the manager learns
// of the new map's frame only after all receivers have shown the old map's last one.
TEST_F(SwapPlanTest, OldMapIsOverBeforeTheManagerHears) {
  begin();
  ready(1, 2, 1);
  ready(2, 2, 1);
  ASSERT_EQ(take_shows().size(), 1U);
  route(2, {1, 2});
  ready(1, 3, 2);
  ready(2, 3, 2);
  EXPECT_FALSE(plan_.take_settled()) << "frame 2 is still to be shown";
  shown(1, 2, 1);
  EXPECT_FALSE(plan_.take_settled());
  shown(2, 2, 1);
  EXPECT_EQ(plan_.take_settled()->frame, 3U);
}

TEST_F(SwapPlanTest, OldMapGoesOnUntilTheNewOneHasAFrame) {
  begin();
  route(2, {1, 3});
  ready(1, 2, 1);
  ready(2, 2, 1);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].epoch, 1U);
  EXPECT_TRUE(plan_.is_for(shows[0], 2));
  EXPECT_FALSE(plan_.is_for(shows[0], 3)) << "it has no part in the old map";
  shown(1, 2, 1);
  shown(2, 2, 1);
  ready(1, 3, 2);
  ready(3, 3, 2);
  ready(1, 3, 1);
  ready(2, 3, 1);
  EXPECT_TRUE(take_shows().empty()) << "the old map is over";
  EXPECT_EQ(plan_.take_settled()->epoch, 2U);
  plan_.take_effect(2, 3, now_ns_, now_ns_);
  ready(1, 4, 2);
  ready(3, 4, 2);
  const SwapPlan::Show next = take_shows().at(0);
  EXPECT_TRUE(plan_.is_for(next, 3));
  EXPECT_FALSE(plan_.is_for(next, 2));
}

TEST_F(SwapPlanTest, ReportsMayOvertakeTheWordOfTheLayout) {
  route(1, {1});
  ready(1, 1, 1);
  shown(1, 1, 1);
  plan_.take_settled();
  plan_.take_effect(1, 1, now_ns_, now_ns_);
  route(2, {1});
  ready(1, 2, 2);
  EXPECT_TRUE(plan_.take_settled()) << "frame 1 was reported";
}

TEST_F(SwapPlanTest, LayoutThatDidNotWaitIsFollowedByItsFirstFrame) {
  begin();
  route(2, {1, 2});
  ready(1, 2, 2);
  plan_.take_effect(2, 0, now_ns_ + 5 * kMillisecondNs, now_ns_);
  EXPECT_TRUE(take_shows().empty());
  ready(2, 2, 2);
  EXPECT_EQ(take_shows().at(0).frame, 2U);
  // The manager waits for this member the next time.
  EXPECT_EQ(plan_.take_settled()->epoch, 2U);
}

// The sender was stalled: the layout took effect before it could send its decisions.
TEST_F(SwapPlanTest, ALayoutWithdrawsDecisionsAboutOldFramesWheneverTheyAreDue) {
  begin();
  const int64_t layout_ns = now_ns_ + 20 * kMillisecondNs;
  ready(1, 2, 1);
  ready(2, 2, 1);
  now_ns_ = layout_ns;
  ready(1, 3, 1);
  ready(2, 3, 1);
  ASSERT_EQ(plan_.shows().size(), 2U);
  route(2, {1, 2});
  ready(1, 4, 2);
  ready(2, 4, 2);
  plan_.take_effect(2, 0, layout_ns, now_ns_);
  plan_.postpone(now_ns_ + kMillisecondNs);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 4U);
  EXPECT_EQ(shows[0].epoch, 2U);
}

TEST_F(SwapPlanTest, DecisionsThatAreSentLateCanStillBePainted) {
  begin();
  ready(1, 2, 1, 4 * kMillisecondNs);
  ready(2, 2, 1);
  now_ns_ += 100 * kMillisecondNs;
  plan_.postpone(now_ns_);
  ready(1, 3, 1);
  ready(2, 3, 1);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 2U);
  EXPECT_GE(shows[0].at_ns, now_ns_ + 4 * kMillisecondNs + kMessageLeadNs);
  EXPECT_GE(shows[1].at_ns, shows[0].at_ns);
}

TEST_F(SwapPlanTest, MapThatIsNotToBeIsForgotten) {
  begin();
  route(2, {1, 2});
  ready(1, 2, 2);
  ready(2, 2, 2);
  ready(1, 2, 1);
  ready(2, 2, 1);
  plan_.take_settled();
  EXPECT_TRUE(take_shows().empty());
  plan_.revert(2, now_ns_);
  EXPECT_FALSE(plan_.changing());
  EXPECT_TRUE(take_shows().empty()) << "others may have heard that it is to be";
  ready(1, 3, 1);
  EXPECT_TRUE(take_shows().empty());
  ready(2, 3, 1);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 3U);
  EXPECT_EQ(shows[0].epoch, 1U);
  plan_.take_effect(2, 2, now_ns_, now_ns_);
  EXPECT_EQ(plan_.epoch(), 1U) << "too late";
}

TEST_F(SwapPlanTest, TheNextManagersLayoutMayHaveTheEpochOfOneThatWasNotToBe) {
  begin();
  route(2, {1, 2});
  ready(1, 2, 2);
  ready(2, 2, 2);
  ASSERT_TRUE(plan_.take_settled());
  plan_.revert(2, now_ns_);
  route(2, {1, 2});
  ready(1, 3, 2);
  ready(2, 3, 2);
  const auto settled = plan_.take_settled();
  ASSERT_TRUE(settled) << "the layout would wait for it in vain";
  EXPECT_EQ(settled->epoch, 2U);
  EXPECT_EQ(settled->frame, 3U);
}

// Its connection may be back, but nothing gets through.
TEST_F(SwapPlanTest, OneThatWasLostIsNotWaitedForUntilItHasAFrame) {
  begin();
  plan_.lose(2, now_ns_);
  EXPECT_TRUE(plan_.is_left_behind(2));
  ready(1, 2, 1);
  EXPECT_EQ(take_shows().size(), 1U);
  ready(2, 3, 1);
  EXPECT_FALSE(plan_.is_left_behind(2));
  plan_.lose(1, now_ns_);
  plan_.lose(2, now_ns_);
  EXPECT_FALSE(plan_.is_left_behind(2)) << "there are no others";
}

TEST_F(SwapPlanTest, WhoMissedAFrameHearsOfItAlone) {
  begin();
  ready(1, 2, 1);
  now_ns_ += kBarrierTimeoutMs * kMillisecondNs;
  plan_.tick(now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U) << "member 2 is left behind";
  EXPECT_FALSE(shows[0].only);
  ready(2, 2, 1);
  const auto late = take_shows();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].only, 2U);
  EXPECT_EQ(late[0].frame, 2U);
}

TEST_F(SwapPlanTest, AReceiverThatIsLeftBehindDropsTheFrameThatItHolds) {
  begin();
  ready(2, 2, 1);
  ready(1, 3, 1);
  EXPECT_TRUE(take_shows().empty());
  now_ns_ += SwapBarrier::kLongestTimeoutNs;
  plan_.tick(now_ns_);
  EXPECT_TRUE(plan_.is_left_behind(2));
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 2U);
  EXPECT_EQ(shows[0].frame, 3U);
  EXPECT_EQ(shows[1].frame, 2U);
  EXPECT_EQ(shows[1].at_ns, 0);
  EXPECT_EQ(shows[1].only, 2U);
  ready(1, 4, 1);
  EXPECT_EQ(take_shows().size(), 1U) << "it was told once";
}

// After a cut: receiver 1 gets a frame by the old map, which no layout shows any more, so the
// layout times out. Receiver 2 has one frame by the new map.
TEST_F(SwapPlanTest, FramesThatWaitedForAnUnreachableReceiverAreAllShown) {
  plan_ = SwapPlan(false, 40.0 * kMillisecondNs);
  begin();
  ready(1, 2, 1);
  now_ns_ += 40 * kMillisecondNs;
  ready(1, 3, 1);
  now_ns_ += 30 * kMillisecondNs;
  EXPECT_FALSE(plan_.catches_up(now_ns_));
  plan_.mark_unreachable(2, now_ns_);
  // As long as they waited, and two half intervals.
  EXPECT_TRUE(plan_.catches_up(now_ns_ + 109 * kMillisecondNs));
  EXPECT_FALSE(plan_.catches_up(now_ns_ + 110 * kMillisecondNs));
  std::vector<int64_t> after_ms;  // the others continue without it
  const int64_t left_ns = now_ns_;
  const auto add_shows = [&] {
    for (const SwapPlan::Show& show : take_shows()) {
      EXPECT_EQ(show.frame, 2 + after_ms.size());
      after_ms.push_back((show.at_ns - left_ns) / kMillisecondNs);
    }
  };
  add_shows();
  now_ns_ += 10 * kMillisecondNs;
  for (uint64_t frame = 4; frame < 8; ++frame) {
    ready(1, frame, 1);
    add_shows();
    now_ns_ += 40 * kMillisecondNs;
  }
  EXPECT_EQ(after_ms, (std::vector<int64_t>{1, 21, 41, 61, 91, 131})) << "then they are on time";
}

TEST_F(SwapPlanTest, ALayoutDoesNotWaitForAnUnreachableReceiver) {
  begin();
  route(2, {1, 2});
  EXPECT_FALSE(plan_.waits_since_ns());
  ready(1, 2, 2);
  EXPECT_EQ(plan_.waits_since_ns(), now_ns_);
  EXPECT_FALSE(plan_.take_settled());
  plan_.mark_unreachable(2, now_ns_);
  EXPECT_TRUE(plan_.take_settled());
  EXPECT_FALSE(plan_.waits_since_ns());
}

// They are too old.
TEST_F(SwapPlanTest, OfFramesThatWaitedForLongOnlyTheNewestIsShown) {
  plan_ = SwapPlan(false, 40.0 * kMillisecondNs);
  begin();
  ready(1, 2, 1);
  ready(1, 3, 1);
  now_ns_ += 200 * kMillisecondNs;
  plan_.mark_unreachable(2, now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 3U);
}

TEST_F(SwapPlanTest, AReceiverThatALayoutLeavesBehindDropsTheFrameThatItHolds) {
  begin();
  plan_.lose(2, now_ns_);
  route(2, {1, 2});
  ready(1, 2, 1);
  ASSERT_EQ(take_shows().size(), 1U);
  for (const uint64_t frame : {2, 3, 4}) ready(1, frame, 2);
  ready(2, 2, 2);
  EXPECT_FALSE(plan_.take_settled()) << "frame 2 of the old map is not reported";
  now_ns_ += SwapBarrier::kLongestTimeoutNs;
  plan_.tick(now_ns_);
  plan_.take_effect(2, 0, now_ns_, now_ns_);
  EXPECT_TRUE(plan_.is_left_behind(2));
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 2U);
  EXPECT_EQ(shows[0].frame, 4U);
  EXPECT_EQ(shows[1].frame, 2U);
  EXPECT_EQ(shows[1].epoch, 2U);
  EXPECT_EQ(shows[1].at_ns, 0);
  EXPECT_EQ(shows[1].only, 2U);
}

TEST_F(SwapPlanTest, LostMemberHoldsUpNeitherFramesNorLayouts) {
  begin();
  ready(1, 2, 1);
  plan_.lose(2, now_ns_);
  EXPECT_EQ(take_shows().size(), 1U);
  route(2, {1, 2});
  ready(1, 3, 2);
  plan_.lose(2, now_ns_);
  shown(1, 2, 1);
  EXPECT_EQ(plan_.take_settled()->frame, 3U);
}

// --- frames with a presentation time -------------------------------------------------------------

TEST_F(SwapPlanTest, AFrameIsShownAtItsInstantOrSoonAfter) {
  begin();
  plan_.add(2, now_ns_ + 100 * kMillisecondNs, 1);
  plan_.add(3, now_ns_ - 100 * kMillisecondNs, 2);
  ready(1, 2, 1);
  ready(2, 2, 1);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + 100 * kMillisecondNs);
  now_ns_ += 200 * kMillisecondNs;
  ready(1, 3, 1);
  ready(2, 3, 1);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + kMessageLeadNs) << "past";
}

TEST_F(SwapPlanTest, WhoIsBackShowsAFrameNoSoonerThanTheOthers) {
  begin();
  plan_.add(2, now_ns_ + 100 * kMillisecondNs, 1);
  plan_.lose(2, now_ns_);
  ready(1, 2, 1);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + 100 * kMillisecondNs);
  ready(2, 2, 1);
  const auto late = take_shows();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].only, 2U);
  EXPECT_EQ(late[0].at_ns, now_ns_ + 100 * kMillisecondNs);
}

// So that a layout need not wait for the frame.
TEST_F(SwapPlanTest, ReceiversHearOfAFrameShortlyBeforeItsInstant) {
  begin();
  plan_.add(2, now_ns_ + 450 * kMillisecondNs, 1);
  ready(1, 2, 1);
  ready(2, 2, 1);
  plan_.tick(now_ns_ += 200 * kMillisecondNs);
  EXPECT_TRUE(take_shows().empty());
  plan_.tick(now_ns_ += 100 * kMillisecondNs);
  EXPECT_EQ(take_shows().at(0).at_ns, now_ns_ + 150 * kMillisecondNs);
}

// Otherwise frames in between would be too late.
TEST_F(SwapPlanTest, ALayoutBringsNoFrameThatIsNotDueWhenThereIsAnother) {
  begin();
  plan_.add(2, now_ns_ + 40 * kMillisecondNs, 1);
  plan_.add(3, now_ns_ + 73 * kMillisecondNs, 2);
  ready(1, 2, 1);
  ready(2, 2, 1);
  EXPECT_EQ(take_shows().size(), 1U);
  route(2, {1, 2});
  for (const uint64_t frame : {2, 3}) {
    ready(1, frame, 2);
    ready(2, frame, 2);
  }
  EXPECT_FALSE(plan_.take_settled()) << "frame 2 is not shown by the old map";
  now_ns_ += 45 * kMillisecondNs;
  shown(1, 2, 1);
  shown(2, 2, 1);
  EXPECT_EQ(plan_.take_settled()->frame, 2U);
  plan_.take_effect(2, 2, now_ns_ + 5 * kMillisecondNs, now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 3U);
  EXPECT_EQ(shows[0].at_ns, now_ns_ + 28 * kMillisecondNs) << "its instant";
}

TEST_F(SwapPlanTest, ApartEachReceiverShowsWhatItHas) {
  plan_ = SwapPlan(true);
  begin();
  ready(1, 2, 1);
  auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].only, 1U);
  ready(1, 3, 1);
  ready(2, 2, 1);
  shows = take_shows();
  ASSERT_EQ(shows.size(), 2U);
  EXPECT_EQ(shows[1].frame, 2U);
  EXPECT_EQ(shows[1].only, 2U) << "late, and all the same";
  // A layout waits for the frames announced to each member.
  route(2, {1, 2});
  ready(1, 4, 2);
  ready(2, 4, 2);
  shown(2, 2, 1);
  EXPECT_FALSE(plan_.take_settled());
  shown(1, 3, 1);
  EXPECT_TRUE(plan_.take_settled());
}

class GroupedPlanTest : public SwapPlanTest {
 protected:
  GroupedPlanTest() {
    begin();
    plan_.set_grouped(true, now_ns_);
    for (uint64_t frame = 2; frame < 10; ++frame) plan_.add(frame, now_ns_, name(frame));
  }
  static int64_t name(uint64_t frame) { return static_cast<int64_t>(frame) * 33 * kMillisecondNs; }
  void whole(uint64_t frame, uint64_t epoch = 1) {
    ready(1, frame, epoch);
    ready(2, frame, epoch);
  }
  void expect_word(GroupVote vote, uint64_t frame) {
    ASSERT_EQ(plan_.votes().size(), 1U);
    EXPECT_EQ(plan_.votes()[0].vote, vote);
    EXPECT_EQ(plan_.votes()[0].name, frame == 0 ? 0 : name(frame));
    plan_.clear_votes();
  }
};

TEST_F(GroupedPlanTest, TheGroupSaysWhenAFrameIsShown) {
  whole(2);
  expect_word(GroupVote::kReady, 2);
  EXPECT_TRUE(take_shows().empty());
  plan_.decide(DecisionKind::kShow, name(2) + kSamePresentNs, now_ns_ + 10 * kMillisecondNs,
               now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 2U);
  EXPECT_EQ(shows[0].at_ns, now_ns_ + 10 * kMillisecondNs);
  plan_.decide(DecisionKind::kShow, name(2), now_ns_ + 10 * kMillisecondNs, now_ns_);
  plan_.decide(DecisionKind::kShow, name(9), now_ns_ + 10 * kMillisecondNs, now_ns_);
  EXPECT_TRUE(take_shows().empty()) << "once, and nothing that is not whole";
}

TEST_F(GroupedPlanTest, WhatTheGroupDropsTheReceiversDrop) {
  whole(2);
  whole(3);
  plan_.decide(DecisionKind::kDrop, name(2), 0, now_ns_);
  auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 2U);
  EXPECT_EQ(shows[0].at_ns, 0);
  // The group shows a frame that this stream does not have: older frames are not shown either.
  plan_.decide(DecisionKind::kShow, name(4), now_ns_, now_ns_);
  shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].frame, 3U);
  EXPECT_EQ(shows[0].at_ns, 0);
}

TEST_F(GroupedPlanTest, ALayoutsFirstFrameWaitsForTheGroup) {
  route(2, {1, 2});
  whole(2, 2);
  expect_word(GroupVote::kLayoutReady, 2);
  EXPECT_FALSE(plan_.take_settled());
  whole(3, 2);
  expect_word(GroupVote::kLayoutReady, 3);
  plan_.decide(DecisionKind::kLayoutGranted, name(2), 0, now_ns_);
  EXPECT_EQ(plan_.take_settled()->frame, 2U);
  plan_.take_effect(2, 2, now_ns_ + 20 * kMillisecondNs, now_ns_);
  ASSERT_EQ(plan_.votes().size(), 2U);
  EXPECT_EQ(plan_.votes()[0].vote, GroupVote::kLayoutAt);
  EXPECT_EQ(plan_.votes()[0].name, name(2));
  EXPECT_EQ(plan_.votes()[0].at_ns, now_ns_ + 20 * kMillisecondNs);
  EXPECT_EQ(plan_.votes()[1].vote, GroupVote::kReady) << "3, as every frame from now on";
}

TEST_F(GroupedPlanTest, ALayoutIsNotShownBeforeWhatTheGroupRuled) {
  route(2, {});
  plan_.take_effect(2, 0, now_ns_, now_ns_);
  plan_.decide(DecisionKind::kShow, name(9), now_ns_ + 50 * kMillisecondNs, now_ns_);
  ASSERT_EQ(take_shows().size(), 1U) << "no tile has it, but those of other members do";
  route(3, {1});
  plan_.add(10, now_ns_, name(10));
  ready(1, 10, 3);
  plan_.decide(DecisionKind::kLayoutGranted, name(10), 0, now_ns_);
  EXPECT_FALSE(plan_.take_settled());
  plan_.tick(now_ns_ += 50 * kMillisecondNs);
  EXPECT_EQ(plan_.take_settled()->frame, 10U);
}

TEST_F(GroupedPlanTest, WhoseReceiversAreLostHoldsUpNobody) {
  plan_.lose(1, now_ns_);
  plan_.lose(2, now_ns_);
  plan_.add(10, now_ns_, name(10));
  expect_word(GroupVote::kReady, 10);
  ready(1, 10, 1);
  EXPECT_TRUE(plan_.votes().empty()) << "once";
  plan_.decide(DecisionKind::kShow, name(10), now_ns_ + 10 * kMillisecondNs, now_ns_);
  EXPECT_TRUE(plan_.is_for(take_shows().at(0), 1)) << "it is back";
  route(2, {1});
  plan_.lose(1, now_ns_);
  plan_.add(11, now_ns_, name(11));
  expect_word(GroupVote::kLayoutReady, 11);
}

TEST_F(GroupedPlanTest, TheGroupHearsHowManyMembersALayoutMoves) {
  route(2, {1, 2}, 3);
  whole(2, 2);
  ASSERT_EQ(plan_.votes().size(), 1U);
  EXPECT_EQ(plan_.votes()[0].members, 3U);
}

TEST_F(GroupedPlanTest, AFirstFrameWithoutATimeHoldsUpNeitherLayoutNorGroup) {
  route(2, {1, 2});
  whole(20, 2);
  expect_word(GroupVote::kWithdrawn, 0);
  EXPECT_TRUE(plan_.take_settled());
  whole(21, 2);
  EXPECT_TRUE(plan_.votes().empty()) << "once";
}

TEST_F(GroupedPlanTest, ALayoutThatIsNotToBeIsTakenBack) {
  route(2, {1, 2});
  whole(2, 2);
  plan_.clear_votes();
  plan_.revert(2, now_ns_);
  expect_word(GroupVote::kWithdrawn, 0);
  route(3, {1, 2});
  plan_.take_effect(3, 0, now_ns_, now_ns_);
  expect_word(GroupVote::kWithdrawn, 0);
}

TEST_F(GroupedPlanTest, ANewTableHearsOfAllAgain) {
  whole(2);
  route(2, {1, 2});
  whole(3, 2);
  plan_.clear_votes();
  plan_.resend();
  ASSERT_EQ(plan_.votes().size(), 2U);
  EXPECT_EQ(plan_.votes()[0].vote, GroupVote::kReady);
  EXPECT_EQ(plan_.votes()[1].vote, GroupVote::kLayoutReady);
}

TEST_F(GroupedPlanTest, FramesGoByThemselvesWhenThereIsNoGroupAnyMore) {
  whole(2);
  plan_.set_grouped(false, now_ns_);
  EXPECT_EQ(take_shows().at(0).frame, 2U);
  plan_.decide(DecisionKind::kShow, name(2), now_ns_, now_ns_);
  EXPECT_TRUE(take_shows().empty());
}

// --- parts of frames ----------------------------------------------------------------------------

// Parts without a presentation time are matched by name; no part is shown alone.
TEST_F(SwapPlanTest, PartsWaitForTheTable) {
  plan_.set_grouped(true, now_ns_);
  begin();
  plan_.clear_votes();
  plan_.add(2, 0, 2 * kPartNameNs);
  ready(1, 2, 1);
  ready(2, 2, 1);
  EXPECT_TRUE(take_shows().empty());
  ASSERT_EQ(plan_.votes().size(), 1U);
  EXPECT_EQ(plan_.votes()[0].vote, GroupVote::kReady);
  EXPECT_EQ(plan_.votes()[0].name, 2 * kPartNameNs);
  EXPECT_GT(plan_.votes()[0].lead_ns, kMessageLeadNs) << "there is time for the table's word";
  plan_.decide(DecisionKind::kShow, 2 * kPartNameNs, now_ns_ + 9 * kMillisecondNs, now_ns_);
  const auto shows = take_shows();
  ASSERT_EQ(shows.size(), 1U);
  EXPECT_EQ(shows[0].at_ns, now_ns_ + 9 * kMillisecondNs);
}

// The others already have it, so the table answers this part alone.
TEST_F(SwapPlanTest, APartThatIsSubmittedAgainHasTheSameName) {
  plan_.set_grouped(true, now_ns_);
  begin();
  const auto submit = [&](uint64_t frame) {
    plan_.clear_votes();
    plan_.add(frame, 0, 2 * kPartNameNs);
    ready(1, frame, 1);
    ready(2, frame, 1);
    ASSERT_EQ(plan_.votes().size(), 1U);
    EXPECT_EQ(plan_.votes()[0].name, 2 * kPartNameNs);
    plan_.decide(DecisionKind::kShow, 2 * kPartNameNs, now_ns_ + 9 * kMillisecondNs, now_ns_);
    const auto shows = take_shows();
    ASSERT_EQ(shows.size(), 1U);
    EXPECT_EQ(shows[0].frame, frame);
  };
  submit(2);
  submit(3);
}

// The former table's decision may not have reached every member.
TEST_F(SwapPlanTest, ANewTableHearsWhatIsShown) {
  plan_.set_grouped(true, now_ns_);
  begin();
  plan_.add(2, 0, 2 * kPartNameNs);
  ready(1, 2, 1);
  ready(2, 2, 1);
  plan_.decide(DecisionKind::kShow, 2 * kPartNameNs, now_ns_ + 9 * kMillisecondNs, now_ns_);
  ASSERT_EQ(take_shows().size(), 1U);
  plan_.resend();
  ASSERT_EQ(plan_.votes().size(), 1U);
  EXPECT_EQ(plan_.votes()[0].name, 2 * kPartNameNs);
  plan_.decide(DecisionKind::kShow, 2 * kPartNameNs, now_ns_ + 19 * kMillisecondNs, now_ns_);
  EXPECT_TRUE(take_shows().empty()) << "once";
}

TEST_F(SwapPlanTest, APartThatNobodyShowsIsWholeAtOnce) {
  plan_.set_grouped(true, now_ns_);
  begin();
  route(2, {});
  plan_.clear_votes();
  plan_.add(2, 0, 2 * kPartNameNs);
  EXPECT_EQ(plan_.votes().size(), 1U) << "while the layout comes, too";
  plan_.clear_votes();
  plan_.take_effect(2, 0, now_ns_, now_ns_);
  EXPECT_EQ(plan_.votes().back().vote, GroupVote::kReady) << "since all it said is forgotten";
  plan_.clear_votes();
  plan_.add(3, 0, 3 * kPartNameNs);
  ASSERT_EQ(plan_.votes().size(), 1U);
  EXPECT_EQ(plan_.votes()[0].vote, GroupVote::kReady);
  plan_.clear_votes();
  plan_.resend();
  EXPECT_EQ(plan_.votes().size(), 2U) << "until they are ruled on";
}

}  // namespace
}  // namespace sail
