#include "sail/apps/play/carried_watch.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

class CarriedWatchTest : public testing::Test {
 protected:
  // Returns true if receivers are too slow after this many periods of 60 frames with `late` frames
  // each, of which others are shown.
  bool after(int periods, uint64_t late, uint64_t submitted = 60) {
    bool found = false;
    for (int i = 0; i < periods && !found; ++i) {
      now_ns_ += 2 * kSecondNs;
      stats_.frames_submitted += submitted;
      stats_.frames_shown += submitted - late;
      stats_.frames_dropped += late;
      stats_.frames_unsent += late / 2;
      stats_.frames_incomplete += late - late / 2;
      found = watch_.too_slow(stats_, now_ns_);
    }
    return found;
  }

  CarriedWatch watch_;
  sail_stream_stats stats_{};
  int64_t now_ns_ = 100 * kSecondNs;
};

TEST_F(CarriedWatchTest, MostFramesOfThreePeriodsAreLate) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(2, 31));
  EXPECT_TRUE(after(1, 31));
}

TEST_F(CarriedWatchTest, AGoodPeriodCountsAnew) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(2, 59));
  EXPECT_FALSE(after(1, 30));
  EXPECT_FALSE(after(2, 59));
  EXPECT_TRUE(after(1, 59));
}

TEST_F(CarriedWatchTest, AReceiverThatIsCutOffIsNotSlow) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(20, 60));
  EXPECT_FALSE(after(1, 40));  // the period in which it returns
  EXPECT_FALSE(after(1, 0));
}

TEST_F(CarriedWatchTest, PeriodsWithoutAFrameDoNotHideASlowReceiver) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(2, 59));
  EXPECT_FALSE(after(3, 60));
  EXPECT_TRUE(after(1, 59));
}

TEST_F(CarriedWatchTest, LateFramesOfBeforeDoNotCount) {
  EXPECT_FALSE(after(1, 30, 300));
  EXPECT_FALSE(after(100, 30));
  watch_.restart();
  EXPECT_FALSE(after(3, 59));
  EXPECT_TRUE(after(1, 59));
}

TEST_F(CarriedWatchTest, PausesDoNotCount) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(100, 4, 5));
}

TEST_F(CarriedWatchTest, AFullLinkIsNoSlowReceiver) {
  EXPECT_FALSE(after(1, 0));
  sail_link_stats link{};
  link.busy_pct = 90;
  for (int i = 0; i < 10; ++i) {
    watch_.take(link, now_ns_ + kSecondNs);
    EXPECT_FALSE(after(1, 59));
  }
  link.busy_pct = 10;
  watch_.take(link, now_ns_);
  EXPECT_TRUE(after(5, 59));
}

TEST_F(CarriedWatchTest, FramesOfHiddenWindowsDoNotCount) {
  EXPECT_FALSE(after(1, 0));
  for (int i = 0; i < 10; ++i) {
    stats_.frames_hidden += 60;
    stats_.frames_dropped += 60;
    EXPECT_FALSE(after(1, 0));
  }
}

}  // namespace
}  // namespace sail
