// When connections are made again.
#include "sail/core/socket/reconnect.h"

#include <gtest/gtest.h>

#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

TEST(ReconnectPause, DoublesUpToASecondUntilThePeerAnswers) {
  ReconnectPause pause(100);
  std::vector<int64_t> taken_ms;
  for (int i = 0; i < 7; ++i) taken_ms.push_back(pause.take_ms());
  EXPECT_EQ(taken_ms, (std::vector<int64_t>{100, 200, 400, 800, 1000, 1000, 1000}));
  pause.restart();
  EXPECT_EQ(pause.take_ms(), 100);
  EXPECT_EQ(pause.take_ms(), 200);
}

TEST(StalledWrites, NothingDrains) {
  StalledWrites writes;
  writes.begin(0);
  writes.add(100);
  EXPECT_FALSE(writes.too_long(60, 100 * kMillisecondNs)) << "40 bytes have drained by now";
  writes.add(100);
  EXPECT_FALSE(writes.too_long(160, 600 * kMillisecondNs));
  EXPECT_TRUE(writes.too_long(160, 601 * kMillisecondNs));
}

TEST(StalledWrites, ASlowPeerIsNotStalled) {
  StalledWrites writes;
  writes.begin(0);
  writes.add(1000);
  for (size_t step = 0; step < 5; ++step) {
    const auto now_ns = static_cast<int64_t>(400 * step) * kMillisecondNs;
    EXPECT_FALSE(writes.too_long(900 - 100 * step, now_ns)) << step;
  }
}

TEST(StalledWrites, NothingIsDue) {
  StalledWrites writes;
  writes.begin(0);
  writes.add(100);
  EXPECT_FALSE(writes.too_long(0, 10'000 * kMillisecondNs));
  writes.add(100);
  EXPECT_FALSE(writes.too_long(100, 10'500 * kMillisecondNs)) << "written after a pause";
  EXPECT_TRUE(writes.too_long(100, 10'501 * kMillisecondNs));
}

TEST(StalledWrites, BeginsAnewWithAConnection) {
  StalledWrites writes;
  writes.begin(0);
  writes.add(100);
  EXPECT_TRUE(writes.too_long(100, 501 * kMillisecondNs));
  writes.begin(501 * kMillisecondNs);
  writes.add(100);
  EXPECT_FALSE(writes.too_long(100, 1001 * kMillisecondNs));
}

}  // namespace
}  // namespace sail
