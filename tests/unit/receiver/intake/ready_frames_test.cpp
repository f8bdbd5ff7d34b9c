#include "receiver/intake/ready_frames.h"

#include <gtest/gtest.h>
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using sail::DropCause;

const sail::BlockGrid kQueuedGrid({64, 64}, {64, 64});

std::unique_ptr<Frame> frame(uint64_t epoch, uint64_t number) {
  auto frame = empty_frame(kQueuedGrid, 1, {epoch, number});
  return frame;
}

class ReadyFramesTest : public testing::Test {
 protected:
  void add(uint64_t epoch, uint64_t number) {
    const auto added = queue_.add(frame(epoch, number));
    EXPECT_TRUE(added.ready);
    EXPECT_FALSE(added.due);
    EXPECT_FALSE(added.dropped.frame);
  }
  // Returns and clears the numbers and causes of dropped frames.
  std::vector<std::pair<uint64_t, DropCause>> dropped() {
    std::vector<std::pair<uint64_t, DropCause>> list;
    for (const auto& [frame, cause] : dropped_) list.emplace_back(frame->key().number, cause);
    dropped_.clear();
    return list;
  }
  using Drops = std::vector<std::pair<uint64_t, DropCause>>;

  ReadyFrames queue_;
  std::vector<DroppedFrame> dropped_;
};

TEST_F(ReadyFramesTest, ShowHandsOutItsFrameAndDropsOlderOnes) {
  add(1, 1);
  add(1, 2);
  add(1, 3);
  const auto due = queue_.show({1, 2}, dropped_);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->key().number, 2U);
  EXPECT_EQ(dropped(), (Drops{{1, DropCause::kSuperseded}}));
  EXPECT_TRUE(queue_.show({1, 3}, dropped_));
}

TEST_F(ReadyFramesTest, TheSameFrameIsShownOnce) {
  add(1, 1);
  EXPECT_TRUE(queue_.show({1, 1}, dropped_));
  add(1, 2);
  EXPECT_FALSE(queue_.show({1, 1}, dropped_));
  EXPECT_TRUE(dropped().empty());
  EXPECT_TRUE(queue_.show({1, 2}, dropped_));
}

TEST_F(ReadyFramesTest, FrameThatWasToBeShownBeforeItCameIsDueAtOnce) {
  add(1, 1);
  EXPECT_FALSE(queue_.show({1, 3}, dropped_));
  EXPECT_EQ(dropped(), (Drops{{1, DropCause::kSuperseded}}));

  const auto late = queue_.add(frame(1, 2));
  EXPECT_FALSE(late.ready);
  ASSERT_TRUE(late.dropped.frame);
  EXPECT_EQ(late.dropped.cause, DropCause::kSuperseded);

  const auto due = queue_.add(frame(1, 3));
  EXPECT_TRUE(due.ready) << "its sender waits for a sign of life";
  ASSERT_TRUE(due.due);
  EXPECT_EQ(due.due->key().number, 3U);
  // Its connection was replaced, and the frame was sent again.
  const auto again = queue_.add(frame(1, 3));
  EXPECT_FALSE(again.due);
  ASSERT_TRUE(again.dropped.frame);
}

TEST_F(ReadyFramesTest, FramesOfOldEpochsAreDropped) {
  add(1, 1);
  add(1, 2);
  add(2, 2);
  queue_.begin_epoch(1, true, dropped_);
  queue_.begin_epoch(2, true, dropped_);
  EXPECT_TRUE(dropped().empty()) << "they may still be shown before it";
  queue_.end_former_epoch(dropped_);
  EXPECT_EQ(dropped(), (Drops{{1, DropCause::kOldEpoch}, {2, DropCause::kOldEpoch}}));
  const auto due = queue_.show({2, 2}, dropped_);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->key().epoch, 2U);
  const auto late = queue_.add(frame(1, 3));
  ASSERT_TRUE(late.dropped.frame);
  EXPECT_EQ(late.dropped.cause, DropCause::kOldEpoch);
}

TEST_F(ReadyFramesTest, NewEpochWithoutFrameDropsTheOldOnes) {
  add(1, 1);
  add(3, 1);
  queue_.begin_epoch(3, true, dropped_);
  EXPECT_EQ(dropped(), (Drops{{1, DropCause::kOldEpoch}})) << "no layout of theirs was shown here";
  queue_.begin_epoch(3, true, dropped_);
  queue_.end_former_epoch(dropped_);
  EXPECT_TRUE(dropped().empty());
  EXPECT_TRUE(queue_.show({3, 1}, dropped_));
}

TEST_F(ReadyFramesTest, FramesOfTheLayoutBeforeAreShownUntilItIsOver) {
  queue_.begin_epoch(1, true, dropped_);
  add(1, 1);
  add(1, 2);
  queue_.begin_epoch(2, true, dropped_);
  EXPECT_TRUE(queue_.show({1, 1}, dropped_));
  queue_.end_former_epoch(dropped_);
  EXPECT_FALSE(queue_.show({1, 2}, dropped_));
  EXPECT_EQ(dropped(), (Drops{{2, DropCause::kOldEpoch}}));
  queue_.begin_epoch(3, true, dropped_);
  EXPECT_TRUE(queue_.add(frame(1, 3)).dropped.frame) << "two layouts ago";
}

// A manager died while it sent a layout that this node had received. The next manager continues
// with the previous layout.
TEST_F(ReadyFramesTest, TheNextManagersEpochMayBeLower) {
  queue_.begin_epoch(4, true, dropped_);
  queue_.end_former_epoch(dropped_);
  queue_.begin_epoch(3, true, dropped_);
  EXPECT_EQ(queue_.epoch(), 3U);
  add(3, 7);
  EXPECT_TRUE(queue_.show({3, 7}, dropped_));
}

// A cancelled layout: its frames are superseded by those of the previous layout.
TEST_F(ReadyFramesTest, EpochThatNeverBeganIsPassedOver) {
  queue_.begin_epoch(1, true, dropped_);
  add(1, 4);
  add(2, 5);
  add(1, 6);
  const auto due = queue_.show({1, 6}, dropped_);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->key(), (FrameKey{1, 6}));
  EXPECT_EQ(dropped(), (Drops{{4, DropCause::kSuperseded}, {5, DropCause::kSuperseded}}));
}

TEST_F(ReadyFramesTest, FramesOfALayoutThatIsNotToBeAreDroppedNowAndLaterAndNoOthers) {
  queue_.begin_epoch(1, true, dropped_);
  add(1, 3);
  add(2, 3);
  add(2, 4);
  queue_.skip({2, 5}, dropped_);
  EXPECT_EQ(dropped(), (Drops{{3, DropCause::kSuperseded}, {4, DropCause::kSuperseded}}));
  EXPECT_FALSE(queue_.is_current({2, 5})) << "it was on its way";
  EXPECT_TRUE(queue_.is_current({2, 6}));
  EXPECT_TRUE(queue_.show({1, 3}, dropped_));
  add(1, 4);
}

// A request brought the layout, and this stream's sender may have rolled it back.
TEST_F(ReadyFramesTest, FramesOfTheLayoutBeforeAreShownUntilTheSenderKnowsTheNewOne) {
  queue_.begin_epoch(1, true, dropped_);
  add(1, 1);
  queue_.begin_epoch(2, false, dropped_);
  EXPECT_TRUE(queue_.is_behind());
  queue_.end_former_epoch(dropped_);
  EXPECT_TRUE(queue_.show({1, 1}, dropped_));
  add(1, 2);
  queue_.drop({2, 2}, dropped_);
  EXPECT_TRUE(queue_.is_behind()) << "the sender only drops a frame";
  EXPECT_TRUE(queue_.show({1, 2}, dropped_));
  queue_.show({2, 3}, dropped_);
  EXPECT_FALSE(queue_.is_behind());
  queue_.end_former_epoch(dropped_);
  const auto late = queue_.add(frame(1, 4));
  ASSERT_TRUE(late.dropped.frame);
  EXPECT_EQ(late.dropped.cause, DropCause::kOldEpoch);
}

// A frame that was sent by the former map, and is newer than all that were requested.
TEST_F(ReadyFramesTest, FramesOfTheLayoutBeforeDoNotOutliveTheTimeThatTheSenderIsBehind) {
  queue_.begin_epoch(1, true, dropped_);
  queue_.begin_epoch(2, false, dropped_);
  queue_.end_former_epoch(dropped_);
  queue_.drop({2, 4}, dropped_);
  add(1, 5);
  EXPECT_TRUE(dropped().empty());
  queue_.show({2, 0}, dropped_);
  EXPECT_EQ(dropped(), (Drops{{5, DropCause::kOldEpoch}}));
}

TEST_F(ReadyFramesTest, ASenderIsBehindOnlyALayoutThatIsNewForIt) {
  queue_.begin_epoch(1, false, dropped_);
  EXPECT_FALSE(queue_.is_behind()) << "nothing was shown before";
  queue_.begin_epoch(2, false, dropped_);
  EXPECT_TRUE(queue_.is_behind());
  queue_.begin_epoch(2, true, dropped_);
  EXPECT_FALSE(queue_.is_behind()) << "the manager has told the sender";
}

TEST_F(ReadyFramesTest, SameFrameWaitsOnce) {
  add(1, 1);
  const auto again = queue_.add(frame(1, 1));
  EXPECT_FALSE(again.ready);
  ASSERT_TRUE(again.dropped.frame);
  EXPECT_EQ(again.dropped.cause, DropCause::kSuperseded);
  EXPECT_TRUE(queue_.show({1, 1}, dropped_));
  EXPECT_TRUE(dropped().empty());
}

TEST_F(ReadyFramesTest, HiddenStreamDropsAll) {
  add(1, 1);
  add(1, 2);
  queue_.drop_all(dropped_);
  EXPECT_EQ(dropped(), (Drops{{1, DropCause::kHidden}, {2, DropCause::kHidden}}));
  EXPECT_FALSE(queue_.show({1, 2}, dropped_));
}

}  // namespace
}  // namespace receiver
