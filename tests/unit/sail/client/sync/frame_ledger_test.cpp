#include "sail/client/sync/frame_ledger.h"
#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

#include <vector>

namespace sail {
namespace {

class FrameLedgerTest : public testing::Test {
 protected:
  void report(uint32_t receiver, uint64_t frame, uint64_t epoch, int64_t swapped_ns) {
    ledger.reported(receiver, {.frame = frame,
                               .epoch = epoch,
                               .outcome = FrameOutcome::kShown,
                               .swapped_ns = swapped_ns});
  }
  void report_dropped(uint32_t receiver, uint64_t frame, uint64_t epoch,
                      DropCause cause = DropCause::kSuperseded) {
    ledger.reported(
        receiver,
        {.frame = frame, .epoch = epoch, .outcome = FrameOutcome::kDropped, .cause = cause});
  }
  std::vector<FrameFate> result() {
    std::vector<FrameFate> fates(ledger.decided().begin(), ledger.decided().end());
    ledger.clear_decided();
    return fates;
  }
  // The fate of a frame that was not shown.
  static FrameFate dropped(uint64_t number, uint32_t receivers, int64_t submitted_ns) {
    return {.number = number, .receivers = receivers, .submitted_ns = submitted_ns};
  }

  FrameLedger ledger;
};

TEST_F(FrameLedgerTest, ShownWhenAllReceiversHaveShownIt) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.sent(11, 1, 1);
  report(11, 1, 1, 300);
  EXPECT_TRUE(result().empty());
  report(10, 1, 1, 250);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{1, true, 2, 100, 250, 300}}));
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 1, .shown = 1, .dropped = 0}));
}

TEST_F(FrameLedgerTest, DroppedWhenOneReceiverDroppedIt) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.sent(11, 1, 1);
  report_dropped(10, 1, 1);
  EXPECT_TRUE(result().empty());  // the other report is missing
  report(11, 1, 1, 300);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 2, 100)});
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 1, .shown = 0, .dropped = 1}));
}

TEST_F(FrameLedgerTest, DroppedWhenAReceiverOfTheMapWasNotSentIt) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  report(10, 1, 1, 300);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 1, 100)});
}

TEST_F(FrameLedgerTest, AFrameThatNobodyShowsIsToldAtOnce) {
  ledger.route(1, 0);
  ledger.add(1, 100);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 0, 100)});
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 0, .shown = 0, .dropped = 1}));
}

TEST_F(FrameLedgerTest, AFrameThatLacksWhatANewMapShowsIsNotWaitedFor) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.route(2, 2, false);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 0, 100)});
  // A frame sent under the former map may still be shown.
  ledger.add(2, 200);
  ledger.sent(10, 2, 2);
  ledger.sent(11, 2, 2);
  ledger.route(3, 2, false);
  EXPECT_TRUE(result().empty());
  report(10, 2, 2, 300);
  report(11, 2, 2, 300);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{2, true, 2, 200, 300, 300}}));
}

TEST_F(FrameLedgerTest, TheFrameOnTheWallIsShown) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.already_shown(1, 150);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{1, true, 2, 100, 150, 150}}));
  ledger.already_shown(1, 160);
  EXPECT_TRUE(result().empty());
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 0, .shown = 1, .dropped = 0}));
}

TEST_F(FrameLedgerTest, WithoutAMapNothingIsShown) {
  ledger.add(1, 100);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 0, 100)});
}

TEST_F(FrameLedgerTest, TheNewestFrameWaitsForAReceiverToTakeIt) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  EXPECT_TRUE(result().empty());
  ledger.add(2, 200);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 0, 100)});
  ledger.sent(10, 2, 1);
  report(10, 2, 1, 300);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{2, true, 1, 200, 300, 300}}));
}

TEST_F(FrameLedgerTest, AnOlderFrameKeepsWaitingForItsReports) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.add(2, 200);
  ledger.sent(10, 2, 1);
  report(10, 2, 1, 500);
  report(10, 1, 1, 400);
  EXPECT_EQ(result(),
            (std::vector<FrameFate>{{2, true, 1, 200, 500, 500}, {1, true, 1, 100, 400, 400}}));
}

TEST_F(FrameLedgerTest, ALostReceiverShowsNothingOfWhatItHas) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.sent(11, 1, 1);
  report(10, 1, 1, 300);
  ledger.lost(11);
  EXPECT_EQ(result(), std::vector<FrameFate>{dropped(1, 2, 100)});
  // The receiver reconnects and gets the frame again, which has no effect.
  ledger.sent(11, 1, 1);
  report(11, 1, 1, 400);
  EXPECT_TRUE(result().empty());
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 1, .shown = 0, .dropped = 1}));
}

TEST_F(FrameLedgerTest, AFrameSentAgainForANewMapIsCountedOnce) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  report(10, 1, 1, 300);
  EXPECT_EQ(result().size(), 1U);
  ledger.route(2, 2);
  ledger.sent(10, 1, 2);
  ledger.sent(11, 1, 2);
  report(10, 1, 2, 600);
  report_dropped(11, 1, 2);
  EXPECT_TRUE(result().empty());
  EXPECT_EQ(ledger.counters(), (FrameLedger::Counters{.sent = 1, .shown = 1, .dropped = 0}));
}

TEST_F(FrameLedgerTest, AFrameThatTheOldMapDroppedMayBeShownByTheNewOne) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.route(2, 2);
  report_dropped(10, 1, 1);
  EXPECT_TRUE(result().empty());  // it will be sent under the new map
  ledger.sent(10, 1, 2);
  ledger.sent(11, 1, 2);
  report(10, 1, 2, 600);
  report(11, 1, 2, 700);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{1, true, 2, 100, 600, 700}}));
}

TEST_F(FrameLedgerTest, ShownByTheOldMapAlthoughTheNewOneIsUnderWay) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.route(2, 1);
  ledger.sent(11, 1, 2);
  report(10, 1, 1, 300);
  EXPECT_EQ(result(), (std::vector<FrameFate>{{1, true, 1, 100, 300, 300}}));
}

TEST_F(FrameLedgerTest, AbandonedFramesAreDropped) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.add(2, 200);
  ledger.abandon();
  EXPECT_EQ(result(), (std::vector<FrameFate>{dropped(1, 1, 100), dropped(2, 0, 200)}));
  report(10, 1, 1, 300);  // ignored by now
  EXPECT_TRUE(result().empty());
}

TEST_F(FrameLedgerTest, StrangeReportsChangeNothing) {
  ledger.route(1, 1);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  report(11, 1, 1, 300);  // from another receiver
  report(10, 1, 2, 300);  // from another epoch
  report(10, 2, 1, 300);  // for another frame
  EXPECT_TRUE(result().empty());
}

// --- causes of drops ----------------------------------------------------------------------------

TEST_F(FrameLedgerTest, DropsAreCountedByWhatCausedThem) {
  ledger.route(1, 2);
  const auto drop = [this](uint64_t frame, DropCause at_one, DropCause at_other) {
    ledger.add(frame, 100);
    ledger.sent(10, frame, 1);
    ledger.sent(11, frame, 1);
    report_dropped(10, frame, 1, at_one);
    report_dropped(11, frame, 1, at_other);
  };
  drop(1, DropCause::kSuperseded, DropCause::kSuperseded);
  EXPECT_EQ(ledger.drops(), DropCounts{.superseded = 1});
  drop(2, DropCause::kSuperseded, DropCause::kLost);  // superseded because it was lost
  EXPECT_EQ(ledger.drops(), (DropCounts{.superseded = 1, .lost = 1}));
  drop(3, DropCause::kIncomplete, DropCause::kSuperseded);
  drop(4, DropCause::kOldEpoch, DropCause::kSuperseded);
  drop(5, DropCause::kHidden, DropCause::kHidden);
  EXPECT_EQ(ledger.drops(),
            (DropCounts{.superseded = 1, .old_epoch = 1, .incomplete = 1, .hidden = 1, .lost = 1}));
  EXPECT_EQ(ledger.counters().dropped, 5U);
  drop(6, DropCause::kFrozen, DropCause::kHidden);  // no tile of that receiver shows it
  EXPECT_EQ(ledger.drops().frozen, 1U);
}

TEST_F(FrameLedgerTest, AFrameThatDidNotGoEverywhereIsUnsent) {
  ledger.route(1, 2);
  ledger.add(1, 100);
  ledger.sent(10, 1, 1);
  ledger.add(2, 200);  // before the other receiver got frame 1
  report_dropped(10, 1, 1);
  ledger.add(3, 300);  // and frame 2 was sent to no receiver
  EXPECT_EQ(ledger.drops(), DropCounts{.unsent = 2});
  ledger.sent(10, 3, 1);
  ledger.sent(11, 3, 1);
  ledger.lost(10);
  ledger.lost(11);
  ledger.add(4, 400);
  EXPECT_EQ(ledger.drops(), DropCounts{.unsent = 3});
}

TEST_F(FrameLedgerTest, AFrameThatNoTileShowsIsHidden) {
  ledger.route(1, 0);
  ledger.add(1, 100);
  EXPECT_EQ(ledger.drops(), DropCounts{.hidden = 1});
}

TEST_F(FrameLedgerTest, LatencyAndSkewOfRecentFrames) {
  ledger.route(1, 2);
  for (uint64_t frame = 1; frame <= 100; ++frame) {
    const auto of_frame = static_cast<int64_t>(frame);
    ledger.add(frame, 1000 * kMillisecondNs);
    ledger.sent(10, frame, 1);
    ledger.sent(11, frame, 1);
    // Latencies of 1 … 100 ms, skews of 1 … 100 µs.
    report(10, frame, 1, (1000 + of_frame) * kMillisecondNs);
    report(11, frame, 1, (1000 + of_frame) * kMillisecondNs - of_frame * 1000);
  }
  const FrameLedger::Recent recent = ledger.take_recent();
  EXPECT_EQ(recent.shown, 100U);
  EXPECT_DOUBLE_EQ(recent.latency_ms_p50, 50);
  EXPECT_DOUBLE_EQ(recent.latency_ms_p99, 99);
  EXPECT_DOUBLE_EQ(recent.skew_us_p50, 50);
  EXPECT_DOUBLE_EQ(recent.skew_us_p99, 99);
  EXPECT_EQ(ledger.take_recent().shown, 0U);
}

TEST_F(FrameLedgerTest, AbsurdStampsGiveNoNonsense) {
  ledger.route(1, 1);
  ledger.add(1, 1000 * kMillisecondNs);
  ledger.sent(10, 1, 1);
  report(10, 1, 1, 1);  // swapped before submission
  EXPECT_EQ(ledger.take_recent().latency_ms_p99, 0);
}

}  // namespace
}  // namespace sail
