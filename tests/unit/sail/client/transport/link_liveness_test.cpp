#include "sail/client/transport/link_liveness.h"
#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

class LinkLivenessTest : public testing::Test {
 protected:
  // Simulates a peer that acknowledges, checked every 20 ms.
  void answers(int64_t for_ms, int64_t way_ms = 0) {
    counts_.round_trip_us = counts_.shortest_round_trip_us = way_ms * 1000;
    for (int64_t i = 0; i < for_ms / 20; ++i) {
      ++counts_.acknowledged;
      counts_.heard_us_ago = std::min<int64_t>(way_ms, 20) * 1000;
      look_in(20);
      EXPECT_FALSE(silence_.too_long());
    }
  }
  // Simulates silence. Returns the time at which the timeout fires; 0: never.
  int64_t silent(int64_t for_ms) {
    int64_t too_long_ms = 0;
    for (int64_t ms = 20; ms <= for_ms; ms += 20) {
      counts_.heard_us_ago += 20'000;
      look_in(20);
      if (too_long_ms == 0 && silence_.too_long()) too_long_ms = ms;
    }
    return too_long_ms;
  }
  void look_in(int64_t ms) { silence_.update(counts_, now_ns_ += ms * kMillisecondNs); }

  LinkLiveness silence_;
  TcpCounts counts_{.unacknowledged = true};
  int64_t now_ns_ = 0;
};

TEST_F(LinkLivenessTest, NothingGetsThere) {
  answers(1000);
  EXPECT_EQ(silent(400), 60);
}

// The first look may come late.
TEST_F(LinkLivenessTest, SilenceBeginsWhenDataWasSent) {
  answers(1000);
  counts_.unacknowledged = false;
  silent(200);
  counts_.unacknowledged = true;
  counts_.sent_us_ago = 40'000;
  EXPECT_EQ(silent(200), 40) << "20 ms after the first look";
}

TEST_F(LinkLivenessTest, SilenceIsNotedBeforeItIsTooLong) {
  answers(1000);
  EXPECT_FALSE(silence_.silent());
  EXPECT_EQ(silent(20), 0);
  EXPECT_TRUE(silence_.silent());
  answers(20);
  EXPECT_FALSE(silence_.silent());
}

// Programs that do not read delay acknowledgements, which the system's mean includes.
TEST_F(LinkLivenessTest, AJumpyLinkIsGivenMoreTime) {
  counts_.jitter_us = 30'000;
  answers(1000, 5);
  EXPECT_EQ(silent(400), 140) << "two round trips and four times their deviation";
}

// Whatever the receiver does.
TEST_F(LinkLivenessTest, ASystemThatAcknowledgesAllIsNotSilent) {
  answers(1000);
  counts_.unacknowledged = false;
  EXPECT_EQ(silent(3000), 0);
  counts_.unacknowledged = true;  // sent just now
  look_in(20);
  EXPECT_FALSE(silence_.too_long());
}

// Data that is in flight now was sent after that.
TEST_F(LinkLivenessTest, WhatWasAcknowledgedBetweenTwoLooksWasHeard) {
  answers(1000);
  ++counts_.acknowledged;
  counts_.heard_us_ago = 990'000;
  look_in(1000);
  EXPECT_FALSE(silence_.too_long());
}

TEST_F(LinkLivenessTest, AnswersToTheSameBytesAreHeardToo) {
  answers(1000);
  EXPECT_EQ(silent(40), 0);
  counts_.heard_us_ago = 0;
  EXPECT_EQ(silent(40), 0);
}

TEST_F(LinkLivenessTest, LongWaysTakeTheirTime) {
  answers(1000, 150);
  EXPECT_EQ(silent(1000), 360);
}

TEST_F(LinkLivenessTest, PausesThatComeAgainAreGotUsedTo) {
  answers(1000);
  EXPECT_EQ(silent(160), 60);
  answers(1000);
  EXPECT_EQ(silent(240), 0);
  answers(100'000);
  EXPECT_EQ(silent(400), 60) << "and forgotten";
}

// A pulled cable must not change the measured round trip.
TEST_F(LinkLivenessTest, OutagesAreNoHabit) {
  answers(1000);
  EXPECT_EQ(silent(5000), 60);
  answers(1000);
  EXPECT_EQ(silent(400), 60);
}

}  // namespace
}  // namespace sail
