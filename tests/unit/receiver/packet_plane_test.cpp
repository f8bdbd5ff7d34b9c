// Streams over UDP through the data port, over loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "receiver/data_plane.h"
#include "tests/unit/receiver/data_plane_fixture.h"
#include "tests/unit/receiver/frames.h"
#include "tests/unit/receiver/packet_peer.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::FrameName;

constexpr size_t kSymbolBytes = sail::symbol_bytes_for(576);

// The messages of a frame with all its blocks, each filled with its number.
std::vector<uint8_t> whole_frame(const FrameKey& key, uint32_t delay_us = 0, uint64_t base = 0) {
  std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
  for (uint16_t row = 0; row < 2; ++row) {
    const std::vector<uint8_t> blocks(2 * block_bytes(kGrid, 0, row),
                                      static_cast<uint8_t>(key.number));
    runs.emplace_back(sail::BlockRun{key.number, row, 0, 2}, blocks);
  }
  return frame_bytes(kStream, key, 4, runs, base,
                     {.submitted_ns = sail::steady_now_ns(), .delay_us = delay_us});
}

class PacketPlaneTest : public DataPlaneTest {
 protected:
  PacketPlaneTest() {
    data_.prepare(scene_of({kStream, kGoodStream}));
    data_.commit(scene_of({kStream, kGoodStream}));
  }
  struct Peer {
    std::unique_ptr<DataPeer> connection;
    std::unique_ptr<PacketPeer> packets;
    sail::StreamAccept accept;
  };
  Peer connect_packets(uint32_t stream = kStream) {
    Peer peer{.connection = connect(), .packets = nullptr, .accept = {}};
    sail::StreamOpen open = open_message();
    open.symbol_bytes = kSymbolBytes;
    peer.connection->open(stream, open);
    EXPECT_TRUE(run_until([&] { return peer.connection->accepted(); }));
    const auto accept = sail::decode_stream_accept(peer.connection->messages().at(0).body);
    EXPECT_TRUE(accept);
    peer.accept = accept.value_or(sail::StreamAccept{});
    peer.packets = std::make_unique<PacketPeer>(loop_, at_, stream, peer.accept.packet_secret);
    return peer;
  }
  static std::vector<TestPacket> packets_of(const FrameKey& key, uint32_t delay_us = 0,
                                            uint64_t base = 0, uint8_t parity = 0) {
    return frame_packets({.frame = key.number, .epoch = key.epoch},
                         whole_frame(key, delay_us, base), kSymbolBytes, parity);
  }
  // Ready now, and what it should be.
  void expect_frame(const FrameKey& key) {
    ASSERT_TRUE(run_until([&] { return !ready_.empty() && ready_.back().second == key; }));
    auto frame = data_.go({.stream = kStream, .frame = key.number, .epoch = key.epoch});
    ASSERT_TRUE(frame);
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 2; ++column) {
        EXPECT_THAT(frame->block(column, row), testing::Each(static_cast<uint8_t>(key.number)));
      }
    }
    show(std::move(frame));
  }
};

TEST_F(PacketPlaneTest, FrameComesThroughToTheReport) {
  const Peer peer = connect_packets();
  EXPECT_NE(peer.accept.packet_secret, 0U);
  EXPECT_EQ(peer.accept.frames_in_flight, sail::kMaxFramesInFlight);
  peer.packets->send(packets_of({1, 1}));
  expect_frame({1, 1});
  ASSERT_TRUE(run_until([&] { return !peer.connection->reports().empty(); }));
  EXPECT_EQ(peer.connection->reports()[0].outcome, sail::FrameOutcome::kShown);
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{1, 1}; }));
  const sail::Feedback feedback = peer.packets->last();
  EXPECT_EQ(feedback.counters.packets, packets_of({1, 1}).size());
  EXPECT_EQ(feedback.highest, feedback.counters.packets);
  EXPECT_EQ(feedback.counters.lost, 0U);
  EXPECT_TRUE(feedback.missing.empty());
}

TEST_F(PacketPlaneTest, ShuffledPacketsMakeTheSameFrames) {
  const Peer peer = connect_packets();
  std::mt19937 random(1);
  for (uint64_t number = 1; number <= 20; ++number) {
    std::vector<TestPacket> packets = packets_of({1, number}, 0, number - 1);
    std::shuffle(packets.begin(), packets.end(), random);
    peer.packets->send(packets);
    expect_frame({1, number});
  }
}

}  // namespace
}  // namespace receiver
