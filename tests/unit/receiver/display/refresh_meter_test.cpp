#include "receiver/display/refresh_meter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "receiver/display/gl_sync.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kSecondNs;

constexpr int64_t kLateNs = 300'000;

// Simulates a film's swaps, each completed up to kLateNs after its refresh. Returns the final error
// of the measured period and phase.
struct Off {
  double period_ppm = 0;
  double phase_ns = 0;
};
Off measured(RefreshMeter& meter, double hz, double fps, int64_t seconds, int64_t begin_ns) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int64_t> late_ns(0, kLateNs);
  const double period_ns = 1e9 / hz;
  const auto frames = static_cast<int64_t>(fps * static_cast<double>(seconds));
  for (int64_t i = 0; i < frames; ++i) {
    const double shown = std::ceil(static_cast<double>(i) / fps * hz);
    const int64_t at_ns = begin_ns + std::llround(shown * period_ns) + late_ns(random);
    if (meter.due(at_ns)) meter.add(at_ns);
  }
  const sail::Refresh known = meter.refresh().refresh;
  const double since = static_cast<double>(known.at_ns - begin_ns) / period_ns;
  return {(known.period_ns / period_ns - 1) * 1e6, (since - std::round(since)) * period_ns};
}

TEST(RefreshMeterTest, FindsWhatTheModeSaysOnlyInWholeHz) {
  for (const double hz : {50.0, 59.94, 60.0, 75.0, 119.88}) {
    RefreshMeter meter(static_cast<int>(hz));  // 59 for 59.94
    const Off off = measured(meter, hz, 24, 60, kSecondNs);
    EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kMeasured);
    EXPECT_NEAR(off.period_ppm, 0, 20) << hz;
    EXPECT_NEAR(off.phase_ns, 0, kLateNs) << hz;
  }
}

TEST(RefreshMeterTest, BeforeThatItIsTold) {
  RefreshMeter meter(60);
  EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kDisplayMode);
  EXPECT_EQ(meter.refresh().refresh.period_ns, 16'666'667u);
  meter.add(kSecondNs);
  EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kDisplayMode);
  EXPECT_EQ(RefreshMeter(0).refresh().refresh.period_ns, 0u);
  EXPECT_FALSE(RefreshMeter(0).due(kSecondNs));
}

TEST(RefreshMeterTest, SwapsThatDoNotWaitForARefreshMeasureNone) {
  RefreshMeter meter(60);
  for (int i = 0; i < 500; ++i) meter.add(kSecondNs + i * kSecondNs / 24);
  EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kDisplayMode);
}

// The display had another mode for a while, or was off.
TEST(RefreshMeterTest, BeginsAnewWhenTheRefreshIsAnother) {
  RefreshMeter meter(60);
  measured(meter, 60, 30, 30, kSecondNs);
  meter.add(30 * kSecondNs + kSecondNs / 110);
  EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kDisplayMode);
  const Off off = measured(meter, 60, 30, 30, 100 * kSecondNs + 3'000'000);
  EXPECT_EQ(meter.refresh().source, sail::RefreshSource::kMeasured);
  EXPECT_NEAR(off.phase_ns, 0, kLateNs);
}

TEST(SwapGroupTest, IsJoinedByOneWindowWithASyncCard) {
  EXPECT_TRUE(joins_swap_group({.groups = 1, .barriers = 1}, 1));
  EXPECT_FALSE(joins_swap_group({.groups = 1, .barriers = 1}, 2)) << "they wait for each other";
  EXPECT_FALSE(joins_swap_group({.groups = 1, .barriers = 0}, 1)) << "no sync card";
  EXPECT_FALSE(joins_swap_group({}, 1)) << "another driver";
}

}  // namespace
}  // namespace receiver
