#include "sail/client/sync/stream_pace.h"

#include <gtest/gtest.h>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr FrameTransport::PathDelays kPath{
    .round_trip_ns = 20 * kMillisecondNs, .jitter_ns = 2 * kMillisecondNs, .sending_ns = 0};

TEST(StreamPaceTest, TheIntervalIsMeasured) {
  StreamPace pace(0, -1);
  for (int frame = 1; frame <= 100; ++frame) {
    pace.add_frame(static_cast<uint64_t>(frame), frame * 20 * kMillisecondNs);
  }
  EXPECT_NEAR(static_cast<double>(pace.interval_ns()), 20e6, 1e5);
}

TEST(StreamPaceTest, FramesThatWereTurnedAwayCount) {
  StreamPace pace(50, -1);
  for (int frame = 1; frame <= 100; frame += 3) {
    pace.add_frame(static_cast<uint64_t>(frame), frame * 20 * kMillisecondNs);
  }
  EXPECT_NEAR(static_cast<double>(pace.interval_ns()), 20e6, 1e5);
}

TEST(StreamPaceTest, APauseIsNoInterval) {
  StreamPace pace(50, -1);
  pace.add_frame(1, kMillisecondNs);
  pace.add_frame(2, 60'000 * kMillisecondNs);
  EXPECT_EQ(pace.interval_ns(), 20 * kMillisecondNs);
}

TEST(StreamPaceTest, TheDelayHasRoomForMending) {
  StreamPace pace(50, -1);
  pace.adapt(kMillisecondNs, kPath);
  // An interval, 2.5 round trips, 4 jitters, and the margin.
  EXPECT_EQ(pace.delay_ns(), (20 + 50 + 8 + 16) * kMillisecondNs);
  FrameTransport::PathDelays slow = kPath;
  slow.sending_ns = 45 * kMillisecondNs;  // longer than the interval
  pace.adapt(2 * kMillisecondNs, slow);
  EXPECT_EQ(pace.delay_ns(), (45 + 50 + 8 + 16) * kMillisecondNs);
}

// After a minute without a lost packet, the delay is the sending time and half of the reserve.
TEST(StreamPaceTest, CalmLinksNeedLessDelay) {
  StreamPace pace(50, -1);
  FrameTransport::PathDelays path{.round_trip_ns = 0,
                                  .jitter_ns = 0,
                                  .sending_ns = 15 * kMillisecondNs,
                                  .trouble_ns = kSecondNs};
  constexpr int64_t kLater = 10 * kSecondNs;  // the delay falls meanwhile
  pace.adapt(60 * kSecondNs, path);
  EXPECT_EQ(pace.delay_ns(), (20 + 16) * kMillisecondNs);
  pace.adapt(61 * kSecondNs + kLater, path);
  EXPECT_EQ(pace.delay_ns(), (15 + 8) * kMillisecondNs);
  path.trouble_ns = 80 * kSecondNs;
  pace.adapt(80 * kSecondNs, path);
  EXPECT_EQ(pace.delay_ns(), (20 + 16) * kMillisecondNs) << "at once";
  pace.adapt(80 * kSecondNs + 119 * kSecondNs, path);
  EXPECT_EQ(pace.delay_ns(), (20 + 16) * kMillisecondNs) << "the next calm needs two minutes";
  pace.adapt(80 * kSecondNs + 120 * kSecondNs + kLater, path);
  EXPECT_EQ(pace.delay_ns(), (15 + 8) * kMillisecondNs);
}

TEST(StreamPaceTest, ANewLinkEndsTheCalmForAMinuteOnly) {
  StreamPace pace(50, -1);
  FrameTransport::PathDelays path{.sending_ns = 15 * kMillisecondNs, .begun_ns = kSecondNs};
  constexpr int64_t kLater = 10 * kSecondNs;  // the delay falls meanwhile
  for (int64_t moved_ns = 100 * kSecondNs; moved_ns < 1000 * kSecondNs;
       moved_ns += 100 * kSecondNs) {
    pace.adapt(moved_ns - kSecondNs, path);
    EXPECT_EQ(pace.delay_ns(), (15 + 8) * kMillisecondNs);
    path.begun_ns = moved_ns;
    pace.adapt(moved_ns + 59 * kSecondNs, path);
    EXPECT_EQ(pace.delay_ns(), (20 + 16) * kMillisecondNs);
    pace.adapt(moved_ns + 60 * kSecondNs + kLater, path);
  }
}

TEST(StreamPaceTest, TheDelayFallsSlowly) {
  StreamPace pace(50, -1);
  FrameTransport::PathDelays slow = kPath;
  slow.round_trip_ns = 100 * kMillisecondNs;
  pace.adapt(kMillisecondNs, slow);
  const int64_t before_ns = pace.delay_ns();
  pace.adapt(1001 * kMillisecondNs, kPath);
  EXPECT_LT(pace.delay_ns(), before_ns);
  EXPECT_GT(pace.delay_ns(), before_ns - 20 * kMillisecondNs);
  pace.adapt(30'000 * kMillisecondNs, kPath);
  EXPECT_EQ(pace.delay_ns(), (20 + 50 + 8 + 16) * kMillisecondNs);
}

TEST(StreamPaceTest, NoDelayIsLongerThanTheProtocolAllows) {
  StreamPace pace(50, -1);
  FrameTransport::PathDelays slow = kPath;
  slow.round_trip_ns = 5000 * kMillisecondNs;
  pace.adapt(kMillisecondNs, slow);
  EXPECT_EQ(pace.delay_ns(), kMaxDelayMs * kMillisecondNs);
  EXPECT_EQ(pace.frames_in_flight(), kMaxFramesInFlight);
}

TEST(StreamPaceTest, WhatTheApplicationWantsIsTaken) {
  StreamPace pace(50, 70);
  pace.adapt(kMillisecondNs, kPath);
  EXPECT_EQ(pace.delay_ns(), 70 * kMillisecondNs);
  StreamPace none(50, 0);
  none.adapt(kMillisecondNs, kPath);
  EXPECT_EQ(none.delay_ns(), 0);
}

TEST(StreamPaceTest, WithoutMendingThereIsNoDelay) {
  StreamPace pace(50, -1);
  pace.adapt(kMillisecondNs, std::nullopt);
  EXPECT_EQ(pace.delay_ns(), 0);
  EXPECT_EQ(pace.frames_in_flight(), 3);
}

TEST(StreamPaceTest, AsManyFramesAreInFlightAsDelayAndRoundTripHold) {
  StreamPace pace(50, 70);
  pace.adapt(kMillisecondNs, kPath);
  EXPECT_EQ(pace.frames_in_flight(), 3 + 5);  // 90 ms, 20 ms each
}

}  // namespace
}  // namespace sail
