// Walls whose processes wait for a processor, as on an overloaded machine, in simulated time.
#include <gtest/gtest.h>

#include "tests/e2e/walls/simulated_wall.h"

namespace test {
namespace {

// Decisions come later than a receiver may owe a report (1 s).
constexpr int64_t kLongNs = 1500 * kMs;

class StarvedWalls : public testing::TestWithParam<uint32_t> {
 protected:
  static SimulatedWall wall(bool grouped, const Trouble& trouble) {
    // Small frames, so that no message is delayed behind one of them.
    return {GetParam(), 3, grouped, {.transfer_ns = kMessageNs}, trouble};
  }
};

// A receiver that holds as many frames as it accepts reports nothing until one is decided.
TEST_P(StarvedWalls, NoLinkIsClosedWhileAReceiverWaitsForALateDecision) {
  for (const bool grouped : {false, true}) {
    SimulatedWall wall = this->wall(grouped, {.rulers_stop_ns = kLongNs});
    wall.play(60'000 * kMs);
    EXPECT_EQ(wall.given_up(), 0U) << grouped;
    EXPECT_GT(wall.timed_out(), 0U) << "the manager was stopped during layouts, " << grouped;
  }
}

TEST_P(StarvedWalls, LateLayoutsMixNoFrames) {
  SimulatedWall wall = this->wall(false, {.rulers_stop_ns = kLongNs});
  wall.play(60'000 * kMs);
  EXPECT_LT(wall.longest_mixed_ns, kMs) << wall.longest_mixed;
  EXPECT_GT(wall.layouts(), 100U);
}

// The barrier waits for receivers that are stopped for less than 250 ms.
TEST_P(StarvedWalls, ShortWaitsOfSendersAndReceiversMixNoFrames) {
  SimulatedWall wall = this->wall(false, {.peers_stop_ns = 200 * kMs});
  wall.play(60'000 * kMs);
  EXPECT_EQ(wall.given_up(), 0U);
  EXPECT_LT(wall.longest_mixed_ns, kMs) << wall.longest_mixed;
  EXPECT_GT(wall.layouts(), 100U);
}

// A receiver that owes an answer is still given up.
TEST_P(StarvedWalls, ALinkIsClosedWhenItsReceiverAnswersNothing) {
  SimulatedWall wall = this->wall(false, {});
  wall.run(5000 * kMs);
  ASSERT_EQ(wall.given_up(), 0U);
  wall.stand_still(1, 1900 * kMs);
  wall.run(1800 * kMs);
  EXPECT_EQ(wall.given_up(), 3U) << "one link of each stream";
}

INSTANTIATE_TEST_SUITE_P(Seeds, StarvedWalls, testing::Range(1U, 7U));

}  // namespace
}  // namespace test
