// SAIL's side of a stream over UDP, for tests: sends the packets that it is told and keeps the
// feedback.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/net/udp.h"
#include "sail/wire/packets.h"
#include "tests/unit/receiver/frame_packets.h"

namespace receiver {

class PacketPeer final : private sail::UdpReader {
 public:
  PacketPeer(sail::Loop& loop, const sail::Address& to, uint32_t stream, uint64_t secret);

  // With the next packet number.
  void send(const TestPacket& packet) { send_datagram(datagram(next_header(), packet)); }
  void send(std::span<const TestPacket> packets) {
    for (const TestPacket& packet : packets) send(packet);
  }
  void send_probe(const sail::Probe& probe);
  // As if packets had been sent and lost.
  void skip_numbers(uint64_t packets) { number_ += packets; }
  void send_datagram(std::span<const uint8_t> bytes);
  sail::PacketHeader next_header();

  const std::vector<sail::Feedback>& feedbacks() const { return feedbacks_; }
  sail::Feedback last() const { return feedbacks_.empty() ? sail::Feedback{} : feedbacks_.back(); }

 private:
  void on_datagrams(std::span<const sail::Datagram> datagrams) override;

  const uint32_t stream_;
  const uint64_t secret_;
  uint64_t number_ = 0;
  std::vector<sail::Feedback> feedbacks_;
  std::unique_ptr<sail::UdpSocket> socket_;
};

}  // namespace receiver
