// When frames are shown is SAIL's decision, and when a layout takes effect the manager's.
#include <gtest/gtest.h>

#include "tests/unit/client/application_test.h"

namespace sail {
namespace {

class SwapTest : public ApplicationTest {
 protected:
  SwapTest() {
    wall.run([this] { left->behaviour.tells_ready = right->behaviour.tells_ready = true; });
    open_stream();
  }
  bool wait_epoch_ready(size_t count) {
    return wall.wait([this, count] { return manager->epochs_ready.size() == count; });
  }
  void take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns = 1) {
    wall.run([&] {
      manager->notify(
          "take_effect",
          to_json(TakeEffect{.stream = 5, .epoch = epoch, .frame = frame, .at_ns = at_ns}));
    });
  }
  bool wait_shows(size_t count) {
    return wall.wait(
        [this, count] { return left->shows.size() == count && right->shows.size() == count; });
  }
};

TEST_F(SwapTest, TheManagerHearsOfOneFrameAndReceiversOfAllOthers) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  const EpochReady ready = wall.run([this] { return manager->epochs_ready[0]; });
  EXPECT_EQ(ready.stream, 5U);
  EXPECT_EQ(ready.epoch, 1U);
  EXPECT_EQ(ready.frame, 1U);
  take_effect(1, 1);
  for (int seed = 2; seed <= 5; ++seed) {
    ASSERT_EQ(submit(seed), SAIL_OK);
    ASSERT_TRUE(wait_shows(static_cast<size_t>(seed - 1)));
  }
  wall.run([this] {
    EXPECT_EQ(manager->epochs_ready.size(), 1U);
    for (size_t i = 0; i < left->shows.size(); ++i) {
      EXPECT_EQ(left->shows[i].frame, i + 2);
      EXPECT_EQ(left->shows[i].epoch, 1U);
      EXPECT_EQ(left->shows[i].at_ns, right->shows[i].at_ns) << "one instant";
    }
  });
}

TEST_F(SwapTest, AFrameThatOneReceiverHasNotGotIsNotShown) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { right->behaviour.tells_ready = false; });
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*right, 2));
  wall.run([this] {
    EXPECT_TRUE(left->shows.empty());
    right->behaviour.tells_ready = true;
  });
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_shows(1));
  wall.run([this] { EXPECT_EQ(left->shows[0].frame, 3U) << "dropped alike"; });
}

// Whose connection is lost is not waited for, and shown the newest when it is back.
TEST_F(SwapTest, AReceiverThatComesBackIsInStepAgain) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { right->drop_connections(); });
  ASSERT_TRUE(wait_frames(*right, 2)) << "the newest, once more";
  ASSERT_TRUE(wall.wait([this] { return right->shows.size() == 1; }));
  wall.run([this] {
    EXPECT_EQ(right->shows[0].frame, 1U);
    EXPECT_TRUE(left->shows.empty()) << "it had it in time";
  });
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return right->shows.size() == 2 && left->shows.size() == 1; }));
}

}  // namespace
}  // namespace sail
