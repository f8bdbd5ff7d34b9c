#include "sail/client/stream_pace.h"

#include <gtest/gtest.h>

#include "sail/wire/limits.h"

namespace sail {
namespace {

constexpr int64_t kMsNs = 1'000'000;
constexpr FrameCarrier::Way kWay{
    .round_trip_ns = 20 * kMsNs, .jitter_ns = 2 * kMsNs, .sending_ns = 0};

TEST(StreamPaceTest, TheIntervalIsMeasured) {
  StreamPace pace(0, -1);
  for (int frame = 1; frame <= 100; ++frame) {
    pace.add_frame(static_cast<uint64_t>(frame), frame * 20 * kMsNs);
  }
  EXPECT_NEAR(static_cast<double>(pace.interval_ns()), 20e6, 1e5);
}

TEST(StreamPaceTest, FramesThatWereTurnedAwayCount) {
  StreamPace pace(50, -1);
  for (int frame = 1; frame <= 100; frame += 3) {
    pace.add_frame(static_cast<uint64_t>(frame), frame * 20 * kMsNs);
  }
  EXPECT_NEAR(static_cast<double>(pace.interval_ns()), 20e6, 1e5);
}

TEST(StreamPaceTest, APauseIsNoInterval) {
  StreamPace pace(50, -1);
  pace.add_frame(1, kMsNs);
  pace.add_frame(2, 60'000 * kMsNs);
  EXPECT_EQ(pace.interval_ns(), 20 * kMsNs);
}

TEST(StreamPaceTest, TheDelayHasRoomForMending) {
  StreamPace pace(50, -1);
  pace.adapt(kMsNs, kWay);
  // An interval, 2.5 round trips, 4 jitters, the margin.
  EXPECT_EQ(pace.delay_ns(), (20 + 50 + 8 + 16) * kMsNs);
  FrameCarrier::Way slow = kWay;
  slow.sending_ns = 45 * kMsNs;  // longer than the interval
  pace.adapt(2 * kMsNs, slow);
  EXPECT_EQ(pace.delay_ns(), (45 + 50 + 8 + 16) * kMsNs);
}

TEST(StreamPaceTest, TheDelayFallsSlowly) {
  StreamPace pace(50, -1);
  FrameCarrier::Way slow = kWay;
  slow.round_trip_ns = 100 * kMsNs;
  pace.adapt(kMsNs, slow);
  const int64_t before_ns = pace.delay_ns();
  pace.adapt(1001 * kMsNs, kWay);
  EXPECT_LT(pace.delay_ns(), before_ns);
  EXPECT_GT(pace.delay_ns(), before_ns - 20 * kMsNs);
  pace.adapt(1'000'000 * kMsNs, kWay);
  EXPECT_EQ(pace.delay_ns(), (20 + 50 + 8 + 16) * kMsNs);
}

TEST(StreamPaceTest, NoDelayIsLongerThanTheProtocolAllows) {
  StreamPace pace(50, -1);
  FrameCarrier::Way slow = kWay;
  slow.round_trip_ns = 5000 * kMsNs;
  pace.adapt(kMsNs, slow);
  EXPECT_EQ(pace.delay_ns(), kMaxDelayMs * kMsNs);
  EXPECT_EQ(pace.frames_in_flight(), kMaxFramesInFlight);
}

TEST(StreamPaceTest, WhatTheApplicationWantsIsTaken) {
  StreamPace pace(50, 70);
  pace.adapt(kMsNs, kWay);
  EXPECT_EQ(pace.delay_ns(), 70 * kMsNs);
  StreamPace none(50, 0);
  none.adapt(kMsNs, kWay);
  EXPECT_EQ(none.delay_ns(), 0);
}

TEST(StreamPaceTest, WithoutMendingThereIsNoDelay) {
  StreamPace pace(50, -1);
  pace.adapt(kMsNs, std::nullopt);
  EXPECT_EQ(pace.delay_ns(), 0);
  EXPECT_EQ(pace.frames_in_flight(), 3);
}

TEST(StreamPaceTest, AsManyFramesAreInFlightAsDelayAndRoundTripHold) {
  StreamPace pace(50, 70);
  pace.adapt(kMsNs, kWay);
  EXPECT_EQ(pace.frames_in_flight(), 3 + 5);  // 90 ms, 20 ms each
}

}  // namespace
}  // namespace sail
