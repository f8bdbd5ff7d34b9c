// Packets put together for one call to the system: heads of their own, and bytes that stay where
// they are. Memory is taken once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/net/packet_seal.h"
#include "sail/net/udp.h"
#include "sail/wire/packets.h"

namespace sail {

class PacketBatch {
 public:
  static constexpr size_t kMaxPackets = 128;

  PacketBatch();

  // Packets are sealed from now on, as they are added; null: they are not. To be cleared before.
  void seal_with(PacketSeal* seal);
  void clear();
  size_t size() const { return size_; }
  bool full() const { return size_ == kMaxPackets; }

  // The next packet: its head, then add_bytes(list), which adds what comes after it to the list.
  // Only when not full(). The packet's bytes.
  template <class AddBytes>
  size_t add(const PacketHeader& header, const FramePacket& packet, const AddBytes& add_bytes) {
    begin(header, packet);
    add_bytes(parts_);
    return end();
  }

  // How many of them, from the first, the system took.
  size_t send(UdpSocket& socket);
  // Bytes of the packet.
  size_t bytes(size_t index) const { return places_[index].bytes; }

 private:
  struct Place {
    size_t first_part = 0;
    size_t parts = 0;
    size_t bytes = 0;
  };
  using Head = std::array<uint8_t, kFramePacketBytes>;

  void begin(const PacketHeader& header, const FramePacket& packet);
  size_t end();

  // Of the packet added last.
  void seal(size_t first_part);

  std::unique_ptr<Head[]> heads_;
  PacketSeal* seal_ = nullptr;
  std::unique_ptr<uint8_t[]> sealed_;  // packets, one behind the other
  size_t sealed_bytes_ = 0;
  uint64_t number_ = 0;  // of the packet added last
  std::vector<std::span<const uint8_t>> parts_;
  std::array<Place, kMaxPackets> places_;
  std::vector<OutgoingDatagram> datagrams_;
  size_t size_ = 0;
};

}  // namespace sail
