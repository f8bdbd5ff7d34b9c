#include "sail/apps/show/ticker_strip.h"

#include <gtest/gtest.h>

#include <utility>

namespace sail {
namespace {

TEST(TickerPace, EachFrameMovesAWholeNumberOfPixels) {
  const TickerPace usual(60);
  EXPECT_EQ(std::pair(usual.fps(), usual.step()), std::pair(60, 1));
  const TickerPace slow(30);
  EXPECT_EQ(std::pair(slow.fps(), slow.step()), std::pair(30, 1));
  const TickerPace odd(90);
  EXPECT_EQ(std::pair(odd.fps(), odd.step()), std::pair(30, 3));
  const TickerPace fast(120);
  EXPECT_EQ(std::pair(fast.fps(), fast.step()), std::pair(60, 2));
}

TEST(TickerPace, FramesAreEvenlySpacedInWallTime) {
  constexpr int64_t kNow = 1'790'000'000'123'456'789;
  for (const int speed : {60, 90}) {
    const TickerPace pace(speed);
    const int64_t interval_ns = kSecondNs / pace.fps();
    const int64_t first = pace.frame_at(kNow);
    EXPECT_LE(pace.present_ns(first), kNow);
    EXPECT_GT(pace.present_ns(first + 1), kNow);
    for (int64_t frame = first; frame < first + 200; ++frame) {
      EXPECT_EQ(pace.frame_at(pace.present_ns(frame)), frame);
      EXPECT_EQ(pace.frame_at(pace.present_ns(frame) - 1), frame - 1);
      const int64_t step_ns = pace.present_ns(frame + 1) - pace.present_ns(frame);
      EXPECT_GE(step_ns, interval_ns);
      EXPECT_LE(step_ns, interval_ns + 1);
    }
    EXPECT_EQ(pace.present_ns(first + pace.fps()), pace.present_ns(first) + kSecondNs);
  }
}

}  // namespace
}  // namespace sail
