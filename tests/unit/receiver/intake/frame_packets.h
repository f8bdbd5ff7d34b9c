// A frame's bytes as packets, for tests: cut into symbols and followed by parity as SAIL does it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace receiver {

struct TestPacket {
  sail::PacketType type = sail::PacketType::kSource;  // or kParity
  sail::FramePacket packet;
  std::vector<uint8_t> bytes;
};

// In the order in which they are sent; that many parity packets after each group.
std::vector<TestPacket> frame_packets(const sail::FrameName& name, std::span<const uint8_t> frame,
                                      size_t symbol_bytes, uint8_t parity = 0);

// The datagram.
std::vector<uint8_t> datagram(sail::PacketHeader header, const TestPacket& packet);

}  // namespace receiver
