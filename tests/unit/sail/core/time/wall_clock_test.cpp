#include "sail/core/time/wall_clock.h"

#include <gtest/gtest.h>

#include <thread>

#include "sail/core/time/clock_line.h"
#include "sail/core/time/system_clock.h"

namespace sail {
namespace {

constexpr int64_t kHourNs = 3600 * kSecondNs;

TEST(WallClock, IsOursUntilItIsKnown) {
  const WallClock clock;
  EXPECT_FALSE(clock.known());
  EXPECT_EQ(clock.error_ns(), kUnknownErrorNs);
  EXPECT_EQ(clock.to_wall_ns(77), 77);
  EXPECT_EQ(clock.to_steady_ns(77), 77);
}

TEST(WallClock, GoesBothWays) {
  WallClock clock;
  clock.set({.known = true,
             .steady_ns = 1000,
             .offset_ns = kHourNs,
             .error_ns = 50,
             .drift = 1e-4,
             .doubt = 1e-6,
             .ahead_ns = 400,
             .slew_ns = 1e6});
  for (const int64_t steady_ns : {-5'000'000, 0, 1000, 1500, 500'000, 1'001'000, 90'000'000}) {
    EXPECT_NEAR(static_cast<double>(clock.to_steady_ns(clock.to_wall_ns(steady_ns))),
                static_cast<double>(steady_ns), 1)
        << steady_ns;
  }
  EXPECT_EQ(clock.to_wall_ns(1000), kHourNs + 1400);
  EXPECT_EQ(clock.to_wall_ns(501'000), kHourNs + 501'000 + 50 + 200);
  EXPECT_EQ(clock.to_wall_ns(2'001'000), kHourNs + 2'001'000 + 200);
  EXPECT_EQ(clock.line().error_at_ns(1000), 450);
  EXPECT_EQ(clock.line().error_at_ns(2'001'000), 52);
}

// A reader never sees a mix of two lines.
TEST(WallClock, ReadersSeeWholeLinesOnly) {
  WallClock clock;
  const auto line = [](int64_t i) {
    return ClockLine{.known = true,
                     .steady_ns = i,
                     .offset_ns = 2 * i,
                     .error_ns = 3 * i,
                     .drift = static_cast<double>(4 * i)};
  };
  clock.set(line(1));
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int64_t i = 1; i <= 20'000; ++i) clock.set(line(i));
    done = true;
  });
  int64_t last = 0;
  bool whole = true;
  while (!done) {
    const ClockLine seen = clock.line();
    whole &= seen.offset_ns == 2 * seen.steady_ns && seen.error_ns == 3 * seen.steady_ns &&
             seen.drift == static_cast<double>(4 * seen.steady_ns) && seen.steady_ns >= last;
    last = seen.steady_ns;
  }
  writer.join();
  EXPECT_TRUE(whole);
  EXPECT_EQ(clock.line().steady_ns, 20'000);
}

SystemClockReading reading(int64_t steady_ns, int64_t ahead_ns) {
  return {.steady_ns = steady_ns,
          .system_ns = steady_ns + ahead_ns,
          .read_error_ns = 10,
          .max_error_ns = 2000,
          .synchronised = true};
}

TEST(SystemClock, IsFollowedWithTheErrorThatItTells) {
  SystemClock clock;
  EXPECT_FALSE(clock.line().known);
  EXPECT_FALSE(clock.add(reading(kSecondNs, kHourNs)));
  EXPECT_TRUE(clock.synchronised());
  EXPECT_EQ(clock.line().to_wall_ns(5 * kSecondNs), kHourNs + 5 * kSecondNs);
  EXPECT_EQ(clock.line().error_at_ns(kSecondNs), 2011);
  EXPECT_EQ(clock.line().error_at_ns(2 * kSecondNs), 502'011) << "500 ppm, as the kernel has it";

  auto unset = reading(2 * kSecondNs, kHourNs);
  unset.synchronised = false;
  EXPECT_FALSE(clock.add(unset));
  EXPECT_FALSE(clock.synchronised());
}

TEST(SystemClock, AClockThatIsSetJumpsAndTellsUnlessItIsALittle) {
  SystemClock clock;
  clock.add(reading(kSecondNs, 0));
  EXPECT_FALSE(clock.add(reading(2 * kSecondNs, 500'000)));
  EXPECT_EQ(clock.line().to_wall_ns(2 * kSecondNs), 2 * kSecondNs) << "no jump";
  EXPECT_EQ(clock.line().error_at_ns(2 * kSecondNs), 502'011);
  EXPECT_EQ(clock.line().to_wall_ns(4 * kSecondNs), 4 * kSecondNs + 500'000);
  EXPECT_EQ(clock.add(reading(5 * kSecondNs, -kHourNs)), -kHourNs - 500'000);
  EXPECT_EQ(clock.line().to_wall_ns(5 * kSecondNs), 5 * kSecondNs - kHourNs);
}

TEST(SystemClock, ThisMachinesCanBeRead) {
  const SystemClockReading first = read_system_clock();
  const SystemClockReading second = read_system_clock();
  EXPECT_GE(second.steady_ns, first.steady_ns);
  EXPECT_GT(first.system_ns, 1'600'000'000 * kSecondNs) << "after 2020";
  EXPECT_GE(first.max_error_ns, 0);
  EXPECT_LT(first.read_error_ns, kSecondNs);
}

}  // namespace
}  // namespace sail
