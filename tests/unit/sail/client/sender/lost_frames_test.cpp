#include "sail/client/sender/lost_frames.h"

#include <gtest/gtest.h>

#include "sail/client/encode/encoded_frame.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kStartNs = 1'000'000'000;

TEST(LostFramesTest, StillOnceNoFrameHasBeenSubmittedForAWhile) {
  LostFrames lost;
  EXPECT_FALSE(lost.is_still(1, kStartNs));
  EXPECT_FALSE(lost.is_still(1, kStartNs + kStillNs - 1));
  EXPECT_TRUE(lost.is_still(1, kStartNs + kStillNs));
  EXPECT_FALSE(lost.is_still(2, kStartNs + kStillNs + 1));
}

TEST(LostFramesTest, AFrameTurnedAwayIsMadeUpForOnce) {
  LostFrames lost;
  ASSERT_FALSE(lost.is_still(7, kStartNs));
  EXPECT_FALSE(lost.take_missing(7, false));
  EXPECT_TRUE(lost.take_missing(6, false));
  EXPECT_FALSE(lost.take_missing(6, false));
  ASSERT_FALSE(lost.is_still(8, kStartNs));
  EXPECT_TRUE(lost.take_missing(6, false));
}

TEST(LostFramesTest, ADarkWindowIsLitByEachFrameOnce) {
  LostFrames lost;
  EXPECT_FALSE(lost.take_missing(0, false)) << "no frame was submitted";
  ASSERT_FALSE(lost.is_still(3, kStartNs));
  EXPECT_TRUE(lost.take_missing(3, true)) << "accepted, but dropped";
  EXPECT_FALSE(lost.take_missing(3, true));
  ASSERT_FALSE(lost.is_still(4, kStartNs));
  EXPECT_TRUE(lost.take_missing(4, true)) << "dropped again";
}

// An application that submits its frame each time it is asked, of which no receiver can decode any.
class UndecodedFrame {
 public:
  // Returns the number of requests in this time.
  int requests_in(int64_t ns) {
    int requests = 0;
    for (const int64_t until_ns = now_ns_ + ns; now_ns_ < until_ns; now_ns_ += kCheckNs) {
      if (!lost_.is_still(submitted, now_ns_) || !lost_.may_ask_again(now_ns_)) continue;
      lost_.note_request(true);
      ++submitted;
      ++requests;
    }
    return requests;
  }
  uint64_t submitted = 1;

 private:
  static constexpr int64_t kCheckNs = 100'000'000;
  LostFrames lost_;
  int64_t now_ns_ = kStartNs;
};

TEST(LostFramesTest, AFrameThatCannotBeDecodedIsAskedForAFewTimes) {
  UndecodedFrame frame;
  EXPECT_EQ(frame.requests_in(kSecondNs), 1);
  EXPECT_EQ(frame.requests_in(3600 * kSecondNs), LostFrames::kMostTries - 1);
  EXPECT_EQ(frame.requests_in(3600 * kSecondNs), 0);
}

TEST(LostFramesTest, TheNextFrameThatCannotBeDecodedIsAskedForAgain) {
  UndecodedFrame frame;
  frame.requests_in(3600 * kSecondNs);
  ++frame.submitted;
  EXPECT_EQ(frame.requests_in(3600 * kSecondNs), LostFrames::kMostTries);
}

}  // namespace
}  // namespace sail
