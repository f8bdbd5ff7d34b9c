#include "sail/client/sender/stream_gate.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

TEST(StreamGateTest, NobodyGetsInWhileItIsClosed) {
  StreamGate gate(nullptr);
  const StreamGate::Entry entry = gate.enter(true);  // does not wait either
  EXPECT_EQ(entry.number, 1U);
  EXPECT_FALSE(entry.admitted);
  EXPECT_EQ(gate.status().frames_dropped, 1U);
  EXPECT_EQ(gate.status().frames_in_flight, 0U);
}

TEST(StreamGateTest, FramesUpToTheLimitGetIn) {
  StreamGate gate(nullptr);
  gate.set_open(true);
  gate.set_limit(2);
  EXPECT_TRUE(gate.enter(false).admitted);
  EXPECT_TRUE(gate.enter(false).admitted);
  EXPECT_FALSE(gate.enter(false).admitted);
  gate.settle(1, 2, 1, 5000);
  const StreamGate::Entry entry = gate.enter(false);
  EXPECT_TRUE(entry.admitted);
  EXPECT_EQ(entry.number, 4U);  // dropped frames have numbers too
  gate.turn_away();
  const StreamGate::Status status = gate.status();
  EXPECT_EQ(status.frames_submitted, 4U);
  EXPECT_EQ(status.frames_sent, 2U);
  EXPECT_EQ(status.frames_shown, 1U);
  EXPECT_EQ(status.frames_dropped, 2U);
  EXPECT_EQ(status.frames_in_flight, 1U);
  EXPECT_EQ(status.bytes_sent, 5000U);
}

TEST(StreamGateTest, AWaitingFrameGetsInWhenThereIsRoom) {
  StreamGate gate(nullptr);
  gate.set_open(true);
  gate.set_limit(1);
  ASSERT_TRUE(gate.enter(true).admitted);
  bool admitted = false;
  std::thread application([&] { admitted = gate.enter(true).admitted; });
  gate.settle(1, 1, 0, 0);
  application.join();
  EXPECT_TRUE(admitted);
}

TEST(StreamGateTest, AWaitingFrameIsDroppedWhenTheGateCloses) {
  StreamGate gate(nullptr);
  gate.set_open(true);
  gate.set_limit(1);
  ASSERT_TRUE(gate.enter(true).admitted);
  bool admitted = true;
  std::thread application([&] { admitted = gate.enter(true).admitted; });
  gate.set_open(false);
  application.join();
  EXPECT_FALSE(admitted);
}

// A rank whose parts were all dropped is what the others wait for, so nothing is ruled on until it
// has handed over another one.
TEST(StreamGateTest, APartThatIsAskedForGetsInThoughItIsAhead) {
  StreamGate gate(nullptr);
  gate.set_open(true);
  gate.set_limit(2);
  auto hand_over = [&, number = int64_t{0}]() mutable {
    const bool admitted = gate.enter(true, 0, ++number * kPartNameNs).admitted;
    gate.turn_away();
    return admitted;
  };
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(hand_over());
  std::thread application([&] {
    EXPECT_TRUE(hand_over());
    EXPECT_TRUE(hand_over());
  });
  gate.ask_for_one();
  while (gate.status().frames_submitted < 9) std::this_thread::yield();
  gate.set_ruled(2 * kPartNameNs);
  application.join();
  EXPECT_EQ(gate.status().frames_submitted, 10U);
}

// A group's members all send the same frames when they cannot send all.
TEST(StreamGateTest, SpacingLetsTheFirstFrameOfEachSpanIn) {
  StreamGate gate(nullptr);
  gate.set_open(true);
  gate.set_limit(100);
  gate.set_spacing(100);
  std::vector<int64_t> in;
  for (const int64_t present_ns : {100, 140, 199, 205, 300, 390, 401}) {
    if (gate.enter(false, present_ns).admitted) in.push_back(present_ns);
  }
  EXPECT_EQ(in, (std::vector<int64_t>{100, 205, 300, 401}));
  EXPECT_TRUE(gate.enter(false).admitted) << "without an instant";
  // What did not go for want of room leaves its span to nobody.
  gate.set_limit(1);
  EXPECT_FALSE(gate.enter(false, 500).admitted);
  gate.set_limit(100);
  EXPECT_FALSE(gate.enter(false, 540).admitted);
  gate.set_spacing(0);
  EXPECT_TRUE(gate.enter(false, 541).admitted);
}

}  // namespace
}  // namespace sail
