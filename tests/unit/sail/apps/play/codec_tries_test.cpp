#include "sail/apps/play/codec_tries.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace sail {
namespace {

constexpr int64_t kMinuteNs = 60 * kSecondNs;

class CodecTriesTest : public testing::Test {
 protected:
  // Seconds pass in which these receivers show the video. Returns whether a try is due at the end.
  bool after(int seconds, std::initializer_list<const char*> receivers) {
    for (int i = 0; i < seconds; ++i) {
      now_ns_ += kSecondNs;
      for (const char* receiver : receivers) tries_.take(receiver, now_ns_);
    }
    return tries_.due(now_ns_);
  }
  // A try that fails after six seconds.
  int64_t try_in_vain() {
    tries_.begin(now_ns_);
    now_ns_ += 6 * kSecondNs;
    return tries_.fail(now_ns_);
  }

  CodecTries tries_;
  int64_t now_ns_ = 1000 * kSecondNs;
};

TEST_F(CodecTriesTest, WithoutAFailureNothingIsTried) {
  EXPECT_FALSE(tries_.waits());
  EXPECT_FALSE(after(4000, {"left"}));
}

TEST_F(CodecTriesTest, TheFirstTryFollowsAfterAMinute) {
  EXPECT_FALSE(after(10, {"left"}));
  EXPECT_EQ(tries_.fail(now_ns_), kMinuteNs);
  EXPECT_TRUE(tries_.waits());
  EXPECT_FALSE(after(59, {"left"}));
  EXPECT_TRUE(after(1, {"left"}));
  tries_.begin(now_ns_);
  EXPECT_FALSE(tries_.waits());
  EXPECT_FALSE(after(4000, {"left"}));
}

TEST_F(CodecTriesTest, PausesDoubleUpToAnHour) {
  EXPECT_EQ(tries_.fail(now_ns_), kMinuteNs);
  for (const int minutes : {2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_EQ(try_in_vain(), minutes * kMinuteNs);
    EXPECT_FALSE(after(60 * minutes - 1, {}));
    EXPECT_TRUE(after(1, {}));
  }
}

TEST_F(CodecTriesTest, ATryThatWentWellEndsTheDoubling) {
  EXPECT_EQ(tries_.fail(now_ns_), kMinuteNs);
  EXPECT_EQ(try_in_vain(), 2 * kMinuteNs);
  tries_.begin(now_ns_);
  after(120, {"left"});
  EXPECT_EQ(tries_.fail(now_ns_), 4 * kMinuteNs) << "not longer than the pause";
  tries_.begin(now_ns_);
  after(241, {"left"});
  EXPECT_EQ(tries_.fail(now_ns_), kMinuteNs);
}

TEST_F(CodecTriesTest, OtherReceiversEndThePause) {
  after(10, {"left", "right"});
  tries_.fail(now_ns_);
  EXPECT_FALSE(after(20, {"left", "right"}));
  EXPECT_FALSE(after(3, {"right"})) << "the other one may be named late";
  EXPECT_TRUE(after(1, {"right"}));
}

TEST_F(CodecTriesTest, MoreReceiversDoNotEndThePause) {
  after(10, {"left"});
  tries_.fail(now_ns_);
  EXPECT_FALSE(after(30, {"left", "right"}));
}

TEST_F(CodecTriesTest, AHiddenWindowDoesNotEndThePause) {
  after(10, {"left"});
  tries_.fail(now_ns_);
  EXPECT_FALSE(after(30, {}));
  EXPECT_FALSE(after(10, {"left"}));
}

TEST_F(CodecTriesTest, ThePauseAfterAFailureHasALeastLength) {
  after(10, {"left"});
  tries_.fail(now_ns_);
  EXPECT_FALSE(after(4, {"right"}));
  EXPECT_TRUE(after(1, {"right"}));
}

TEST_F(CodecTriesTest, ReceiversOfBeforeDoNotCount) {
  after(10, {"left"});
  after(10, {"right"});
  tries_.fail(now_ns_);
  EXPECT_FALSE(after(30, {"right"}));
}

}  // namespace
}  // namespace sail
