#include "ui/bridge/waiting_frames.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace ui {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kApart = 18 * kMs;  // between two frames on the near wall
constexpr int64_t kTurn = 15 * kMs;   // between two frames that waited
constexpr int64_t kNow = 1000 * kMs;

class WaitingFramesTest : public testing::Test {
 protected:
  // The frame of this number arrives. Returns whether it waits.
  bool arrives(int64_t number, int64_t now_ns) {
    const std::vector<uint8_t> bytes(3, static_cast<uint8_t>(number));
    const std::vector<uint32_t> lengths = {1, 2};
    return frames_.add({.bytes = bytes.data(),
                        .byte_count = bytes.size(),
                        .lengths = lengths.data(),
                        .block_count = lengths.size(),
                        .matrix = SAIL_BT709,
                        .range = SAIL_FULL,
                        .present_ns = 0,
                        .again = 0},
                       {.submitted_ns = number * kApart, .steady_ns = number}, now_ns);
  }
  // The number of the frame whose turn it is; 0: none.
  int64_t turn_of(int64_t now_ns) {
    const WaitingFrames::Waiting* taken = frames_.take(now_ns);
    if (taken == nullptr) return 0;
    const std::vector<uint8_t> bytes(3, static_cast<uint8_t>(taken->times.steady_ns));
    EXPECT_EQ(
        std::vector<uint8_t>(taken->frame.bytes, taken->frame.bytes + taken->frame.byte_count),
        bytes);
    EXPECT_EQ(std::vector<uint32_t>(taken->frame.lengths,
                                    taken->frame.lengths + taken->frame.block_count),
              (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(taken->frame.range, SAIL_FULL);
    return taken->times.steady_ns;
  }

  WaitingFrames frames_;
};

TEST_F(WaitingFramesTest, FramesThatComeInTimeDoNotWait) {
  for (int64_t i = 1; i < 10; ++i) EXPECT_FALSE(arrives(i, i * kApart)) << i;
  EXPECT_FALSE(arrives(10, 9 * kApart + kTurn)) << "early by a sixth of the time between frames";
  EXPECT_EQ(frames_.next_ns(), WaitingFrames::kNever);
}

TEST_F(WaitingFramesTest, FramesThatComeTogetherArePassedOnOneByOneALittleFaster) {
  EXPECT_FALSE(arrives(1, kNow));
  for (int64_t i = 2; i <= 5; ++i) EXPECT_TRUE(arrives(i, kNow)) << i;
  for (int64_t i = 2; i <= 5; ++i) {
    const int64_t turn_ns = kNow + (i - 1) * kTurn;
    EXPECT_EQ(frames_.next_ns(), turn_ns);
    EXPECT_EQ(turn_of(turn_ns - 1), 0) << i;
    EXPECT_EQ(turn_of(turn_ns), i);
  }
  EXPECT_EQ(frames_.next_ns(), WaitingFrames::kNever);
  EXPECT_FALSE(arrives(6, kNow + 5 * kApart)) << "none waits any more";
}

TEST_F(WaitingFramesTest, AFrameDoesNotOvertakeThoseThatWait) {
  EXPECT_FALSE(arrives(1, kNow));
  EXPECT_TRUE(arrives(2, kNow));
  EXPECT_TRUE(arrives(3, kNow + 100 * kMs));
  EXPECT_EQ(turn_of(kNow + 100 * kMs), 2);
  EXPECT_EQ(turn_of(kNow + 100 * kMs), 0) << "a late turn does not bring two frames together";
  EXPECT_EQ(turn_of(kNow + 100 * kMs + kTurn), 3);
}

TEST_F(WaitingFramesTest, ALongPauseAndAClockThatIsSetBackHoldNoFrame) {
  EXPECT_FALSE(arrives(1000, 100 * kMs));
  EXPECT_FALSE(arrives(1, 100 * kMs)) << "set back";
  EXPECT_TRUE(arrives(100'000, 100 * kMs));
  EXPECT_EQ(frames_.next_ns(), 100 * kMs + WaitingFrames::kMostApartNs);
}

TEST_F(WaitingFramesTest, TooManyFramesDoNotWaitAnyLonger) {
  EXPECT_FALSE(arrives(1, kNow));
  const auto most = static_cast<int64_t>(WaitingFrames::kMostFrames);
  for (int64_t i = 2; i <= most + 1; ++i) EXPECT_TRUE(arrives(i, kNow));
  EXPECT_EQ(turn_of(kNow), 0) << "so many may wait";
  EXPECT_TRUE(arrives(most + 2, kNow));
  EXPECT_EQ(turn_of(kNow), 2) << "the oldest one is passed on early, because later units need it";
  EXPECT_EQ(turn_of(kNow), 0);
  EXPECT_EQ(frames_.clear(), WaitingFrames::kMostFrames);
  EXPECT_EQ(frames_.next_ns(), WaitingFrames::kNever);
}

}  // namespace
}  // namespace ui
