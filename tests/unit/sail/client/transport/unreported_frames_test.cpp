#include "sail/client/transport/unreported_frames.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

constexpr int64_t kNothing = UnreportedFrames::kNothingOwed;

class UnreportedFramesTest : public testing::Test {
 protected:
  UnreportedFramesTest() {
    frames_.begin({.frame = 1, .epoch = 5}, 100);
    frames_.begin({.frame = 2, .epoch = 5}, 200);
    frames_.begin({.frame = 2, .epoch = 6}, 300);
  }
  void all_are_ready() {
    for (const FrameName& name : {FrameName{1, 5}, FrameName{2, 5}, FrameName{2, 6}}) {
      frames_.ready(name);
    }
  }

  UnreportedFrames frames_;
};

TEST_F(UnreportedFramesTest, AReceiverOwesReadyOfWhatWasSent) {
  EXPECT_EQ(frames_.owed_since_ns(), 100);
  frames_.ready({.frame = 1, .epoch = 5});
  EXPECT_EQ(frames_.owed_since_ns(), 200);
}

TEST_F(UnreportedFramesTest, ItOwesNothingWhileItWaitsForADecision) {
  all_are_ready();
  EXPECT_EQ(frames_.owed_since_ns(), kNothing);
  EXPECT_EQ(frames_.count(), 3U);
}

TEST_F(UnreportedFramesTest, ItOwesAReportFromTheFramesTimeOn) {
  all_are_ready();
  frames_.show({.frame = 1, .epoch = 5, .at_ns = 1}, 900);
  EXPECT_EQ(frames_.owed_since_ns(), 900);
  ASSERT_TRUE(frames_.take({.frame = 1, .epoch = 5}));
  EXPECT_EQ(frames_.owed_since_ns(), kNothing) << "newer frames are not decided";
}

TEST_F(UnreportedFramesTest, AShownFrameDecidesOlderOnesAndThoseOfEarlierMaps) {
  all_are_ready();
  frames_.show({.frame = 2, .epoch = 6, .at_ns = 1}, 900);
  for (const UnreportedFrames::Frame& frame : frames_.frames()) {
    EXPECT_EQ(frame.owed_since_ns, 900) << frame.name.frame << " of " << frame.name.epoch;
  }
}

// Otherwise a link would stay full of frames that can no longer be shown.
TEST_F(UnreportedFramesTest, AnAbandonedLayoutEndsTheWaitOfEarlierMaps) {
  all_are_ready();
  frames_.show({.frame = 2, .epoch = 6, .at_ns = 0}, 900);
  EXPECT_EQ(frames_.frames()[0].owed_since_ns, 900);
  EXPECT_EQ(frames_.frames()[1].owed_since_ns, 900);
}

TEST_F(UnreportedFramesTest, ADecisionSaysNothingAboutLaterMaps) {
  all_are_ready();
  frames_.show({.frame = 2, .epoch = 5, .at_ns = 1}, 900);
  EXPECT_EQ(frames_.frames()[2].owed_since_ns, kNothing);
}

TEST_F(UnreportedFramesTest, ADecisionExcusesNoFrameThatIsNotReady) {
  frames_.show({.frame = 2, .epoch = 6, .at_ns = 1}, 900);
  EXPECT_EQ(frames_.owed_since_ns(), 100);
}

TEST_F(UnreportedFramesTest, EachFrameIsTakenOnceAndTheOthersKeepTheirOrder) {
  const auto taken = frames_.take({.frame = 2, .epoch = 5});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->begun_ns, 200);
  EXPECT_FALSE(frames_.take({.frame = 2, .epoch = 5}));
  ASSERT_EQ(frames_.count(), 2U);
  EXPECT_EQ(frames_.frames()[0].name, (FrameName{1, 5}));
  EXPECT_EQ(frames_.frames()[1].name, (FrameName{2, 6}));
  frames_.clear();
  EXPECT_EQ(frames_.owed_since_ns(), kNothing);
}

}  // namespace
}  // namespace sail
