// Collects packets for one send call. Headers are stored here, payload bytes are not copied. All
// memory is allocated in advance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/core/socket/udp.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

class PacketBatch {
 public:
  static constexpr size_t kMaxPackets = 128;

  PacketBatch();

  // Encrypts (seals) each packet as it is added; null: no encryption. Call only on an empty batch.
  void seal_with(PacketSeal* seal);
  void clear();
  size_t size() const { return size_; }
  bool full() const { return size_ == kMaxPackets; }

  // Appends a packet: its header, then the payload that add_bytes(list) appends to the list.
  // Returns the packet's size in bytes. Call only when not full().
  template <class AddBytes>
  size_t add(const PacketHeader& header, const FramePacket& packet, const AddBytes& add_bytes) {
    begin(header, packet);
    add_bytes(parts_);
    return end();
  }

  // Returns how many packets, counted from the first, the kernel accepted.
  size_t send(UdpSocket& socket);
  // Size of the packet in bytes.
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

  // Seals the packet added last.
  void seal(size_t first_part);

  std::unique_ptr<Head[]> heads_;
  PacketSeal* seal_ = nullptr;
  std::unique_ptr<uint8_t[]> sealed_;  // encrypted packets, contiguous
  size_t sealed_bytes_ = 0;
  uint64_t number_ = 0;  // number of the packet added last
  std::vector<std::span<const uint8_t>> parts_;
  std::array<Place, kMaxPackets> places_;
  std::vector<OutgoingDatagram> datagrams_;
  size_t size_ = 0;
};

}  // namespace sail
