// SAIL's side of a stream over UDP, for tests: sends packets, sealed or not, and stores the
// feedback.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/socket/udp.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/packets.h"

namespace receiver {

// Splits a frame's bytes into packets for tests: source symbols followed by FEC, as SAIL does.
struct TestPacket {
  sail::PacketType type = sail::PacketType::kSource;  // or kParity
  sail::FramePacket packet;
  std::vector<uint8_t> bytes;
};

// Returns packets in sending order, with `parity` repair packets after each FEC block.
std::vector<TestPacket> frame_packets(const sail::FrameName& name, std::span<const uint8_t> frame,
                                      size_t symbol_bytes, uint8_t parity = 0);

// Encodes the packet to a datagram.
std::vector<uint8_t> datagram(sail::PacketHeader header, const TestPacket& packet);

class PacketPeer final : private sail::UdpReader {
 public:
  // With a key, packets are sealed. `to` may be a multicast group, on loopback.
  PacketPeer(sail::Loop& loop, const sail::Address& to, uint32_t stream, uint64_t secret,
             const std::optional<sail::PacketKey>& key = {});

  // Sends with the next packet number.
  void send(const TestPacket& packet) { send_datagram(next(packet)); }
  void send(std::span<const TestPacket> packets) {
    for (const TestPacket& packet : packets) send(packet);
  }
  void send_probe(const sail::Probe& probe);
  // Simulates lost packets.
  void skip_numbers(uint64_t packets) { number_ += packets; }
  void send_datagram(std::span<const uint8_t> bytes);
  sail::PacketHeader next_header();
  // The datagram with this header, and with the next one.
  std::vector<uint8_t> datagram_of(const sail::PacketHeader& header, const TestPacket& packet);
  std::vector<uint8_t> next(const TestPacket& packet) { return datagram_of(next_header(), packet); }

  // Sends frame_show messages in one packet.
  void send_messages(std::span<const uint8_t> messages);

  // Payloads of received message packets.
  const std::vector<std::vector<uint8_t>>& said() const { return said_; }
  const std::vector<sail::Feedback>& feedbacks() const { return feedbacks_; }
  sail::Feedback last() const { return feedbacks_.empty() ? sail::Feedback{} : feedbacks_.back(); }

 private:
  void on_datagrams(std::span<const sail::Datagram> datagrams) override;
  void seal(uint64_t number, std::vector<uint8_t>& packet);

  const uint32_t stream_;
  const uint64_t secret_;
  std::optional<sail::PacketSeal> seals_;
  std::optional<sail::PacketSeal> opens_;
  uint64_t number_ = 0;
  uint64_t arrived_ = 0;
  std::vector<sail::Feedback> feedbacks_;
  std::vector<std::vector<uint8_t>> said_;
  std::unique_ptr<sail::UdpSocket> socket_;
};

}  // namespace receiver
