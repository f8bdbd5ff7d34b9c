#include "tests/unit/receiver/intake/frame_packets.h"

#include <algorithm>

#include "codecs/fec/reed_solomon.h"

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

}  // namespace receiver
