#include "sail/client/transport/packet_silence.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

class PacketSilenceTest : public testing::Test {
 protected:
  PacketSilenceTest() { silence_.begin(now_ns_); }

  // Checks every step_ms without an answer. Returns the number of checks until the timeout; 0: no
  // timeout.
  int looks_until_too_long(int64_t step_ms, int most, bool waiting = true) {
    for (int look = 1; look <= most; ++look) {
      now_ns_ += step_ms * kMillisecondNs;
      silence_.update(now_ns_, waiting);
      if (silence_.too_long()) return look;
    }
    return 0;
  }

  PacketSilence silence_;
  int64_t now_ns_ = 5'000'000'000;
};

TEST_F(PacketSilenceTest, APathWithoutPacketsIsFoundAfterASecond) {
  EXPECT_EQ(looks_until_too_long(100, 20), 11);
  EXPECT_FALSE(silence_.answered());
}

// Answers that arrived in the meantime wait to be read.
TEST_F(PacketSilenceTest, TimeInWhichThisProcessStoodStillDoesNotCount) {
  EXPECT_EQ(looks_until_too_long(9000, 1), 0);
  silence_.answer(now_ns_);
  EXPECT_EQ(looks_until_too_long(3000, 4), 0);
  silence_.answer(now_ns_);
  EXPECT_EQ(looks_until_too_long(100, 10), 0);
  EXPECT_EQ(looks_until_too_long(9000, 1), 1) << "one that always stands still decides, too";
}

TEST_F(PacketSilenceTest, OnceItHasAnsweredNothingIsExpectedWithoutFrames) {
  silence_.answer(now_ns_);
  EXPECT_EQ(looks_until_too_long(100, 100, false), 0);
  EXPECT_EQ(looks_until_too_long(100, 20), 11);
  EXPECT_TRUE(silence_.answered());
  silence_.begin(now_ns_);
  EXPECT_EQ(looks_until_too_long(100, 20, false), 11) << "another connection: of probes";
}

TEST(PacketTries, OneConnectionWithoutAnswersProvesNothing) {
  PacketTries tries;
  tries.fail(false);
  EXPECT_FALSE(tries.udp_blocked());
  tries.fail(false);
  EXPECT_TRUE(tries.udp_blocked());
}

TEST(PacketTries, AnswersBetweenThemStartAnew) {
  PacketTries tries;
  tries.fail(false);
  tries.succeed();
  tries.fail(false);
  EXPECT_FALSE(tries.udp_blocked());
  tries.fail(true);
  tries.fail(false);
  EXPECT_FALSE(tries.udp_blocked());
}

}  // namespace
}  // namespace sail
