#include "sail/client/sender/lost_frames.h"

#include <gtest/gtest.h>

#include "sail/client/encode/encoded_frame.h"

namespace sail {
namespace {

constexpr int64_t kStartNs = 1'000'000'000;

TEST(LostFramesTest, StillOnceNoFrameHasBeenSubmittedForAWhile) {
  LostFrames lost;
  EXPECT_FALSE(lost.is_still(1, kStartNs));
  EXPECT_FALSE(lost.is_still(1, kStartNs + kStillNs - 1));
  EXPECT_TRUE(lost.is_still(1, kStartNs + kStillNs));
  EXPECT_FALSE(lost.is_still(2, kStartNs + kStillNs + 1));
}

TEST(LostFramesTest, AFrameTurnedAwayIsMadeUpForOnce) {
  LostFrames lost;
  ASSERT_FALSE(lost.is_still(7, kStartNs));
  EXPECT_FALSE(lost.take_missing(7, false));
  EXPECT_TRUE(lost.take_missing(6, false));
  EXPECT_FALSE(lost.take_missing(6, false));
  ASSERT_FALSE(lost.is_still(8, kStartNs));
  EXPECT_TRUE(lost.take_missing(6, false));
}

TEST(LostFramesTest, ADarkWindowIsLitByEachFrameOnce) {
  LostFrames lost;
  EXPECT_FALSE(lost.take_missing(0, false)) << "no frame was submitted";
  ASSERT_FALSE(lost.is_still(3, kStartNs));
  EXPECT_TRUE(lost.take_missing(3, true)) << "accepted, but dropped";
  EXPECT_FALSE(lost.take_missing(3, true));
  ASSERT_FALSE(lost.is_still(4, kStartNs));
  EXPECT_TRUE(lost.take_missing(4, true)) << "dropped again";
}

}  // namespace
}  // namespace sail
