#include "sail/apps/share/desktop_share.h"
#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(LookPaceTest, RestsWhereNothingHappensAndWakesAtOnce) {
  LookPace pace(16 * kMillisecondNs);
  int64_t now = 5000 * kMillisecondNs;
  pace.stir(now);
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMillisecondNs);
  now += LookPace::kStillNs - 1;
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMillisecondNs);
  now += 1;
  EXPECT_EQ(pace.due_ns(now), now + LookPace::kRestNs);
  // Stirred while waiting.
  pace.stir(now + 10 * kMillisecondNs);
  EXPECT_EQ(pace.due_ns(now), now + 16 * kMillisecondNs);
}

TEST(LookPaceTest, ASlowPaceStays) {
  LookPace pace(2000 * kMillisecondNs);
  pace.stir(1000 * kMillisecondNs);
  EXPECT_EQ(pace.due_ns(1000 * kMillisecondNs), 3000 * kMillisecondNs);
  EXPECT_EQ(pace.due_ns(9000 * kMillisecondNs), 11000 * kMillisecondNs);
}

}  // namespace
}  // namespace sail
