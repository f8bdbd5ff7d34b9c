#include "sail/desk/look_pace.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(LookPaceTest, RestsWhereNothingHappensAndWakesAtOnce) {
  LookPace pace(16 * kMs);
  int64_t now = 5000 * kMs;
  pace.stir(now);
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMs);
  now += LookPace::kStillNs - 1;
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMs);
  now += 1;
  EXPECT_EQ(pace.due_ns(now), now + LookPace::kRestNs);
  // While it waits.
  pace.stir(now + 10 * kMs);
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMs);
}

TEST(LookPaceTest, ASlowPaceStays) {
  LookPace pace(2000 * kMs);
  pace.stir(1000 * kMs);
  EXPECT_EQ(pace.due_ns(1000 * kMs), 3000 * kMs);
  EXPECT_EQ(pace.due_ns(9000 * kMs), 11000 * kMs);
}

}  // namespace
}  // namespace sail
