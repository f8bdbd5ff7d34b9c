#include "sail/client/transport/packet_messages.h"

#include <gtest/gtest.h>

#include <vector>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {
namespace {

constexpr int64_t kNowNs = 1'000'000'000;

TEST(PacketMessagesTest, AProbeIsDueAtOnceAndThenLessOftenWhileNothingWaits) {
  PacketMessages messages;
  messages.start();
  EXPECT_TRUE(messages.take_probe(kNowNs, false));
  EXPECT_FALSE(messages.take_probe(kNowNs + 10 * kMillisecondNs, false));
  EXPECT_TRUE(messages.take_probe(kNowNs + 10 * kMillisecondNs, true));
  EXPECT_LT(messages.probe_at_ns(true), messages.probe_at_ns(false));
}

TEST(PacketMessagesTest, AnyPacketPutsTheProbeOff) {
  PacketMessages messages;
  messages.start();
  messages.note_packet(kNowNs);
  EXPECT_FALSE(messages.take_probe(kNowNs, true));
}

TEST(PacketMessagesTest, PacketsOfTheGroupPutTheProbeOffForAWhile) {
  PacketMessages messages;
  messages.start();
  messages.note_packet(kNowNs);
  int64_t now_ns = kNowNs;
  for (; messages.probe_at_ns(true) > now_ns; now_ns += kMillisecondNs) {
    messages.note_group_packet(now_ns);
    ASSERT_LT(now_ns, kNowNs + kSecondNs);
  }
  EXPECT_GT(now_ns, kNowNs + 20 * kMillisecondNs);
  EXPECT_LT(now_ns, kNowNs + 30 * kMillisecondNs);
  EXPECT_TRUE(messages.take_probe(now_ns, true));
  messages.note_group_packet(now_ns + kMillisecondNs);
  EXPECT_EQ(messages.probe_at_ns(true), now_ns + 5 * kMillisecondNs);
}

TEST(PacketMessagesTest, AMessageIsRepeatedUntilTheLinkStops) {
  PacketMessages messages;
  EXPECT_TRUE(messages.take_repeat(kNowNs).empty());
  messages.repeat_message(encode(1, FrameShow{.frame = 3, .epoch = 2}), kNowNs, false);
  EXPECT_EQ(messages.repeat_at_ns(), kNowNs);
  EXPECT_FALSE(messages.take_repeat(kNowNs).empty());
  EXPECT_GT(messages.repeat_at_ns(), kNowNs);
  EXPECT_TRUE(messages.take_repeat(kNowNs).empty());
  messages.stop();
  EXPECT_EQ(messages.repeat_at_ns(), INT64_MAX);
}

TEST(PacketMessagesTest, AReceiverThatLosesNothingGetsAMessageOnce) {
  PacketMessages messages;
  messages.repeat_message(encode(1, FrameShow{.frame = 3, .epoch = 2}), kNowNs, true);
  EXPECT_EQ(messages.take_repeat(kNowNs).size(), kFrameShowBytes);
  EXPECT_EQ(messages.repeat_at_ns(), INT64_MAX);
}

TEST(PacketMessagesTest, ReceivedMessagesWaitUntilTheyAreDelivered) {
  PacketMessages messages;
  const auto text = encode(1, FrameShow{.frame = 3, .epoch = 2});
  EXPECT_TRUE(messages.take(text));
  EXPECT_FALSE(messages.take(std::vector<uint8_t>{1, 2, 3})) << "no message";
  EXPECT_TRUE(messages.has_taken());
  int delivered = 0;
  messages.deliver([&](const MessageBuffer::Message&) { ++delivered; });
  EXPECT_EQ(delivered, 1);
  EXPECT_FALSE(messages.has_taken());
}

TEST(PacketMessagesTest, ALinkThatStopsDuringDeliveryIsToldNothingMore) {
  PacketMessages messages;
  const auto text = encode(1, FrameShow{.frame = 3, .epoch = 2});
  while (messages.take(text)) {
  }
  int delivered = 0;
  messages.deliver([&](const MessageBuffer::Message&) {
    ++delivered;
    messages.stop();
  });
  EXPECT_EQ(delivered, 1);
}

}  // namespace
}  // namespace sail
