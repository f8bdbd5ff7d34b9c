#include "sail/base/clock.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sail {
namespace {

// An exchange in which the manager is `ahead` of us and the ways there and back take their time.
struct Exchange {
  int64_t sent_ns;
  int64_t there_ns;
  int64_t back_ns;
  int64_t ahead_ns;
};

void add(ClockSync& sync, const Exchange& exchange) {
  const int64_t arrived_ns = exchange.sent_ns + exchange.there_ns;
  sync.add(exchange.sent_ns, arrived_ns + exchange.ahead_ns, arrived_ns + exchange.back_ns);
}

TEST(SteadyNow, NeverGoesBack) {
  int64_t last = steady_now_ns();
  for (int i = 0; i < 1000; ++i) {
    const int64_t now = steady_now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(ClockSync, KnowsNothingBeforeTheFirstExchange) {
  const ClockSync sync;
  EXPECT_FALSE(sync.synchronised());
  EXPECT_EQ(sync.offset_ns(), 0);
  EXPECT_EQ(sync.error_ns(), 0);
}

TEST(ClockSync, AnEvenExchangeGivesTheOffsetExactly) {
  ClockSync sync;
  add(sync, {1000, 300, 300, -5'000'000});
  EXPECT_TRUE(sync.synchronised());
  EXPECT_EQ(sync.offset_ns(), -5'000'000);
  EXPECT_EQ(sync.error_ns(), 300);
}

TEST(ClockSync, TheErrorStaysWithinItsBound) {
  for (const int64_t there_ns : {0, 10, 500, 990, 1000}) {
    ClockSync sync;
    add(sync, {7000, there_ns, 1000 - there_ns, 123'456});
    EXPECT_LE(std::abs(sync.offset_ns() - 123'456), sync.error_ns()) << there_ns;
    EXPECT_EQ(sync.error_ns(), 500);
  }
}

TEST(ClockSync, TheSmallestRoundTripWins) {
  ClockSync sync;
  add(sync, {0, 5000, 100, 40});
  add(sync, {10'000, 20, 20, 40});
  add(sync, {20'000, 100, 9000, 40});
  EXPECT_EQ(sync.offset_ns(), 40);
  EXPECT_EQ(sync.error_ns(), 20);
}

TEST(ClockSync, OldExchangesAreForgotten) {
  ClockSync sync;
  add(sync, {0, 1, 1, 40});
  for (int i = 1; i <= 15; ++i) add(sync, {i * 1000, 100, 100, 70});
  EXPECT_EQ(sync.offset_ns(), 40) << "the window holds sixteen exchanges";
  add(sync, {16'000, 100, 100, 70});
  EXPECT_EQ(sync.offset_ns(), 70);
  EXPECT_EQ(sync.error_ns(), 100);
}

TEST(ClockSync, AnAnswerBeforeItsRequestIsNoExchange) {
  ClockSync sync;
  sync.add(2000, 5000, 1000);
  EXPECT_FALSE(sync.synchronised());
}

}  // namespace
}  // namespace sail
