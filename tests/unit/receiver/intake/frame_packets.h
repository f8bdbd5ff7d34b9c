// Splits a frame's bytes into packets for tests: source symbols followed by FEC, as SAIL does.
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

// Returns packets in sending order, with `parity` repair packets after each FEC block.
std::vector<TestPacket> frame_packets(const sail::FrameName& name, std::span<const uint8_t> frame,
                                      size_t symbol_bytes, uint8_t parity = 0);

// Encodes the packet to a datagram.
std::vector<uint8_t> datagram(sail::PacketHeader header, const TestPacket& packet);

}  // namespace receiver
