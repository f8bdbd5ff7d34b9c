#include "sail/client/transport/frame_base.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

constexpr BlockGrid kBaseGrid({500, 190}, {128, 64});
constexpr BlockGrid kSmallerGrid({250, 95}, {128, 64});

class FrameBaseTest : public testing::Test {
 protected:
  // Begins this frame. Returns the number of the frame on which it builds.
  uint64_t begin(KeptFrame& frame, uint64_t number, uint64_t epoch = 1,
                 const BlockGrid& grid = kBaseGrid) {
    frame.name = {.frame = number, .epoch = epoch};
    return base_.begin(frame, grid);
  }

  FrameBase base_;
  KeptFrame first_;
  KeptFrame second_;
  KeptFrame third_;
};

TEST_F(FrameBaseTest, FramesBuildOnTheNewestThatTheReceiverHas) {
  EXPECT_EQ(begin(first_, 1), 0U);
  EXPECT_EQ(begin(second_, 2), 0U) << "the first may be lost";
  first_.held.versions[3] = 1;
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3), 1U);
  EXPECT_EQ(third_.held.versions[3], 1U);
}

TEST_F(FrameBaseTest, AnOlderFrameDoesNotBecomeTheBaseAgain) {
  begin(first_, 1);
  begin(second_, 2);
  base_.set_received(second_);
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3), 2U);
}

TEST_F(FrameBaseTest, AFrameOfAnEarlierMapIsNoBaseForFramesThatHaveNone) {
  begin(first_, 1, 1);
  begin(second_, 2, 2);
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3, 2), 0U);
  base_.set_received(second_);
  EXPECT_EQ(begin(third_, 4, 2), 2U);
}

TEST_F(FrameBaseTest, AnotherGridEndsTheBase) {
  begin(first_, 1);
  base_.set_received(first_);
  EXPECT_EQ(begin(second_, 2, 1, kSmallerGrid), 0U);
  EXPECT_EQ(second_.held.grid, kSmallerGrid);
}

TEST_F(FrameBaseTest, FramesBegunBeforeTheBaseWasForgottenAreNone) {
  begin(first_, 1);
  base_.forget();
  base_.set_received(first_);
  EXPECT_EQ(begin(second_, 2), 0U);
}

}  // namespace
}  // namespace sail
