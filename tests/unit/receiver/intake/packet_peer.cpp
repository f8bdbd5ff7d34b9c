#include "tests/unit/receiver/intake/packet_peer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "codecs/fec/reed_solomon.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kGroupSymbols;

void add_parity(std::vector<TestPacket>& packets, const sail::FrameName& name,
                std::span<const std::vector<uint8_t>> symbols, uint32_t first, bool last,
                uint8_t parity) {
  const size_t length = symbols.front().size();
  std::vector<std::vector<uint8_t>> padded(symbols.begin(), symbols.end());
  std::vector<const uint8_t*> sources;
  for (std::vector<uint8_t>& symbol : padded) {
    symbol.resize(length);
    sources.push_back(symbol.data());
  }
  std::vector<std::vector<uint8_t>> bytes(parity, std::vector<uint8_t>(length));
  std::vector<uint8_t*> places;
  for (std::vector<uint8_t>& place : bytes) places.push_back(place.data());
  codecs::ErasureEncoder().encode(length, sources, places);
  for (uint8_t index = 0; index < parity; ++index) {
    packets.push_back({.type = sail::PacketType::kParity,
                       .packet = {.name = name,
                                  .symbol = first,
                                  .parity = parity,
                                  .index = index,
                                  .tail_bytes = static_cast<uint16_t>(symbols.back().size()),
                                  .sources = static_cast<uint8_t>(symbols.size()),
                                  .last = last},
                       .bytes = bytes[index]});
  }
}

}  // namespace

std::vector<TestPacket> frame_packets(const sail::FrameName& name, std::span<const uint8_t> frame,
                                      size_t symbol_bytes, uint8_t parity) {
  std::vector<std::vector<uint8_t>> symbols;
  for (size_t at = 0; at < frame.size(); at += symbol_bytes) {
    const auto symbol = frame.subspan(at, std::min(symbol_bytes, frame.size() - at));
    symbols.emplace_back(symbol.begin(), symbol.end());
  }
  std::vector<TestPacket> packets;
  for (size_t first = 0; first < symbols.size(); first += kGroupSymbols) {
    const size_t end = std::min<size_t>(first + kGroupSymbols, symbols.size());
    for (size_t symbol = first; symbol < end; ++symbol) {
      packets.push_back({.packet = {.name = name,
                                    .symbol = static_cast<uint32_t>(symbol),
                                    .parity = parity,
                                    .last = symbol + 1 == symbols.size()},
                         .bytes = symbols[symbol]});
    }
    if (parity == 0) continue;
    add_parity(packets, name, std::span(symbols).subspan(first, end - first),
               static_cast<uint32_t>(first), end == symbols.size(), parity);
  }
  return packets;
}

std::vector<uint8_t> datagram(sail::PacketHeader header, const TestPacket& packet) {
  header.type = packet.type;
  std::vector<uint8_t> bytes(sail::kFramePacketBytes);
  sail::encode_to(bytes, header, packet.packet);
  bytes.insert(bytes.end(), packet.bytes.begin(), packet.bytes.end());
  return bytes;
}

PacketPeer::PacketPeer(sail::Loop& loop, const sail::Address& to, uint32_t stream, uint64_t secret,
                       const std::optional<sail::PacketKey>& key)
    : stream_(stream), secret_(secret) {
  if (key) {
    using sail::PacketSeal;
    seals_.emplace(sail::AesGcm::Use::kSeal, *key, PacketSeal::Direction::kToReceiver);
    opens_.emplace(sail::AesGcm::Use::kOpen, *key, PacketSeal::Direction::kToSail);
  }
  const bool is_group =
      sail::is_multicast_group(sail::parse_ip(to.host).value_or(sail::IpAddress{}));
  auto socket = is_group ? sail::UdpSocket::connect_to_group(loop, to, "127.0.0.1", 1)
                         : sail::UdpSocket::connect(loop, to);
  EXPECT_TRUE(socket) << socket.error().message;
  socket_ = *std::move(socket);
  socket_->start_reading(*this);
}

sail::PacketHeader PacketPeer::next_header() {
  return {.sealed = seals_.has_value(),
          .stream = stream_,
          .secret = secret_,
          .number = ++number_,
          .sent_us = static_cast<uint32_t>(sail::steady_now_ns() / 1000)};
}

void PacketPeer::send_probe(const sail::Probe& probe) {
  sail::PacketHeader header = next_header();
  header.type = sail::PacketType::kProbe;
  std::vector<uint8_t> bytes(sail::kProbeBytes);
  sail::encode_to(bytes, header, probe);
  seal(header.number, bytes);
  send_datagram(bytes);
}

std::vector<uint8_t> PacketPeer::datagram_of(const sail::PacketHeader& header,
                                             const TestPacket& packet) {
  std::vector<uint8_t> bytes = datagram(header, packet);
  seal(header.number, bytes);
  return bytes;
}

void PacketPeer::seal(uint64_t number, std::vector<uint8_t>& packet) {
  if (!seals_) return;
  const size_t bytes = packet.size();
  packet.resize(bytes + sail::kPacketTagBytes);
  seals_->seal(number, std::span(packet).first(bytes));
}

void PacketPeer::send_messages(std::span<const uint8_t> messages) {
  sail::PacketHeader header = next_header();
  header.type = sail::PacketType::kMessages;
  std::vector<uint8_t> bytes(sail::kPacketHeaderBytes + messages.size());
  sail::encode_to(bytes, header, messages);
  seal(header.number, bytes);
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
    EXPECT_EQ(header->stream, stream_);
    EXPECT_EQ(header->secret, secret_);
    EXPECT_EQ(header->number, ++arrived_);
    EXPECT_EQ(header->sealed, opens_.has_value());
    std::span<const uint8_t> bytes = datagram.bytes;
    if (opens_) bytes = opens_->open(header->number, datagram.bytes);
    ASSERT_FALSE(bytes.empty());
    if (header->type == sail::PacketType::kMessages) {
      const auto text = bytes.subspan(sail::kPacketHeaderBytes);
      said_.emplace_back(text.begin(), text.end());
      continue;
    }
    EXPECT_EQ(header->type, sail::PacketType::kFeedback);
    ASSERT_TRUE(sail::decode_feedback(bytes, feedbacks_.emplace_back()));
  }
}

}  // namespace receiver
