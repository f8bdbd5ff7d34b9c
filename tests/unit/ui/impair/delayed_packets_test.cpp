#include "ui/impair/delayed_packets.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sail {
namespace {

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string text_of(const DelayedPackets::Packet& packet) {
  return {packet.bytes.begin(), packet.bytes.end()};
}

// Takes all packets that are due and recycles their memory.
std::string take_all(DelayedPackets& packets, int64_t now_ns) {
  std::string text;
  while (auto packet = packets.take_due(now_ns)) {
    text += text_of(*packet);
    packets.recycle(std::move(packet));
  }
  return text;
}

TEST(DelayedPackets, LeaveByTimeAndThenAsTheyCame) {
  DelayedPackets packets(1 << 20);
  EXPECT_FALSE(packets.next_ns());
  for (const auto& [time, text] :
       {std::pair{30, "d"}, {10, "a"}, {20, "b"}, {20, "c"}, {30, "e"}, {40, "f"}}) {
    EXPECT_TRUE(packets.put(time, 1, as_bytes(text)));
  }
  EXPECT_EQ(packets.next_ns(), 10);
  EXPECT_EQ(packets.take_due(9), nullptr);
  EXPECT_EQ(take_all(packets, 30), "abcde");
  EXPECT_EQ(packets.next_ns(), 40);
}

TEST(DelayedPackets, WhatIsPutBackComesFirstAgain) {
  DelayedPackets packets(1 << 20);
  packets.put(10, 3, as_bytes("a"));
  packets.put(10, 4, as_bytes("b"));
  auto packet = packets.take_due(10);
  EXPECT_EQ(packet->flow, 3U);
  packets.put_back(std::move(packet));
  EXPECT_EQ(take_all(packets, 10), "ab");
}

TEST(DelayedPackets, MemoryHasABoundAndIsUsedAgain) {
  constexpr size_t kMax = 100'000;
  DelayedPackets packets(kMax);
  const std::vector<uint8_t> packet(1400);
  size_t held = 0;
  while (held < 1000 && packets.put(0, 0, packet)) ++held;
  EXPECT_GT(held, 40U);
  EXPECT_LT(held, kMax / packet.size());
  for (int round = 0; round < 100; ++round) {
    take_all(packets, 0);
    for (size_t i = 0; i < held; ++i) ASSERT_TRUE(packets.put(0, 0, packet)) << round;
    ASSERT_FALSE(packets.put(0, 0, packet));
  }
  // Long packets reuse the memory of short ones.
  take_all(packets, 0);
  const std::vector<uint8_t> longer(9000);
  size_t long_ones = 0;
  for (int i = 0; i < 1000; ++i) long_ones += packets.put(0, 0, longer) ? 1 : 0;
  EXPECT_GE(long_ones, 9U);
  EXPECT_LE(long_ones, kMax / longer.size());
}

}  // namespace
}  // namespace sail
