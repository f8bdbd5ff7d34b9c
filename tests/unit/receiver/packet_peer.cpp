#include "tests/unit/receiver/packet_peer.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "sail/base/clock.h"

namespace receiver {

PacketPeer::PacketPeer(sail::Loop& loop, const sail::Address& to, uint32_t stream, uint64_t secret)
    : stream_(stream), secret_(secret) {
  auto socket = sail::UdpSocket::connect(loop, to);
  EXPECT_TRUE(socket) << socket.error().message;
  socket_ = *std::move(socket);
  socket_->start_reading(*this);
}

sail::PacketHeader PacketPeer::next_header() {
  return {.stream = stream_,
          .secret = secret_,
          .number = ++number_,
          .sent_us = static_cast<uint32_t>(sail::steady_now_ns() / 1000)};
}

void PacketPeer::send_probe(const sail::Probe& probe) {
  sail::PacketHeader header = next_header();
  header.type = sail::PacketType::kProbe;
  std::array<uint8_t, sail::kProbeBytes> bytes;
  sail::encode_to(bytes, header, probe);
  send_datagram(bytes);
}

void PacketPeer::send_datagram(std::span<const uint8_t> bytes) {
  const sail::OutgoingDatagram datagram{.parts = std::span(&bytes, 1), .bytes = bytes.size()};
  EXPECT_EQ(socket_->send(std::span(&datagram, 1)), 1U);
}

void PacketPeer::on_datagrams(std::span<const sail::Datagram> datagrams) {
  for (const sail::Datagram& datagram : datagrams) {
    const auto header = sail::decode_packet_header(datagram.bytes);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->type, sail::PacketType::kFeedback);
    EXPECT_EQ(header->stream, stream_);
    EXPECT_EQ(header->secret, secret_);
    EXPECT_EQ(header->number, feedbacks_.size() + 1);
    ASSERT_TRUE(sail::decode_feedback(datagram.bytes, feedbacks_.emplace_back()));
  }
}

}  // namespace receiver
