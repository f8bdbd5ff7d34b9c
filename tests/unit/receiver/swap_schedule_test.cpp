#include "receiver/swap_schedule.h"

#include <gtest/gtest.h>
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using Action = SwapSchedule::Action;

const sail::BlockGrid kSwapGrid({64, 64}, {64, 64});
constexpr int64_t kPaintNs = 5;

class SwapScheduleTest : public testing::Test {
 protected:
  void add(int64_t at_ns, const std::vector<uint32_t>& streams, bool scene = false,
           int64_t arrived_ns = 1) {
    Swap swap{.at_ns = at_ns, .arrived_ns = arrived_ns, .scene = {}, .frames = {}};
    for (const uint32_t stream : streams) {
      swap.frames.push_back(empty_frame(kSwapGrid, stream, {}));
    }
    if (scene) swap.scene = std::make_shared<const sail::Scene>();
    schedule_.add(std::move(swap));
  }
  // Expects a step; a swap is identified by its time.
  void expect(int64_t now_ns, Action action, int64_t at_ns) {
    const auto step = schedule_.next(now_ns, kPaintNs);
    ASSERT_EQ(step.action, action);
    if (action == Action::kWait) {
      EXPECT_EQ(step.until_ns, at_ns);
    } else if (action == Action::kSnapshot) {
      EXPECT_EQ(step.snapshot.at_ns, at_ns);
    } else {
      EXPECT_EQ(step.swap->job.at_ns, at_ns);
    }
  }
  // Paints as the stage does: the composition takes the frames, and their outcome stays.
  int64_t paint(int64_t now_ns) {
    const auto step = schedule_.next(now_ns, kPaintNs);
    EXPECT_EQ(step.action, Action::kPaint);
    for (const auto& frame : step.swap->job.frames) {
      EndedFrame ended;
      ended.stream = frame->stream();
      step.swap->ended.push_back(ended);
    }
    step.swap->job.frames.clear();
    return schedule_.painted(*step.swap, now_ns);
  }
  void present(int64_t now_ns) {
    const auto step = schedule_.next(now_ns, kPaintNs);
    ASSERT_EQ(step.action, Action::kPresent);
    schedule_.shown(*step.swap, now_ns);
  }
  void take(int64_t now_ns) {
    const auto step = schedule_.next(now_ns, kPaintNs);
    ASSERT_EQ(step.action, Action::kSnapshot);
    schedule_.taken(step.snapshot, now_ns);
  }

  SwapSchedule schedule_;
};

TEST_F(SwapScheduleTest, PaintsAtOnceAndSwapsAtTheInstant) {
  expect(0, Action::kWait, SwapSchedule::kForever);
  add(100, {1});
  expect(10, Action::kPaint, 100);
  paint(15);
  expect(15, Action::kWait, 100);
  expect(99, Action::kWait, 100);
  expect(100, Action::kPresent, 100);
  present(100);
  expect(101, Action::kWait, SwapSchedule::kForever);
}

TEST_F(SwapScheduleTest, LatePaintingIsSwappedAtOnce) {
  add(100, {1});
  paint(120);
  expect(120, Action::kPresent, 100);
}

TEST_F(SwapScheduleTest, OtherWindowsArePaintedWhileOneWaits) {
  add(100, {1});
  add(90, {2});
  paint(10);
  expect(11, Action::kPaint, 90);
  paint(12);
  expect(12, Action::kWait, 90);
  expect(90, Action::kPresent, 90);
  present(90);
  expect(91, Action::kWait, 100);
}

TEST_F(SwapScheduleTest, TheSameWindowKeepsItsOrder) {
  add(100, {1, 2});
  add(110, {2, 3});
  paint(10);
  expect(11, Action::kWait, 100);
  present(100);
  expect(100, Action::kPaint, 110);
}

TEST_F(SwapScheduleTest, ALayoutWaitsForWhatCameBeforeAndHoldsBackWhatComesAfter) {
  add(100, {1});
  add(110, {}, true);
  add(120, {2});
  paint(10);
  expect(11, Action::kWait, 100);
  present(100);
  expect(100, Action::kPaint, 110);
  paint(101);
  expect(101, Action::kWait, 110);
  present(110);
  expect(110, Action::kPaint, 120);
}

// Frames announced before the layout; later ones are not shown either.
TEST_F(SwapScheduleTest, FramesOfTheLayoutBeforeAreNotShownAfterIt) {
  const auto add_frame = [this](int64_t at_ns, uint32_t stream, uint64_t epoch) {
    Swap swap{.at_ns = at_ns, .arrived_ns = 1, .scene = {}, .frames = {}};
    swap.frames.push_back(empty_frame(kSwapGrid, stream, {epoch, 1}));
    schedule_.add(std::move(swap));
  };
  add_frame(100, 1, 1);
  add_frame(120, 1, 1);
  add_frame(120, 2, 1);
  sail::Scene scene;
  scene.windows.resize(2);
  scene.windows[0].window = 1;
  scene.windows[0].epoch = 2;
  scene.windows[1].window = 2;
  scene.windows[1].epoch = 1;
  schedule_.add(Swap{.at_ns = 110,
                     .arrived_ns = 1,
                     .scene = std::make_shared<const sail::Scene>(scene),
                     .frames = {}});
  const std::list<PlannedSwap>& swaps = schedule_.swaps();
  ASSERT_EQ(swaps.size(), 4U);
  EXPECT_EQ(swaps.front().job.frames.size(), 1U) << "before it";
  const PlannedSwap& left_out = *std::next(swaps.begin(), 2);
  EXPECT_TRUE(left_out.job.frames.empty());
  EXPECT_EQ(left_out.released.size(), 1U);
  ASSERT_EQ(left_out.ended.size(), 1U);
  EXPECT_EQ(left_out.ended[0].cause, sail::DropCause::kOldEpoch);
  EXPECT_EQ(left_out.job.at_ns, 110) << "nobody waits for it";
  EXPECT_EQ(swaps.back().job.frames.size(), 1U) << "of a window that stays as it is";
}

TEST_F(SwapScheduleTest, FramesOfTheLayoutBeforeAreShownAfterALayoutThatASenderAskedFor) {
  Swap former{.at_ns = 120, .arrived_ns = 1, .scene = {}, .frames = {}};
  former.frames.push_back(empty_frame(kSwapGrid, 1, {1, 1}));
  schedule_.add(std::move(former));
  sail::Scene scene;
  scene.windows.resize(1);
  scene.windows[0].window = 1;
  scene.windows[0].epoch = 2;
  schedule_.add(Swap{.at_ns = 110,
                     .arrived_ns = 1,
                     .scene = std::make_shared<const sail::Scene>(scene),
                     .frames = {},
                     .keeps_former = true});
  const std::list<PlannedSwap>& swaps = schedule_.swaps();
  ASSERT_EQ(swaps.size(), 2U);
  EXPECT_EQ(swaps.back().job.frames.size(), 1U);
  EXPECT_EQ(swaps.back().job.at_ns, 120);
}

TEST_F(SwapScheduleTest, ALayoutGoesBeforeAllThatIsLaterWhateverWasToldLast) {
  add(120, {1});
  add(130, {1});
  add(100, {2});
  add(110, {}, true);
  std::vector<int64_t> instants;
  for (const PlannedSwap& swap : schedule_.swaps()) instants.push_back(swap.job.at_ns);
  EXPECT_EQ(instants, (std::vector<int64_t>{100, 110, 120, 130}));
}

TEST_F(SwapScheduleTest, PaintingDoesNotMakeASwapLate) {
  add(100, {1});
  paint(10);
  add(150, {2});
  expect(96, Action::kWait, 100);
  expect(95, Action::kPaint, 150);
}

TEST_F(SwapScheduleTest, RenderTimeLeavesOutTheWaitForAnEarlierSwap) {
  add(100, {1}, false, 10);
  EXPECT_EQ(paint(14), 4);
  add(130, {1}, false, 20);  // held back until 100
  add(120, {2}, false, 20);
  EXPECT_EQ(paint(26), 6);
  present(100);
  EXPECT_EQ(paint(107), 7);
}

TEST_F(SwapScheduleTest, LaterFrameThatIsDueOvertakes) {
  add(100, {1, 2});
  add(110, {1});
  add(200, {2});
  const auto step = schedule_.next(150, kPaintNs);
  ASSERT_EQ(step.swap->job.at_ns, 100);
  EXPECT_TRUE(schedule_.overtaken(*step.swap, 1, 150));
  EXPECT_FALSE(schedule_.overtaken(*step.swap, 2, 150));
  EXPECT_FALSE(schedule_.overtaken(*step.swap, 1, 105));
}

TEST_F(SwapScheduleTest, SnapshotComesBetweenTheSwapsBeforeAndAfterIt) {
  schedule_.add(TakeSnapshot{1, 105});
  add(100, {1});
  add(110, {2});
  paint(10);
  expect(11, Action::kWait, 100);  // 110 is not painted yet
  present(100);
  expect(101, Action::kWait, 105);
  expect(105, Action::kSnapshot, 105);
  take(105);
  expect(105, Action::kPaint, 110);
}

// After a seek a frame's time may be before that of a frame announced earlier.
TEST_F(SwapScheduleTest, ASnapshotDoesNotWaitForWhatMustFollowALaterSwap) {
  add(200, {1});
  add(100, {1});
  schedule_.add(TakeSnapshot{7, 150});
  take(150);
  paint(151);
  present(200);
  paint(200);
  present(200);
  expect(201, Action::kWait, SwapSchedule::kForever);
}

TEST_F(SwapScheduleTest, SnapshotWaitsForALateSwap) {
  schedule_.add(TakeSnapshot{1, 105});
  add(100, {1});
  expect(106, Action::kPaint, 100);
  paint(120);
  present(120);
  expect(120, Action::kSnapshot, 105);
}

TEST_F(SwapScheduleTest, NoSnapshotWaitsForEver) {
  schedule_.add(TakeSnapshot{1, 105});
  add(100, {1});
  constexpr int64_t kAtMostNs = 105 + SwapSchedule::kSnapshotTimeoutNs;
  const auto waits = schedule_.next(106, kPaintNs, false);
  EXPECT_EQ(waits.action, Action::kWait);
  EXPECT_EQ(waits.until_ns, kAtMostNs);
  EXPECT_EQ(schedule_.next(kAtMostNs, kPaintNs, false).action, Action::kSnapshot);
}

}  // namespace
}  // namespace receiver
