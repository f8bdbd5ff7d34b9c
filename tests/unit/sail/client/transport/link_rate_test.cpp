#include "sail/client/transport/link_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sail/client/transport/link_simulation.h"

namespace sail::test {
namespace {

constexpr double kMbit = 1e6 / 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct PathDelays {
  double stream_bytes_per_s;
  double rtt_ms;
  double jitter_ms;
};

class LinkRateOn : public testing::TestWithParam<PathDelays> {
 protected:
  const double stream_ = GetParam().stream_bytes_per_s;
  const double cap_ = 0.6 * GetParam().stream_bytes_per_s;
  LinkSimulation link_{stream_, {.rtt_ms = GetParam().rtt_ms, .jitter_ms = GetParam().jitter_ms}};

  void expect_all_frames() {
    EXPECT_GE(link_.run(2).fps, 29);
    EXPECT_GE(link_.rate(), stream_);
  }
};
INSTANTIATE_TEST_SUITE_P(
    Ways, LinkRateOn,
    testing::Values(PathDelays{20 * kMbit, 0.2, 0}, PathDelays{20 * kMbit, 100, 0},
                    PathDelays{100 * kMbit, 0.2, 0}, PathDelays{100 * kMbit, 0.2, 5},
                    PathDelays{100 * kMbit, 20, 5}, PathDelays{100 * kMbit, 100, 0},
                    PathDelays{100 * kMbit, 100, 5}, PathDelays{600 * kMbit, 0.2, 0},
                    PathDelays{600 * kMbit, 100, 5}));

TEST_P(LinkRateOn, NoLimitIsKnownWhereNoneWasMet) {
  EXPECT_EQ(link_.run(10).least_rate, LinkRate::kUnlimited);
}

TEST_P(LinkRateOn, ACapWithAQueueIsUsedWithLittleOfTheQueue) {
  link_.run(3);
  link_.path.bytes_per_s = cap_;
  EXPECT_GE(link_.run(2).bytes_per_s, 0.9 * cap_);
  const LinkSimulation::Figures settled = link_.run(20);
  EXPECT_GE(settled.bytes_per_s, 0.94 * cap_);
  EXPECT_LE(settled.mean_queue_ms, 10);
  EXPECT_LE(settled.queue_ms, 50);
  EXPECT_LE(settled.loss, 0.001);
}

TEST_P(LinkRateOn, AShortQueueIsNoWorse) {
  link_.run(3);
  link_.path.bytes_per_s = cap_;
  link_.path.queue_ms = 20;
  link_.run(2);
  const LinkSimulation::Figures settled = link_.run(20);
  EXPECT_GE(settled.bytes_per_s, 0.94 * cap_);
  EXPECT_LE(settled.loss, 0.01);
}

TEST_P(LinkRateOn, ACapWithoutAQueueIsFoundByItsLoss) {
  link_.run(3);
  link_.path.bytes_per_s = cap_;
  link_.path.queue_ms = 0.5;
  link_.run(2);
  const LinkSimulation::Figures settled = link_.run(20);
  EXPECT_GE(settled.bytes_per_s, 0.87 * cap_);
  EXPECT_LE(settled.loss, 0.03);
}

TEST_P(LinkRateOn, AllFramesAreSentThreeSecondsAfterACap) {
  for (const double queue_ms : {100.0, 0.5}) {
    link_.path.queue_ms = queue_ms;
    link_.path.bytes_per_s = cap_;
    link_.run(10);
    link_.path.bytes_per_s = kInfinity;
    link_.run(3);
    expect_all_frames();
    link_.run(5);
    EXPECT_EQ(link_.rate(), LinkRate::kUnlimited);
  }
}

TEST_P(LinkRateOn, RandomLossOfFivePercentDoesNotLowerIt) {
  link_.path.loss = 0.05;
  EXPECT_EQ(link_.run(30).least_rate, LinkRate::kUnlimited);
}

TEST_P(LinkRateOn, RandomLossUnderACapLeavesMostOfIt) {
  link_.path.loss = 0.05;
  link_.run(3);
  link_.path.bytes_per_s = cap_;
  link_.run(2);
  EXPECT_GE(link_.run(20).bytes_per_s, 0.85 * cap_);
}

// Random loss looks like congestion, until a lower rate turns out to have the same loss.
TEST_P(LinkRateOn, MuchRandomLossIsFoundOut) {
  link_.run(3);
  link_.path.loss = 0.15;
  link_.run(3);
  EXPECT_GE(link_.run(20).fps, 27);
}

TEST_P(LinkRateOn, AReceiverThatIsBusyForMomentsDoesNotLowerIt) {
  link_.path.busy_ms = 45;
  link_.path.feedback_late_ms = 30;
  EXPECT_EQ(link_.run(60).least_rate, LinkRate::kUnlimited);
}

TEST_P(LinkRateOn, MomentsOfOthersTrafficDoNotLowerIt) {
  for (int i = 0; i < 20; ++i) {
    link_.path.other_queue_ms = 30;
    EXPECT_EQ(link_.run(0.06).least_rate, LinkRate::kUnlimited);
    link_.path.other_queue_ms = 0;
    EXPECT_EQ(link_.run(0.5).least_rate, LinkRate::kUnlimited);
  }
}

TEST_P(LinkRateOn, AReceiverThatIsBusyForMomentsUnderACapLeavesMostOfIt) {
  link_.path.busy_ms = 45;
  link_.path.feedback_late_ms = 30;
  link_.path.bytes_per_s = cap_;
  link_.run(3);
  EXPECT_GE(link_.run(30).bytes_per_s, 0.88 * cap_);
}

TEST_P(LinkRateOn, AQueueOfOthersIsFoundOut) {
  link_.run(3);
  link_.path.other_queue_ms = 40;
  link_.run(3);
  EXPECT_GE(link_.run(20).fps, 29);
}

TEST_P(LinkRateOn, ACapThatFallsAndRisesIsFollowed) {
  for (const double share : {0.8, 0.5, 0.3}) {
    link_.path.bytes_per_s = share * stream_;
    link_.run(3);
    EXPECT_GE(link_.run(5).bytes_per_s, 0.92 * share * stream_) << share;
    EXPECT_LE(link_.run(5).mean_queue_ms, 12) << share;
  }
  link_.path.bytes_per_s = 0.8 * stream_;
  link_.run(4);
  EXPECT_GE(link_.run(5).bytes_per_s, 0.92 * 0.8 * stream_);
}

TEST(LinkRate, ACapAboveTheMeanIsNoLimit) {
  LinkSimulation link(100 * kMbit, {.bytes_per_s = 105 * kMbit});
  EXPECT_EQ(link.run(20).least_rate, LinkRate::kUnlimited);
}

TEST(LinkRate, WhatIsKnownStaysWhileLittleIsSent) {
  LinkSimulation link(100 * kMbit, {.bytes_per_s = 60 * kMbit});
  link.run(5);
  link.set_stream(10 * kMbit);
  link.run(10);
  EXPECT_NEAR(link.rate(), 60 * kMbit, 10 * kMbit);
  link.set_stream(100 * kMbit);
  EXPECT_LE(link.run(5).queue_ms, 40);
  link.set_stream(10 * kMbit);
  link.run(31);
  EXPECT_EQ(link.rate(), LinkRate::kUnlimited);
}

TEST(LinkRate, ItNeverFallsBelowTheLeast) {
  LinkSimulation link(20 * kMbit, {.bytes_per_s = 0.5 * kMbit});
  EXPECT_EQ(link.run(20).least_rate, LinkRate::kLeastBytesPerS);
}

TEST(LinkRate, CountersOfAnyKindGiveARate) {
  LinkRate rate;
  LinkRate::Sample sample;
  sample.limited = true;
  const uint64_t values[] = {0, UINT64_MAX, 1, UINT64_MAX / 2, 7};
  for (int i = 0; i < 1000; ++i) {
    sample.now_ns += i % 7 == 0 ? 0 : 20'000'000;
    const uint64_t value = values[i % 5];
    sample.counters = {
        .packets_arrived = value, .bytes_arrived = values[(i + 1) % 5], .packets_lost = value / 2};
    sample.queue_ms = i % 3 == 0 ? 4e6 : 30;
    sample.rtt_ms = i % 11 == 0 ? 4e6 : 0;
    rate.add(sample);
    ASSERT_GE(rate.bytes_per_s(), LinkRate::kLeastBytesPerS);
  }
}

}  // namespace
}  // namespace sail::test
