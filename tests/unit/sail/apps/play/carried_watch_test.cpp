#include "sail/apps/play/carried_watch.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Frames of one second at 30 a second.
class CarriedWatchTest : public testing::Test {
 protected:
  // Returns true if receivers are too slow after `seconds` with `late` frames each.
  bool after(int seconds, uint64_t late, uint64_t submitted = 30) {
    bool found = false;
    for (int i = 0; i < seconds && !found; ++i) {
      now_ns_ += kSecondNs;
      stats_.frames_submitted += submitted;
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

TEST_F(CarriedWatchTest, MostFramesOfFourSecondsAreLate) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(3, 16));
  EXPECT_TRUE(after(1, 16));
}

TEST_F(CarriedWatchTest, OneGoodSecondCountsAnew) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(3, 30));
  EXPECT_FALSE(after(1, 15));
  EXPECT_FALSE(after(3, 30));
  EXPECT_TRUE(after(1, 30));
}

TEST_F(CarriedWatchTest, LateFramesOfBeforeDoNotCount) {
  EXPECT_FALSE(after(1, 30, 300));
  EXPECT_FALSE(after(100, 15));
  watch_.restart();
  EXPECT_FALSE(after(4, 30));
  EXPECT_TRUE(after(1, 30));
}

TEST_F(CarriedWatchTest, PausesDoNotCount) {
  EXPECT_FALSE(after(1, 0));
  EXPECT_FALSE(after(100, 2, 2));
}

TEST_F(CarriedWatchTest, AFullLinkIsNoSlowReceiver) {
  EXPECT_FALSE(after(1, 0));
  sail_link_stats link{};
  link.busy_pct = 90;
  for (int i = 0; i < 10; ++i) {
    watch_.take(link, now_ns_ + kSecondNs);
    EXPECT_FALSE(after(1, 30));
  }
  link.busy_pct = 10;
  watch_.take(link, now_ns_);
  EXPECT_TRUE(after(6, 30));
}

TEST_F(CarriedWatchTest, FramesOfHiddenWindowsDoNotCount) {
  EXPECT_FALSE(after(1, 0));
  for (int i = 0; i < 10; ++i) {
    stats_.frames_hidden += 30;
    stats_.frames_dropped += 30;
    EXPECT_FALSE(after(1, 0));
  }
}

}  // namespace
}  // namespace sail
