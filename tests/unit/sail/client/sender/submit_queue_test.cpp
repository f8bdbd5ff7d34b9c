#include "sail/client/sender/submit_queue.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

TEST(SubmitQueueTest, NobodyGetsInWhileItIsClosed) {
  SubmitQueue submit_queue(nullptr);
  const SubmitQueue::Entry entry = submit_queue.enter(true);  // does not wait either
  EXPECT_EQ(entry.number, 1U);
  EXPECT_FALSE(entry.admitted);
  EXPECT_EQ(submit_queue.status().frames_dropped, 1U);
  EXPECT_EQ(submit_queue.status().frames_in_flight, 0U);
}

TEST(SubmitQueueTest, FramesUpToTheLimitGetIn) {
  SubmitQueue submit_queue(nullptr);
  submit_queue.set_open(true);
  submit_queue.set_limit(2);
  EXPECT_TRUE(submit_queue.enter(false).admitted);
  EXPECT_TRUE(submit_queue.enter(false).admitted);
  EXPECT_FALSE(submit_queue.enter(false).admitted);
  submit_queue.update(1, 2, 1, 5000);
  const SubmitQueue::Entry entry = submit_queue.enter(false);
  EXPECT_TRUE(entry.admitted);
  EXPECT_EQ(entry.number, 4U);  // dropped frames have numbers too
  submit_queue.withdraw();
  const SubmitQueue::Status status = submit_queue.status();
  EXPECT_EQ(status.frames_submitted, 4U);
  EXPECT_EQ(status.frames_sent, 2U);
  EXPECT_EQ(status.frames_shown, 1U);
  EXPECT_EQ(status.frames_dropped, 2U);
  EXPECT_EQ(status.frames_in_flight, 1U);
  EXPECT_EQ(status.bytes_sent, 5000U);
}

TEST(SubmitQueueTest, AWaitingFrameGetsInWhenThereIsRoom) {
  SubmitQueue submit_queue(nullptr);
  submit_queue.set_open(true);
  submit_queue.set_limit(1);
  ASSERT_TRUE(submit_queue.enter(true).admitted);
  bool admitted = false;
  std::thread application([&] { admitted = submit_queue.enter(true).admitted; });
  submit_queue.update(1, 1, 0, 0);
  application.join();
  EXPECT_TRUE(admitted);
}

TEST(SubmitQueueTest, AWaitingFrameIsDroppedWhenTheGateCloses) {
  SubmitQueue submit_queue(nullptr);
  submit_queue.set_open(true);
  submit_queue.set_limit(1);
  ASSERT_TRUE(submit_queue.enter(true).admitted);
  bool admitted = true;
  std::thread application([&] { admitted = submit_queue.enter(true).admitted; });
  submit_queue.set_open(false);
  application.join();
  EXPECT_FALSE(admitted);
}

// The other ranks wait for a rank whose parts were all dropped, so there is no decision until this
// rank has submitted another part.
TEST(SubmitQueueTest, APartThatIsAskedForGetsInThoughItIsAhead) {
  SubmitQueue submit_queue(nullptr);
  submit_queue.set_open(true);
  submit_queue.set_limit(2);
  auto hand_over = [&, number = int64_t{0}]() mutable {
    const bool admitted = submit_queue.enter(true, 0, ++number * kPartNameNs).admitted;
    submit_queue.withdraw();
    return admitted;
  };
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(hand_over());
  std::thread application([&] {
    EXPECT_TRUE(hand_over());
    EXPECT_TRUE(hand_over());
  });
  submit_queue.admit_one_extra();
  while (submit_queue.status().frames_submitted < 9) std::this_thread::yield();
  submit_queue.set_decided(2 * kPartNameNs);
  application.join();
  EXPECT_EQ(submit_queue.status().frames_submitted, 10U);
}

// A group's members all send the same frames when they cannot send all.
TEST(SubmitQueueTest, SpacingLetsTheFirstFrameOfEachSpanIn) {
  SubmitQueue submit_queue(nullptr);
  submit_queue.set_open(true);
  submit_queue.set_limit(100);
  submit_queue.set_spacing(100);
  std::vector<int64_t> in;
  for (const int64_t present_ns : {100, 140, 199, 205, 300, 390, 401}) {
    if (submit_queue.enter(false, present_ns).admitted) in.push_back(present_ns);
  }
  EXPECT_EQ(in, (std::vector<int64_t>{100, 205, 300, 401}));
  EXPECT_TRUE(submit_queue.enter(false).admitted) << "without an instant";
  // If the queue is full for the first frame of a span, later frames of that span are refused too.
  submit_queue.set_limit(1);
  EXPECT_FALSE(submit_queue.enter(false, 500).admitted);
  submit_queue.set_limit(100);
  EXPECT_FALSE(submit_queue.enter(false, 540).admitted);
  submit_queue.set_spacing(0);
  EXPECT_TRUE(submit_queue.enter(false, 541).admitted);
}

}  // namespace
}  // namespace sail
