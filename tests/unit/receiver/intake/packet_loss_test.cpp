#include "receiver/intake/packet_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "receiver/intake/packet_delay.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kMillisecondNs;

using testing::ElementsAre;

constexpr int64_t kStart = 1'000'000 * kMillisecondNs;

sail::LinkCounters after(const std::vector<uint64_t>& numbers) {
  PacketLoss loss;
  for (const uint64_t number : numbers) loss.add(number, 100, kStart);
  return loss.counters();
}

TEST(PacketLossTest, InOrderNothingIsLost) {
  PacketLoss loss;
  for (uint64_t number = 1; number <= 100'000; ++number) {
    ASSERT_TRUE(loss.add(number, 100, kStart + static_cast<int64_t>(number) * 10'000));
  }
  EXPECT_EQ(loss.highest(), 100'000U);
  EXPECT_EQ(loss.counters(),
            (sail::LinkCounters{.packets_arrived = 100'000, .bytes_arrived = 10'000'000}));
}

TEST(PacketLossTest, PacketsBeforeTheFirstAreNotLost) {
  PacketLoss loss;
  loss.begin_at(1000);
  EXPECT_TRUE(loss.add(1000, 100, kStart));
  EXPECT_TRUE(loss.add(998, 100, kStart)) << "it came later";
  for (uint64_t number = 1002; number <= 1002 + PacketLoss::kLaterPackets; ++number) {
    EXPECT_TRUE(loss.add(number, 100, kStart));
  }
  EXPECT_EQ(loss.counters().packets_lost, 1U) << "1001";
  EXPECT_EQ(loss.counters().packets_reordered, 1U);
}

TEST(PacketLossTest, GapIsLostAfterEnoughPackets) {
  std::vector<uint64_t> numbers{1};
  while (numbers.back() < 2 + PacketLoss::kLaterPackets - 1) {
    numbers.push_back(numbers.size() == 1 ? 3 : numbers.back() + 1);
  }
  EXPECT_EQ(after(numbers).packets_lost, 0U);
  numbers.push_back(numbers.back() + 1);
  EXPECT_EQ(after(numbers).packets_lost, 1U);
}

TEST(PacketLossTest, GapIsLostAfterEnoughTime) {
  PacketLoss loss;
  loss.add(1, 100, kStart);
  loss.add(3, 100, kStart + kMillisecondNs);
  loss.on_time(kStart + 2 * kMillisecondNs);
  EXPECT_EQ(loss.counters().packets_lost, 0U);
  loss.on_time(kStart + kMillisecondNs + PacketLoss::kReorderingNs);
  loss.on_time(kStart + kMillisecondNs + 2 * PacketLoss::kReorderingNs);
  EXPECT_EQ(loss.counters().packets_lost, 1U);
}

TEST(PacketLossTest, WhatComesAfterItWasLostIsOnlyReordered) {
  std::vector<uint64_t> numbers{1};
  for (uint64_t number = 3; number < 200; ++number) numbers.push_back(number);
  EXPECT_EQ(after(numbers).packets_lost, 1U);
  numbers.push_back(2);
  EXPECT_EQ(after(numbers).packets_lost, 0U);
  EXPECT_EQ(after(numbers).packets_reordered, 1U);
  EXPECT_EQ(after(numbers).packets_arrived, 199U);
}

TEST(PacketLossTest, RepetitionsAreDropped) {
  PacketLoss loss;
  EXPECT_TRUE(loss.add(5, 100, kStart));
  EXPECT_FALSE(loss.add(5, 100, kStart));
  EXPECT_TRUE(loss.add(4, 100, kStart));
  EXPECT_FALSE(loss.add(4, 100, kStart));
  EXPECT_TRUE(loss.add(5 + PacketLoss::kWindow, 100, kStart));
  EXPECT_FALSE(loss.add(5, 100, kStart)) << "too old to tell";
  EXPECT_FALSE(loss.add(3, 100, kStart));
  EXPECT_EQ(loss.counters().packets_duplicated, 4U);
  EXPECT_EQ(loss.counters().packets_arrived, 3U);
}

TEST(PacketLossTest, BurstsByTheirLength) {
  PacketLoss loss;
  uint64_t number = 0;
  for (const uint64_t burst : {1, 1, 2, 3, 4, 8, 9, 33, 64, 65, 5000}) {
    loss.add(++number, 100, kStart);
    number += burst;
  }
  for (int i = 0; i < 200; ++i) loss.add(++number, 100, kStart);
  EXPECT_THAT(loss.counters().bursts, ElementsAre(2, 1, 2, 1, 1, 0, 2, 2));
  EXPECT_EQ(loss.counters().packets_lost, 1U + 1 + 2 + 3 + 4 + 8 + 9 + 33 + 64 + 65 + 5000);
}

TEST(PacketLossTest, TheLargestNumbersTakeNoTime) {
  PacketLoss loss;
  EXPECT_TRUE(loss.add(sail::kMaxCounter, 100, kStart));
  EXPECT_FALSE(loss.add(1, 100, kStart));
  EXPECT_EQ(loss.counters().packets_lost, sail::kMaxCounter - PacketLoss::kLaterPackets);
}

// Compares with sets: numbers lost, repeated and reordered by up to a few hundred.
TEST(PacketLossTest, CountsWhatHappened) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<double, uint64_t>> sent;
    std::uniform_real_distribution<double> part(0, 1);
    for (uint64_t number = 1; number <= 20'000; ++number) {
      if (part(random) < 0.05) continue;
      const auto at = static_cast<double>(number);
      sent.emplace_back(at + (part(random) < 0.1 ? part(random) * 300 : 0), number);
      if (part(random) < 0.02) sent.emplace_back(at + part(random) * 1000, number);
    }
    std::sort(sent.begin(), sent.end());
    PacketLoss loss;
    std::set<uint64_t> has_arrived;
    sail::LinkCounters expected;
    for (const auto& [at, number] : sent) {
      const bool is_new = has_arrived.insert(number).second;
      ++(is_new ? expected.packets_arrived : expected.packets_duplicated);
      if (is_new) expected.bytes_arrived += 7;
      if (is_new && number != *has_arrived.rbegin()) ++expected.packets_reordered;
      ASSERT_EQ(loss.add(number, 7, kStart + static_cast<int64_t>(at * 10'000)), is_new);
    }
    expected.packets_lost = *has_arrived.rbegin() - has_arrived.size();
    for (int i = 1; i <= 3; ++i) loss.on_time(kStart + (1000 + i * 20) * kMillisecondNs);
    sail::LinkCounters counters = loss.counters();
    counters.bursts = {};
    EXPECT_EQ(counters, expected) << "seed " << seed;
  }
}

// --- delay --------------------------------------------------------------------------------------

TEST(PacketDelayTest, MeanAndWhatIsAboveTheLeast) {
  PacketDelay delay;
  uint32_t sent_us = 0xffffff00;  // the time stamps wrap around
  for (int i = 0; i < 100; ++i, sent_us += 100) delay.add(sent_us, sent_us + 5000, kStart);
  PacketDelay::Values values = delay.take();
  EXPECT_EQ(values.delay_us, 5000U);
  EXPECT_EQ(values.queue_us, 0U);
  EXPECT_EQ(values.jitter_us, 0U);
  for (int i = 0; i < 100; ++i, sent_us += 100) delay.add(sent_us, sent_us + 7000, kStart);
  values = delay.take();
  EXPECT_EQ(values.delay_us, 7000U);
  EXPECT_EQ(values.queue_us, 2000U);
  EXPECT_EQ(delay.take().delay_us, 7000U) << "nothing newer is known";
}

TEST(PacketDelayTest, TheLeastIsForgottenAfterTenSeconds) {
  PacketDelay delay;
  delay.add(0, 1000, kStart);
  delay.add(0, 3000, kStart + 9000 * kMillisecondNs);
  delay.take();
  delay.add(0, 3000, kStart + 9500 * kMillisecondNs);
  EXPECT_EQ(delay.take().queue_us, 2000U);
  delay.add(0, 3000, kStart + 10'000 * kMillisecondNs);
  EXPECT_EQ(delay.take().queue_us, 0U);
}

TEST(PacketDelayTest, ClocksThatDisagreeStillTellQueues) {
  PacketDelay delay;
  delay.add(10'000, 4000, kStart);
  delay.take();
  delay.add(20'000, 14'500, kStart);
  const PacketDelay::Values values = delay.take();
  EXPECT_EQ(values.delay_us, 0U);
  EXPECT_EQ(values.queue_us, 500U);
}

TEST(PacketDelayTest, JitterOfAlternatingDelays) {
  PacketDelay delay;
  for (uint32_t i = 0; i < 1000; ++i) delay.add(0, i % 2 == 0 ? 1000 : 1400, kStart);
  EXPECT_NEAR(delay.take().jitter_us, 400, 1) << "each differs from the one before by 400 µs";
}

}  // namespace
}  // namespace receiver
