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
  EXPECT_FALSE(lost.take_rejected(7));
  EXPECT_TRUE(lost.take_rejected(6));
  EXPECT_FALSE(lost.take_rejected(6));
  ASSERT_FALSE(lost.is_still(8, kStartNs));
  EXPECT_TRUE(lost.take_rejected(6));
}

}  // namespace
}  // namespace sail
