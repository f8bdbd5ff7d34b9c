// Streams over UDP through the data port, on loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "receiver/intake/data_plane.h"
#include "receiver/intake/packet_loss.h"
#include "tests/support/environment_variable.h"
#include "tests/support/held_port.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/intake/data_plane_fixture.h"
#include "tests/unit/receiver/intake/packet_peer.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::FrameName;

constexpr size_t kSentSymbolBytes = sail::symbol_bytes_for(576);

// The messages of a frame with all its blocks, each filled with the frame number.
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
  Peer connect_packets(uint32_t stream = kStream, bool sealed = false) {
    Peer peer{.connection = connect(), .packets = nullptr, .accept = {}};
    sail::StreamOpen open = open_message();
    open.symbol_bytes = kSentSymbolBytes;
    open.sealed = sealed;
    peer.connection->open(stream, open);
    EXPECT_TRUE(run_until([&] { return peer.connection->accepted(); }));
    const auto accept = sail::decode_stream_accept(peer.connection->messages().at(0).body);
    EXPECT_TRUE(accept);
    peer.accept = accept.value_or(sail::StreamAccept{});
    using Key = std::optional<sail::PacketKey>;
    peer.packets = std::make_unique<PacketPeer>(loop_, at_, stream, peer.accept.packet_secret,
                                                sealed ? Key(peer.accept.packet_key) : Key());
    return peer;
  }
  static std::vector<TestPacket> packets_of(const FrameKey& key, uint32_t delay_us = 0,
                                            uint64_t base = 0, uint8_t parity = 0) {
    return frame_packets({.frame = key.number, .epoch = key.epoch},
                         whole_frame(key, delay_us, base), kSentSymbolBytes, parity);
  }
  // Expects the frame to be ready now, with the right content.
  void expect_frame(const FrameKey& key) {
    ASSERT_TRUE(run_until([&] { return !ready_.empty() && ready_.back().second == key; }));
    auto frame = data_.frames().take(kStream, {key.epoch, key.number});
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
  EXPECT_EQ(feedback.counters.packets_arrived, packets_of({1, 1}).size());
  EXPECT_EQ(feedback.highest, feedback.counters.packets_arrived);
  EXPECT_EQ(feedback.counters.packets_lost, 0U);
  EXPECT_TRUE(feedback.missing.empty());
}

// The connection may stall for longer than frames last.
TEST_F(PacketPlaneTest, WhatIsSaidOfFramesGoesByPacketsToo) {
  const Peer peer = connect_packets();
  peer.packets->send(packets_of({1, 1}));
  ASSERT_TRUE(run_until([&] { return peer.packets->said().size() >= 2; }));
  const sail::DataResult<sail::DataHeader> said =
      sail::decode_header(std::span(peer.packets->said()[0]).first<sail::kDataHeaderBytes>());
  ASSERT_TRUE(said);
  EXPECT_EQ(said->type, sail::DataType::kFrameReady);
  EXPECT_EQ(peer.packets->said()[0], peer.packets->said()[1]);

  const auto show = sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 77});
  peer.packets->send_messages(show);
  ASSERT_TRUE(run_until([&] { return !shows_.empty(); }));
  EXPECT_EQ(shows_[0].second.at_ns, 77);
  // Handled once, however often and on whichever path it arrives.
  peer.packets->send_messages(show);
  peer.connection->send(show);
  const auto next = sail::encode(kStream, sail::FrameShow{.frame = 2, .epoch = 1, .at_ns = 78});
  peer.packets->send_messages(next);
  peer.connection->send(next);
  const auto last = sail::encode(kStream, sail::FrameShow{.frame = 3, .epoch = 1, .at_ns = 79});
  peer.connection->send(last);
  ASSERT_TRUE(run_until([&] { return shows_.back().second.frame == 3; }));
  EXPECT_EQ(shows_.size(), 3U);
}

// They must not end a session, because anybody can send packets.
TEST_F(PacketPlaneTest, PacketsOfOtherMessagesAreDropped) {
  const Peer peer = connect_packets();
  const auto show = sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 77});
  peer.packets->send_messages(
      sail::encode(kStream, sail::CloseMessage{sail::CloseReason::kNormal, ""}));
  peer.packets->send_messages(sail::encode(kGoodStream, sail::FrameShow{.frame = 1, .epoch = 1}));
  peer.packets->send_messages(std::vector<uint8_t>(100, 0xaa));
  peer.packets->send_messages(std::vector<uint8_t>(1000, 0xaa));
  peer.packets->send_messages(std::span(show).first(show.size() - 1));
  peer.packets->send_messages({});
  peer.packets->send_messages(show);
  ASSERT_TRUE(run_until([&] { return !shows_.empty(); }));
  EXPECT_EQ(shows_.size(), 1U);
  peer.packets->send(packets_of({1, 1}));
  expect_frame({1, 1});
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

TEST_F(PacketPlaneTest, LostPacketsAreAskedFor) {
  const Peer peer = connect_packets();
  const std::vector<TestPacket> packets = packets_of({1, 1});
  for (const TestPacket& packet : packets) {
    if (packet.packet.symbol == 2 || packet.packet.symbol == 3) {
      peer.packets->skip_numbers(1);
    } else {
      peer.packets->send(packet);
    }
  }
  const sail::Missing missing{.name = {1, 1}, .first = 2, .count = 2};
  ASSERT_TRUE(run_until([&] {
    return peer.packets->last().missing == std::vector{missing} &&
           peer.packets->last().counters.packets_lost == 2;
  }));
  EXPECT_EQ(peer.packets->last().counters.bursts[1], 1U);
  EXPECT_TRUE(ready_.empty());
  for (const uint32_t symbol : {2U, 3U}) {
    TestPacket again = packets[symbol];
    again.packet.repeat = true;
    peer.packets->send(again);
  }
  expect_frame({1, 1});
  ASSERT_TRUE(run_until([&] { return peer.packets->last().counters.mended_retransmit == 2; }));
  EXPECT_TRUE(peer.packets->last().missing.empty());
}

TEST_F(PacketPlaneTest, ParityMendsWithoutAsking) {
  const Peer peer = connect_packets();
  for (const TestPacket& packet : packets_of({1, 1}, 0, 0, 2)) {
    if (packet.packet.symbol == 0 && packet.type == sail::PacketType::kSource) continue;
    peer.packets->send(packet);
  }
  expect_frame({1, 1});
  ASSERT_TRUE(run_until([&] { return peer.packets->last().counters.mended_fec == 1; }));
}

TEST_F(PacketPlaneTest, ProbeFindsALostTail) {
  const Peer peer = connect_packets();
  const std::vector<TestPacket> packets = packets_of({1, 1});
  const auto count = static_cast<uint32_t>(packets.size());
  peer.packets->send(std::span(packets).first(count - 1));
  peer.packets->skip_numbers(1);
  peer.packets->send_probe({.name = {1, 1}, .symbols = count, .whole = true});
  const sail::Missing missing{.name = {1, 1}, .first = count - 1, .count = 1};
  ASSERT_TRUE(run_until([&] { return peer.packets->last().missing == std::vector{missing}; }));
  peer.packets->send(packets.back());
  expect_frame({1, 1});
}

TEST_F(PacketPlaneTest, FrameThatIsNotMendedIsLostAndTheNextBuildsOnTheOneBefore) {
  const Peer peer = connect_packets();
  peer.packets->send(packets_of({1, 1}));
  expect_frame({1, 1});
  // One incomplete frame, and one whose first packet is missing.
  const std::vector<TestPacket> second = packets_of({1, 2}, 20'000, 1);
  peer.packets->send(std::span(second).first(second.size() - 2));
  peer.packets->send(second.back());
  const std::vector<TestPacket> third = packets_of({1, 3}, 20'000, 1);
  peer.packets->send(std::span(third).subspan(1));
  // No new blocks: all of its content came with the first frame.
  peer.packets->send(
      frame_packets({4, 1}, frame_bytes(kStream, {1, 4}, 0, {}, 1), kSentSymbolBytes));
  ASSERT_TRUE(
      run_until([&] { return ready_.size() == 2 && peer.connection->reports().size() == 3; }));
  EXPECT_EQ(ready_.back().second, (FrameKey{1, 4}));
  for (size_t i = 1; i <= 2; ++i) {
    const sail::FrameReport report = peer.connection->reports()[i];
    EXPECT_EQ(report.frame, i + 1);
    EXPECT_EQ(report.cause, sail::DropCause::kLost);
  }
  auto frame = data_.frames().take(kStream, {1, 4});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->block(1, 1)[0], 1);
  EXPECT_EQ(frame->version(1, 1), 1U);
  show(std::move(frame));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().counters.frames_lost == 2; }));
  EXPECT_EQ(peer.packets->last().whole, (FrameName{4, 1}));
  EXPECT_EQ(data_.frames().counters().frames_dropped, 2U);
}

// As over TCP: exceeding the credits ends the connection with an error.
TEST_F(PacketPlaneTest, MoreFramesInFlightThanAgreedEndTheConnection) {
  const Peer peer = connect_packets();
  const uint64_t agreed = peer.accept.frames_in_flight;
  for (uint64_t number = 1; number <= agreed; ++number) {
    peer.packets->send(packets_of({1, number}, 0, number - 1));
    ASSERT_TRUE(run_until([&] { return ready_.size() == number; }));
  }
  EXPECT_FALSE(peer.connection->ended());
  peer.packets->send(packets_of({1, agreed + 1}, 0, agreed));
  ASSERT_TRUE(run_until([&] { return peer.connection->ended(); }));
  EXPECT_EQ(peer.connection->closes().at(0).reason, CloseReason::kLimit);
}

// Incomplete frames count as well.
TEST_F(PacketPlaneTest, FramesThatAreNotWholeYetCountAsInFlight) {
  const Peer peer = connect_packets();
  const uint64_t agreed = peer.accept.frames_in_flight;
  peer.packets->send(packets_of({1, 1}));
  ASSERT_TRUE(run_until([&] { return ready_.size() == 1; }));
  // Their first packets are missing, so none of them can be read.
  for (uint64_t number = 2; number <= agreed; ++number) {
    peer.packets->send(packets_of({1, number}, 2'000'000, number - 1)[1]);
  }
  sail::run_some(loop_);
  EXPECT_FALSE(peer.connection->ended());
  peer.packets->send(packets_of({1, agreed + 1}, 2'000'000, agreed)[1]);
  ASSERT_TRUE(run_until([&] { return peer.connection->ended(); }));
  EXPECT_EQ(peer.connection->closes().at(0).reason, CloseReason::kLimit);
}

TEST_F(PacketPlaneTest, RepeatedAndForgedDatagramsChangeNothing) {
  const Peer peer = connect_packets();
  std::mt19937 random(1);
  uint64_t expected = 0;
  for (uint64_t number = 1; number <= 5; ++number) {
    for (const TestPacket& packet : packets_of({1, number}, 0, number - 1)) {
      const std::vector<uint8_t> good = datagram(peer.packets->next_header(), packet);
      ++expected;
      peer.packets->send_datagram(good);
      peer.packets->send_datagram(good);
      std::vector<uint8_t> forged = good;
      forged[8 + random() % 8] ^= 1;  // wrong secret
      peer.packets->send_datagram(forged);
      forged = good;
      forged[4] ^= 1;  // wrong stream
      peer.packets->send_datagram(forged);
      forged.resize(random() % 600);
      for (uint8_t& byte : forged) byte = static_cast<uint8_t>(random());
      peer.packets->send_datagram(forged);
    }
    expect_frame({1, number});
  }
  ASSERT_TRUE(run_until([&] { return peer.packets->last().highest == expected; }));
  EXPECT_EQ(peer.packets->last().counters.packets_arrived, expected);
  EXPECT_EQ(peer.packets->last().counters.packets_duplicated, expected);
  EXPECT_EQ(peer.packets->last().counters.packets_lost, 0U);
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
  EXPECT_FALSE(peer.connection->ended());
}

// --- sealed packets -----------------------------------------------------------------------------

// A peer with another address, which must receive nothing.
class Stranger final : private sail::UdpReader {
 public:
  Stranger(sail::Loop& loop, const sail::Address& to)
      : socket_(std::move(sail::UdpSocket::connect(loop, to).value())) {
    socket_->start_reading(*this);
  }
  void send(std::span<const uint8_t> bytes) {
    const sail::OutgoingDatagram datagram{.parts = std::span(&bytes, 1), .bytes = bytes.size()};
    EXPECT_EQ(socket_->send(std::span(&datagram, 1)), 1U);
  }
  size_t got = 0;

 private:
  void on_datagrams(std::span<const sail::Datagram> datagrams) override { got += datagrams.size(); }
  std::unique_ptr<sail::UdpSocket> socket_;
};

TEST_F(PacketPlaneTest, SealedPacketsMakeTheSameFrames) {
  const Peer peer = connect_packets(kStream, true);
  const Peer plain = connect_packets(kGoodStream);
  EXPECT_NE(peer.accept.packet_key, sail::PacketKey());
  EXPECT_EQ(plain.accept.packet_key, sail::PacketKey());
  std::mt19937 random(1);
  for (uint64_t number = 1; number <= 20; ++number) {
    std::vector<TestPacket> packets = packets_of({1, number}, 0, number - 1, 2);
    packets.erase(packets.begin() + 1);
    peer.packets->skip_numbers(1);
    std::shuffle(packets.begin(), packets.end(), random);
    peer.packets->send(packets);
    expect_frame({1, number});
  }
  peer.packets->send_probe({.name = {20, 1}, .symbols = 1, .whole = false});
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{20, 1}; }));
  EXPECT_GE(peer.packets->last().counters.mended_fec, 20U);
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
}

// An eavesdropper resends everything from another address: unchanged, with modified bits, and ahead
// of the stream.
TEST_F(PacketPlaneTest, OverheardAndForgedPacketsChangeNothing) {
  const Peer peer = connect_packets(kStream, true);
  Stranger stranger(loop_, at_);
  std::mt19937 random(1);
  uint64_t sent = 0;
  for (uint64_t number = 1; number <= 5; ++number) {
    for (const TestPacket& packet : packets_of({1, number}, 0, number - 1)) {
      const std::vector<uint8_t> good = peer.packets->next(packet);
      peer.packets->send_datagram(good);
      ++sent;
      // If the loop is busy it later reads them in this order.
      stranger.send(good);
      for (const size_t at : {size_t{16}, size_t{24}, size_t{30}, good.size() - 1}) {
        std::vector<uint8_t> forged = good;
        forged[at] ^= static_cast<uint8_t>(1 + random() % 255);  // number, time stamp, payload, tag
        stranger.send(forged);
      }
      std::vector<uint8_t> unsealed = good;
      unsealed[3] = 1;
      unsealed[18] = 1;  // and far ahead
      stranger.send(unsealed);
    }
    expect_frame({1, number});
  }
  peer.packets->send_probe({});
  ++sent;
  ASSERT_TRUE(run_until([&] { return peer.packets->last().highest == sent; }));
  EXPECT_EQ(peer.packets->last().counters.packets_arrived, sent);
  EXPECT_EQ(peer.packets->last().counters.packets_duplicated, sent - 1);
  EXPECT_EQ(peer.packets->last().counters.packets_lost, 0U);
  EXPECT_EQ(stranger.got, 0U);
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
  EXPECT_FALSE(peer.connection->ended());
}

TEST_F(PacketPlaneTest, UnsealedConnectionsTakeNoSealedPackets) {
  const Peer peer = connect_packets();
  sail::PacketHeader header = peer.packets->next_header();
  header.sealed = true;
  peer.packets->send_datagram(peer.packets->datagram_of(header, packets_of({1, 1}).front()));
  peer.packets->send_probe({});
  ASSERT_TRUE(run_until([&] { return !peer.packets->feedbacks().empty(); }));
  EXPECT_EQ(peer.packets->last().counters.packets_arrived, 1U);
}

TEST_F(PacketPlaneTest, SealedNumbersOutsideTheWindowAreTooOld) {
  const Peer peer = connect_packets(kStream, true);
  const TestPacket packet = packets_of({1, 1}).front();
  sail::PacketHeader old = peer.packets->next_header();
  peer.packets->skip_numbers(PacketLoss::kWindow - 1);
  const sail::PacketHeader in_window = [&] {
    sail::PacketHeader header = old;
    header.number += 1;
    return header;
  }();
  peer.packets->send_probe({});
  for (const sail::PacketHeader& header : {old, in_window}) {
    peer.packets->send_datagram(peer.packets->datagram_of(header, packet));
  }
  peer.packets->send_probe({});
  ASSERT_TRUE(run_until([&] { return peer.packets->last().highest == PacketLoss::kWindow + 2; }));
  EXPECT_EQ(peer.packets->last().counters.packets_duplicated, 1U);
  EXPECT_EQ(peer.packets->last().counters.packets_reordered, 1U);
}

TEST_F(PacketPlaneTest, WhereProtectionIsWantedPacketsMustBeSealed) {
  const test::EnvironmentVariable always("VITRAIL_TLS", "always");
  const auto peer = connect();
  sail::StreamOpen open = open_message();
  open.symbol_bytes = kSentSymbolBytes;
  peer->open(kStream, open);
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  ASSERT_EQ(peer->closes().size(), 1U);
  EXPECT_EQ(peer->closes()[0].reason, CloseReason::kUnsupported);
}

// --- when frames are ready ----------------------------------------------------------------------

TEST_F(PacketPlaneTest, FramesAreReadyWhenTheirTimeHasCome) {
  const Peer peer = connect_packets();
  constexpr int64_t kDelayNs = 30'000'000;
  const int64_t before_ns = sail::steady_now_ns();
  peer.packets->send(packets_of({1, 1}, kDelayNs / 1000));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{1, 1}; }));
  ASSERT_TRUE(run_until([&] { return !ready_.empty(); }));
  EXPECT_GE(sail::steady_now_ns() - before_ns, kDelayNs);
}

TEST_F(PacketPlaneTest, FramesOfConnectionsAreHeldToo) {
  const auto peer = connect_stream(kStream);
  const int64_t before_ns = sail::steady_now_ns();
  peer->send(whole_frame({1, 1}, 30'000));
  // Due at once, but not before the first.
  peer->send(whole_frame({1, 2}));
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  EXPECT_GE(sail::steady_now_ns() - before_ns, 30'000'000);
  EXPECT_EQ(ready_[0].second, (FrameKey{1, 1}));
}

TEST_F(PacketPlaneTest, HeldFrameIsHandedOutWhenItsGoComes) {
  const Peer peer = connect_packets();
  peer.packets->send(packets_of({1, 1}, 2'000'000));
  peer.packets->send(packets_of({1, 2}, 2'000'000));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{2, 1}; }));
  EXPECT_TRUE(ready_.empty());
  auto frame = data_.frames().take(kStream, {1, 2});
  ASSERT_TRUE(frame);
  show(std::move(frame));
  ASSERT_TRUE(run_until([&] { return peer.connection->reports().size() == 2; }));
  EXPECT_EQ(peer.connection->reports()[0].cause, sail::DropCause::kSuperseded);
  EXPECT_EQ(peer.connection->reports()[1].outcome, sail::FrameOutcome::kShown);
}

TEST_F(PacketPlaneTest, HeldFramesThatAreOfNoUseAreDropped) {
  const Peer peer = connect_packets();
  peer.packets->send(packets_of({1, 1}, 2'000'000));
  peer.packets->send(packets_of({5, 2}, 2'000'000));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{2, 5}; }));
  data_.prepare(scene_of({kStream}, 5));
  data_.commit(scene_of({kStream}, 5));
  data_.frames().end_former_epochs();
  ASSERT_TRUE(run_until([&] { return peer.connection->reports().size() == 1; }));
  EXPECT_EQ(peer.connection->reports()[0].cause, sail::DropCause::kOldEpoch);
  EXPECT_TRUE(ready_.empty());
  data_.commit(scene_of({}));
  ASSERT_TRUE(run_until([&] { return peer.connection->ended(); }));
  ASSERT_EQ(peer.connection->reports().size(), 2U);
  EXPECT_EQ(peer.connection->reports()[1].cause, sail::DropCause::kHidden);
}

// --- sessions -----------------------------------------------------------------------------------

TEST_F(PacketPlaneTest, BadPacketsEndTheirSessionOnly) {
  const FrameName first{1, 1};
  const auto one_packet = [&](const std::vector<uint8_t>& bytes) {
    return frame_packets(first, bytes, kSentSymbolBytes);
  };
  std::vector<uint8_t> long_frame = frame_bytes(kStream, {1, 1}, 0, {}, 1);
  long_frame.resize(long_frame.size() + 5);
  std::vector<uint8_t> short_frame = whole_frame({1, 1});
  short_frame.resize(short_frame.size() - 5);
  std::vector<uint8_t> two = frame_bytes(kStream, {1, 1}, 0, {}, 1);
  const std::vector<uint8_t> second = frame_bytes(kStream, {1, 2}, 0, {}, 1);
  two.insert(two.end(), second.begin(), second.end());
  std::vector<TestPacket> ends = one_packet(frame_bytes(kStream, {1, 1}, 0, {}, 1));
  ends.insert(ends.begin(), ends.front());
  ends.front().packet.symbol = 7;
  const std::vector<std::pair<const char*, std::vector<TestPacket>>> attacks{
      {"contradiction", ends},
      {"not messages", one_packet(std::vector<uint8_t>(100, 7))},
      {"another frame", one_packet(frame_bytes(kStream, {1, 2}, 0, {}, 1))},
      {"another stream", one_packet(frame_bytes(kGoodStream, {1, 1}, 0, {}, 1))},
      {"more than a frame", one_packet(long_frame)},
      {"less than a frame", one_packet(short_frame)},
      {"two frames in one", one_packet(two)},
      {"a message for connections", one_packet(sail::encode(kStream, sail::StreamOpen{}))},
  };
  const Peer good = connect_packets(kGoodStream);
  uint64_t refused = 0;
  for (const auto& [what, packets] : attacks) {
    const Peer bad = connect_packets();
    bad.packets->send(packets);
    ASSERT_TRUE(run_until([&] { return bad.connection->ended(); })) << what;
    ASSERT_EQ(bad.connection->closes().size(), 1U) << what;
    EXPECT_NE(bad.connection->closes()[0].reason, CloseReason::kNormal) << what;
    EXPECT_EQ(data_.counters().sessions_refused, ++refused) << what;
    // Later packets are ignored.
    const size_t feedbacks = bad.packets->feedbacks().size();
    bad.packets->send_probe({.name = first, .symbols = 1, .whole = true});
    ready_.clear();
    good.packets->send(frame_packets(
        {refused, 1},
        frame_bytes(kGoodStream, {1, refused}, 1,
                    {{{refused, 0, 0, 1}, std::vector<uint8_t>(block_bytes(kGrid, 0, 0))}}),
        kSentSymbolBytes));
    ASSERT_TRUE(run_until([&] { return !ready_.empty(); })) << what;
    auto frame = data_.frames().take(kGoodStream, {1, refused});
    ASSERT_TRUE(frame) << what;
    show(std::move(frame));
    EXPECT_EQ(bad.packets->feedbacks().size(), feedbacks) << what;
  }
  EXPECT_FALSE(good.connection->ended());
}

TEST_F(PacketPlaneTest, FramesOnTheConnectionAreRefused) {
  const Peer peer = connect_packets();
  peer.connection->send(whole_frame({1, 1}));
  ASSERT_TRUE(run_until([&] { return peer.connection->ended(); }));
  EXPECT_EQ(peer.connection->closes().at(0).reason, CloseReason::kBadMessage);
}

TEST_F(PacketPlaneTest, PacketsEndWithTheConnection) {
  Peer peer = connect_packets();
  peer.packets->send_probe({});
  ASSERT_TRUE(run_until([&] { return peer.packets->feedbacks().size() == 1; }));
  peer.connection->close();
  sail::run_some(loop_);
  peer.packets->send_probe({});
  sail::run_some(loop_);
  EXPECT_EQ(peer.packets->feedbacks().size(), 1U);
}

TEST_F(PacketPlaneTest, NoMoreFramesInFlightThanAgreed) {
  const Peer peer = connect_packets();
  for (uint64_t number = 1; number <= sail::kMaxFramesInFlight; ++number) {
    peer.packets->send(packets_of({1, number}, 0, number - 1));
    ASSERT_TRUE(run_until([&] { return ready_.size() == number; }));
  }
  peer.packets->send(packets_of({1, 100}));
  ASSERT_TRUE(run_until([&] { return peer.connection->ended(); }));
  EXPECT_EQ(peer.connection->closes().at(0).reason, CloseReason::kLimit);
}

TEST_F(PacketPlaneTest, LargeFramesAreFewInFlight) {
  sail::Scene scene = scene_of({kStream});
  scene.windows[0].frame_size = {16384, 16384};
  scene.windows[0].block_size = {128, 64};
  data_.prepare(scene);
  const auto peer = connect();
  auto open = open_message();
  open.frame_size = {16384, 16384};
  open.block_size = {128, 64};
  open.symbol_bytes = kSentSymbolBytes;
  peer->open(kStream, open);
  ASSERT_TRUE(run_until([&] { return peer->accepted() || peer->ended(); }));
  ASSERT_TRUE(peer->accepted());
  const auto accept = sail::decode_stream_accept(peer->messages()[0].body);
  ASSERT_TRUE(accept);
  EXPECT_GE(accept->frames_in_flight, FrameAssembler::kFramesInFlight);
  EXPECT_LT(accept->frames_in_flight, sail::kMaxFramesInFlight);
}

TEST_F(PacketPlaneTest, AnotherAddressLeavesSessionsAlone) {
  const Peer peer = connect_packets();
  ASSERT_TRUE(data_.listen({"127.0.0.2", 0}));
  peer.packets->send(packets_of({1, 1}));
  expect_frame({1, 1});
}

// A stream that also comes from a multicast group.
class GroupPlaneTest : public PacketPlaneTest {
 protected:
  static constexpr uint64_t kGroupSecret = 0x77;

  sail::MulticastJoin join(uint64_t secret = kGroupSecret) const {
    return {.secret = secret,
            .key = key,
            .group = *sail::parse_ip("239.77.3.1"),
            .port = port.number()};
  }
  std::unique_ptr<PacketPeer> group(uint64_t secret = kGroupSecret) {
    using Key = std::optional<sail::PacketKey>;
    return std::make_unique<PacketPeer>(loop_, sail::Address{"239.77.3.1", port.number()}, kStream,
                                        secret, sealed ? Key(key) : Key());
  }
  static std::vector<sail::MulticastState> states(const Peer& peer) {
    std::vector<sail::MulticastState> all;
    for (const DataPeer::Message& message : peer.connection->messages()) {
      if (message.header.type != sail::DataType::kMulticastState) continue;
      const auto state = sail::decode_multicast_state(message.body);
      EXPECT_TRUE(state);
      if (state) all.push_back(*state);
    }
    return all;
  }
  // Joins the group, and sends packets to it until the receiver says that it hears them.
  std::unique_ptr<PacketPeer> joined(const Peer& peer, uint64_t secret = kGroupSecret) {
    peer.packets->send_probe({});
    peer.connection->send(sail::encode(kStream, join(secret)));
    auto sender = group(secret);
    EXPECT_TRUE(run_until([&] {
      sender->send_probe({});
      const auto heard = states(peer);
      return !heard.empty() && heard.back().secret == secret && heard.back().hears;
    }));
    return sender;
  }

  const sail::PacketKey key = sail::random_packet_key();
  bool sealed = false;
  const sail::HeldPort port{loop_};
};

TEST_F(GroupPlaneTest, FramesComeFromTheGroupAndAreMendedAlone) {
  const Peer peer = connect_packets();
  const auto sender = joined(peer);
  const std::vector<TestPacket> packets = packets_of({1, 1});
  for (const TestPacket& packet : packets) {
    if (packet.packet.symbol == 2) {
      sender->skip_numbers(1);
    } else {
      sender->send(packet);
    }
  }
  const sail::Missing missing{.name = {1, 1}, .first = 2, .count = 1};
  ASSERT_TRUE(run_until([&] {
    return peer.packets->last().missing == std::vector{missing} &&
           peer.packets->last().counters.packets_lost == 1;
  }));
  EXPECT_EQ(peer.packets->last().highest, 1U) << "the probe's number";
  TestPacket again = packets[2];
  again.packet.repeat = true;
  peer.packets->send(again);
  expect_frame({1, 1});
  EXPECT_EQ(states(peer).size(), 1U) << "told once";
}

// The sender has many receivers: whole frames are reported at once, and messages are not repeated.
TEST_F(GroupPlaneTest, AReceiverThatLosesNothingSpeaksOnce) {
  const Peer peer = connect_packets();
  const auto sender = joined(peer);
  sender->send(packets_of({1, 1}));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{1, 1}; }));
  sender->send(packets_of({1, 2}));
  ASSERT_TRUE(run_until([&] { return peer.packets->last().whole == FrameName{2, 1}; }));
  ASSERT_TRUE(run_until([&] { return peer.packets->said().size() >= 2; }));
  const auto& said = peer.packets->said();
  ASSERT_EQ(said.size(), 2U) << "one packet for each frame_ready";
  EXPECT_EQ(said[0].size(), sail::kFrameReadyBytes);
  EXPECT_EQ(said[1].size(), 2 * sail::kFrameReadyBytes)
      << "without the one before, the sender would take a frame for lost if a packet is lost";
}

TEST_F(GroupPlaneTest, AReceiverThatLosesPacketsRepeatsItsMessages) {
  const Peer peer = connect_packets();
  const auto sender = joined(peer);
  const std::vector<TestPacket> packets = packets_of({1, 1});
  sender->skip_numbers(1);
  sender->send(packets);
  ASSERT_TRUE(run_until([&] {
    peer.packets->send_probe({});
    return peer.packets->last().counters.packets_lost == 1;
  }));
  const size_t said = peer.packets->said().size();
  sender->send(packets_of({1, 2}));
  ASSERT_TRUE(run_until([&] { return peer.packets->said().size() >= said + 2; }));
  EXPECT_EQ(peer.packets->said().back().size(), 2 * sail::kFrameReadyBytes);
}

TEST_F(GroupPlaneTest, SealedPacketsNeedTheKeyOfTheGroup) {
  sealed = true;
  const Peer peer = connect_packets(kStream, true);
  const auto sender = joined(peer);
  const uint64_t refused = data_.packets_refused();
  PacketPeer forger(loop_, {"239.77.3.1", port.number()}, kStream, kGroupSecret,
                    sail::random_packet_key());
  forger.send(packets_of({1, 1}));
  PacketPeer unsealed(loop_, {"239.77.3.1", port.number()}, kStream, kGroupSecret);
  unsealed.send(packets_of({1, 1}));
  PacketPeer stranger(loop_, {"239.77.3.1", port.number()}, kStream, kGroupSecret + 9);
  stranger.send(packets_of({1, 1}));
  ASSERT_TRUE(run_until([&] {
    return data_.packets_refused() == refused + 3 * packets_of({1, 1}).size();
  }));
  EXPECT_TRUE(ready_.empty());
  sender->send(packets_of({1, 1}));
  expect_frame({1, 1});
}

TEST_F(GroupPlaneTest, ANewSecretReplacesTheOneBefore) {
  const Peer peer = connect_packets();
  const auto former = joined(peer);
  const auto sender = joined(peer, kGroupSecret + 1);
  const uint64_t refused = data_.packets_refused();
  former->send(packets_of({1, 1}));
  sender->send(packets_of({1, 2}));
  expect_frame({1, 2});
  EXPECT_EQ(ready_.size(), 1U);
  EXPECT_EQ(data_.packets_refused(), refused) << "it was not a stranger's";
}

TEST_F(GroupPlaneTest, TheGroupIsLeft) {
  const Peer peer = connect_packets();
  const auto sender = joined(peer);
  peer.connection->send(sail::encode(kStream, sail::MulticastJoin{}));
  peer.connection->send(sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1}));
  ASSERT_TRUE(run_until([&] { return !shows_.empty(); }));
  sender->send(packets_of({1, 1}));
  peer.packets->send(packets_of({1, 2}));
  expect_frame({1, 2});
  EXPECT_EQ(ready_.size(), 1U);
}

TEST_F(GroupPlaneTest, PacketsToTheGroupForTestsAreCountedAsRefused) {
  const uint64_t refused = data_.packets_refused();
  const auto come = [&](const char* group, size_t packets) {
    data_.listen_to_tests({group, port.number()}, true);
    PacketPeer stranger(loop_, {group, port.number()}, kStream, kGroupSecret + 9);
    stranger.send(packets_of({1, 1}));
    return run_until([&] { return data_.packets_refused() == refused + packets; });
  };
  const size_t sent = packets_of({1, 1}).size();
  EXPECT_TRUE(come("239.77.3.254", sent));
  EXPECT_TRUE(come("239.77.3.254", 2 * sent)) << "the group again";
  EXPECT_TRUE(come("239.77.3.255", 3 * sent)) << "another group";
}

TEST_F(GroupPlaneTest, ASecretInUseIsRefusedWithAReason) {
  const Peer peer = connect_packets();
  peer.connection->send(sail::encode(kStream, join(peer.accept.packet_secret)));
  ASSERT_TRUE(run_until([&] { return !states(peer).empty(); }));
  EXPECT_FALSE(states(peer)[0].hears);
  EXPECT_EQ(states(peer)[0].text, "the group's secret is in use");
  peer.packets->send(packets_of({1, 1}));
  expect_frame({1, 1});
}

TEST_F(GroupPlaneTest, OnlyStreamsWithPacketsHaveGroups) {
  const auto peer = connect_stream(kGoodStream);
  peer->send(sail::encode(kGoodStream, join()));
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  EXPECT_EQ(peer->closes().at(0).reason, CloseReason::kBadMessage);
}

}  // namespace
}  // namespace receiver
