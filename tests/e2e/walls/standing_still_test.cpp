// Counts the frames that other receivers of a wall lose when receivers are stopped or cut off, in
// simulated time.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/e2e/walls/simulated_wall.h"

namespace test {
namespace {

constexpr int64_t kNeverNs = int64_t{3600} * 1000 * kMs;

class StandingStill : public testing::TestWithParam<uint32_t> {
 protected:
  // Plays for this time; returns the frames that the receiver `left` lost.
  uint64_t left_loses_in(int64_t for_ns) {
    const uint64_t submitted = wall_.submitted();
    const uint64_t shown = wall_.node(0).receiver->frames_shown;
    wall_.run(for_ns);
    return (wall_.submitted() - submitted) - (wall_.node(0).receiver->frames_shown - shown);
  }
  uint64_t lost_while_right_stands(int64_t for_ns) {
    wall_.stand_still(1, for_ns);
    return left_loses_in(for_ns + 1000 * kMs);
  }
  // Counts from the time when the receiver continues.
  uint64_t mixed_after_right_stood(int64_t for_ns) {
    wall_.stand_still(1, for_ns);
    wall_.run(for_ns);
    wall_.mixed = 0;
    wall_.run(2000 * kMs);
    return wall_.mixed;
  }

  SimulatedWall wall_{
      GetParam(), 1, false, {.ahead_ns = 0, .transfer_ns = kMessageNs, .pause_ns = kNeverNs}};
};

// The stream has 30 frames a second.
TEST_P(StandingStill, CostsTheOthersNoMoreThanTheirPatience) {
  wall_.run(20'000 * kMs);
  ASSERT_EQ(wall_.mixed, 0U);
  for (const int64_t for_ms : {3000, 700}) {
    EXPECT_LE(lost_while_right_stands(for_ms * kMs), 11U) << for_ms;
    wall_.mixed = 0;
    wall_.run(5000 * kMs);
    EXPECT_EQ(wall_.mixed, 0U) << "they are in step again";
  }
}

// The layout with which the manager readmits the receiver does not wait for it.
TEST_P(StandingStill, APulledCableCostsTheOthersLittle) {
  wall_.run(20'000 * kMs);
  for (int i = 0; i < 2; ++i) {
    const uint64_t layouts = wall_.layouts();
    wall_.pull_cable(1);
    EXPECT_LE(left_loses_in(12'000 * kMs), 5U);
    EXPECT_GT(wall_.layouts(), layouts) << "it was missed, and is back";
    wall_.mixed = 0;
    wall_.run(3000 * kMs);
    EXPECT_EQ(wall_.mixed, 0U) << "they are in step again";
  }
}

// Outages of the link to the manager and of the link to the sender: no receiver is left behind.
TEST_P(StandingStill, ShortOutagesLoseNobodyItsStep) {
  wall_.run(20'000 * kMs);
  for (int i = 0; i < 5; ++i) {
    wall_.cut_off(1, 60 * kMs);
    wall_.run(500 * kMs);
    wall_.cut_off(0, 200 * kMs);
    wall_.cut_off(1, 200 * kMs);
    wall_.run(1000 * kMs);
  }
  EXPECT_EQ(wall_.mixed, 0U);
}

TEST_P(StandingStill, LongerOutagesOfALinkCostTheOthersLittle) {
  wall_.run(20'000 * kMs);
  for (int i = 0; i < 3; ++i) {
    wall_.cut_off(1, 300 * kMs);
    wall_.run(1000 * kMs);
    wall_.mixed = 0;
    EXPECT_EQ(left_loses_in(20'000 * kMs), 0U);
    EXPECT_EQ(wall_.mixed, 0U) << "they are in step again";
  }
}

// Until a hanging receiver can be distinguished from a slow one, all wait for it.
TEST_P(StandingStill, ShortPausesLoseNobodyItsStep) {
  wall_.run(20'000 * kMs);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(mixed_after_right_stood(200 * kMs), 0U);
}

// The timeout adapts to repeated pauses.
TEST_P(StandingStill, WhoPausesOftenIsWaitedForLonger) {
  wall_.run(20'000 * kMs);
  EXPECT_GT(mixed_after_right_stood(400 * kMs), 0U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(mixed_after_right_stood(400 * kMs), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StandingStill, testing::Range(1U, 11U));

// Two cables of sixteen are pulled, at random times.
class PulledCables : public testing::TestWithParam<uint32_t> {
 protected:
  static constexpr size_t kTiles = 16;

  // Returns the most frames that a receiver whose cable was not pulled lost.
  uint64_t others_lose(const Film& film) {
    SimulatedWall wall(GetParam(), 1, false, film, {}, kTiles);
    wall.run(2000 * kMs);
    EXPECT_EQ(wall.mixed, 0U);
    const auto first = static_cast<size_t>(wall.time.any(0, kTiles - 1));
    const auto second = (first + static_cast<size_t>(wall.time.any(1, kTiles - 1))) % kTiles;
    for (const size_t pulled : {first, second}) {
      wall.time.in(wall.time.any(0, 1000 * kMs), [&wall, pulled] { wall.pull_cable(pulled); });
    }
    const uint64_t submitted = wall.submitted();
    std::vector<uint64_t> shown;
    for (size_t i = 0; i < kTiles; ++i) shown.push_back(wall.node(i).receiver->frames_shown);
    wall.run(12'000 * kMs);
    uint64_t most = 0;
    for (size_t i = 0; i < kTiles; ++i) {
      if (i == first || i == second) continue;
      const uint64_t new_shown = wall.node(i).receiver->frames_shown - shown[i];
      most = std::max(most, wall.submitted() - submitted - new_shown);
    }
    wall.mixed = 0;
    wall.run(2000 * kMs);
    EXPECT_EQ(wall.mixed, 0U) << "all are in step again";
    return most;
  }
};

// 0 for most seeds; 1 and 2 for two of them.
TEST_P(PulledCables, CostTheOthersAtMostTwoFramesOfAFilm) {
  EXPECT_LE(others_lose({.transfer_ns = kMessageNs, .pause_ns = kNeverNs}), 2U);
}

TEST_P(PulledCables, CostTheOthersNoFrameThatIsShownAsSoonAsPossible) {
  EXPECT_EQ(others_lose({.ahead_ns = 0, .transfer_ns = kMessageNs, .pause_ns = kNeverNs}), 0U);
}

TEST_P(PulledCables, CostTheOthersNoFrameOfSixtyASecond) {
  EXPECT_EQ(
      others_lose({.fps = 60, .ahead_ns = 0, .transfer_ns = kMessageNs, .pause_ns = kNeverNs}), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PulledCables, testing::Range(1U, 21U));

}  // namespace
}  // namespace test
