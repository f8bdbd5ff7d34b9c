#include "sail/client/session/event.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sail {
namespace {

TEST(Event, ALinkTellsEachFigure) {
  const LinkStats link{.receiver = std::string(kMaxNameLength, 'r'),
                       .transport = Transport::kUdp,
                       .mbit_per_s = 1,
                       .limit_mbit_per_s = 2,
                       .busy_pct = 30,
                       .rtt_ms = 3,
                       .delay_ms = 4,
                       .queue_ms = 5,
                       .jitter_ms = 6,
                       .fec_pct = 7,
                       .reduction = 3,
                       .bytes_sent = 9,
                       .bytes_parity = 29,
                       .packets_sent = 8,
                       .packets_retransmitted = 10,
                       .counters = {.packets_arrived = 11,
                                    .bytes_arrived = 12,
                                    .packets_lost = 13,
                                    .packets_reordered = 14,
                                    .packets_duplicated = 15,
                                    .packets_late = 16,
                                    .mended_fec = 17,
                                    .mended_retransmit = 18,
                                    .socket_full = 19,
                                    .frames_lost = 20,
                                    .bursts = {21, 22, 23, 24, 25, 26, 27, 28}}};
  const sail_event event = link_event(link);
  EXPECT_EQ(event.type, SAIL_EVENT_LINK);
  const sail_link_stats& reported = event.link;
  EXPECT_EQ(reported.receiver, link.receiver);
  EXPECT_EQ(reported.transport, SAIL_UDP);
  EXPECT_EQ(reported.mbit_per_s, 1);
  EXPECT_EQ(reported.limit_mbit_per_s, 2);
  EXPECT_EQ(reported.busy_pct, 30);
  EXPECT_EQ(reported.rtt_ms, 3);
  EXPECT_EQ(reported.delay_ms, 4);
  EXPECT_EQ(reported.queue_ms, 5);
  EXPECT_EQ(reported.jitter_ms, 6);
  EXPECT_EQ(reported.fec_pct, 7);
  EXPECT_EQ(reported.reduction, 3);
  EXPECT_EQ(reported.bytes_parity, 29u);
  EXPECT_EQ(reported.packets_sent, 8u);
  EXPECT_EQ(reported.bytes_sent, 9u);
  EXPECT_EQ(reported.packets_retransmitted, 10u);
  EXPECT_EQ(reported.packets_arrived, 11u);
  EXPECT_EQ(reported.bytes_arrived, 12u);
  EXPECT_EQ(reported.packets_lost, 13u);
  EXPECT_EQ(reported.packets_reordered, 14u);
  EXPECT_EQ(reported.packets_duplicated, 15u);
  EXPECT_EQ(reported.packets_late, 16u);
  EXPECT_EQ(reported.mended_fec, 17u);
  EXPECT_EQ(reported.mended_retransmit, 18u);
  EXPECT_EQ(reported.socket_full, 19u);
  EXPECT_EQ(reported.frames_lost, 20u);
  EXPECT_TRUE(
      std::equal(link.counters.bursts.begin(), link.counters.bursts.end(), reported.bursts));
  EXPECT_EQ(link_event({.receiver = "left"}).link.transport, SAIL_TCP);
}

TEST(Event, ALinkTellsWhereTheReceiverIsAndWhetherItReadsMemory) {
  const sail_event away = link_event({.receiver = "left"});
  EXPECT_EQ(away.link.same_host, -1);
  EXPECT_EQ(link_event({.receiver = "left", .same_host = false}).link.same_host, 0);
  const sail_event here =
      link_event({.receiver = "left", .same_host = true, .shared_memory = true});
  EXPECT_EQ(here.link.same_host, 1);
  EXPECT_EQ(here.link.shared_memory, 1);
  const std::string why(kMaxTroubleText, 'w');
  const sail_event refused =
      link_event({.receiver = "left", .same_host = true, .memory_trouble = why});
  EXPECT_EQ(refused.link.shared_memory, 0);
  EXPECT_EQ(refused.link.memory_trouble, why);
}

}  // namespace
}  // namespace sail
