// Windows that move without a pause, in simulated time: all tiles are checked after each instant,
// so every mixed frame is found, and a busy machine causes none.
#include <gtest/gtest.h>

#include "tests/e2e/walls/simulated_wall.h"

namespace test {
namespace {

// Others with --gtest_random_seed=N, which is 0 by default. Each seed is within reach.
uint32_t first_seed() {
  return 1 + 40 * static_cast<uint32_t>(GTEST_FLAG_GET(random_seed));
}

// lost_of_100: permitted number of lost frames in a hundred.
void expect_shown(size_t streams, bool grouped, Film film, uint64_t lost_of_100) {
  const bool timed = film.ahead_ns != 0;
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    if (timed) film.ahead_ns = (34 + 5 * seed) * kMs;
    SimulatedWall wall(seed, streams, grouped, film);
    wall.play(20'000 * kMs);
    EXPECT_EQ(wall.mixed, 0U) << "seed " << seed;
    EXPECT_GT(wall.layouts(), 100U) << "seed " << seed;
    EXPECT_LE(wall.timed_out(), 1U) << "seed " << seed << ", but for that of the film's end";
    EXPECT_LE(wall.lost(), wall.submitted() * lost_of_100 / 100)
        << "seed " << seed << ": " << wall.causes();
  }
}

TEST(MovingWindows, AFilmLosesNoFrames) {
  // Small frames, so that no message is delayed behind one of them.
  expect_shown(1, false, {.ahead_ns = 0, .transfer_ns = kMessageNs}, 0);
}

TEST(MovingWindows, AFilmWhoseFramesHaveInstantsLosesNone) {
  expect_shown(1, false, {}, 0);
}

// Frames stay unmixed under faults, except for this case: a frame of the previous layout, due
// before the new layout, may arrive after the layout at one receiver. There it is shown with the
// layout, late by less than its lead time.
class TroubledWalls : public testing::TestWithParam<Trouble> {};

TEST_P(TroubledWalls, TilesShowTheSameFrames) {
  for (uint32_t seed = first_seed(); seed < first_seed() + 40; ++seed) {
    // Small frames, so that no message is delayed behind one of them.
    const Film film{.ahead_ns = seed % 2 == 0 ? 0 : 70 * kMs, .transfer_ns = kMessageNs};
    SimulatedWall wall(seed, 3, false, film, GetParam());
    wall.play(60'000 * kMs);
    EXPECT_LT(wall.longest_mixed_ns, kMs) << "seed " << seed << " " << wall.longest_mixed;
    EXPECT_GT(wall.layouts(), 100U) << "seed " << seed;
    if (GetParam().managers) {
      EXPECT_GT(wall.told_some_only, 0U) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , TroubledWalls,
    testing::Values(Trouble{.receivers = true}, Trouble{.senders = true}, Trouble{.managers = true},
                    Trouble{.receivers = true, .senders = true, .managers = true}));

TEST(MovingWindows, AGroupIsInStepWhileReceiversDie) {
  for (uint32_t seed = first_seed(); seed < first_seed() + 20; ++seed) {
    SimulatedWall wall(seed, 3, true, {.transfer_ns = kMessageNs}, {.receivers = true});
    wall.play(60'000 * kMs);
    EXPECT_LT(wall.longest_mixed_ns, kMs) << "seed " << seed << " " << wall.longest_mixed;
    EXPECT_GT(wall.layouts(), 100U) << "seed " << seed;
  }
}

// If some members learn of a layout before a frame and others after it, all drop the frame.
TEST(MovingWindows, AGroupLosesFewFrames) {
  expect_shown(4, true, {}, 5);
}

}  // namespace
}  // namespace test
