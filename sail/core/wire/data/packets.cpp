#include "sail/core/wire/data/packets.h"

#include <cassert>

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/byte_writer.h"

namespace sail {
namespace {

constexpr uint8_t kLastFlag = 1;
constexpr uint8_t kRepeatFlag = 2;
constexpr uint8_t kSealedType = 0x80;  // set in the type of a sealed packet

void write_header(ByteWriter& out, const PacketHeader& header) {
  out.u16(kPacketMagic);
  out.u8(kDataProtocol);
  out.u8(
      static_cast<uint8_t>(static_cast<uint8_t>(header.type) | (header.sealed ? kSealedType : 0)));
  out.u32(header.stream);
  out.u64(header.secret);
  out.u64(header.number);
  out.u32(header.sent_us);
}

void write_name(ByteWriter& out, const FrameName& name) {
  out.u64(name.frame);
  out.u64(name.epoch);
}

FrameName read_name(ByteReader& in) {
  FrameName name;
  name.frame = in.u64();
  name.epoch = in.u64();
  return name;
}

bool possible(const FrameName& name) {
  return name.frame <= kMaxCounter && name.epoch <= kMaxCounter;
}

ByteReader body_of(std::span<const uint8_t> datagram) {
  return ByteReader(datagram.subspan(kPacketHeaderBytes));
}

// Returns false if a value is invalid.
bool read_counters(ByteReader& in, LinkCounters& counters) {
  bool possible = true;
  const auto read = [&](const char*, const Whole& range, uint64_t& value) {
    value = in.u64();
    possible = possible && value <= static_cast<uint64_t>(range.max);
  };
  link_counters(read, counters);
  for (uint32_t& bursts : counters.bursts) bursts = in.u32();
  return possible;
}

void write_counters(ByteWriter& out, const LinkCounters& counters) {
  const auto write = [&](const char*, const Whole&, uint64_t value) { out.u64(value); };
  link_counters(write, counters);
  for (const uint32_t bursts : counters.bursts) out.u32(bursts);
}

bool is_parity(std::span<const uint8_t> datagram) {
  constexpr size_t kTypeAt = 3;
  return (datagram[kTypeAt] & ~kSealedType) == static_cast<uint8_t>(PacketType::kParity);
}

bool possible(const FramePacket& packet, bool parity, size_t bytes) {
  if (!possible(packet.name) || packet.name.frame == 0 || packet.symbol >= kMaxSymbols ||
      packet.parity > kMaxGroupParity) {
    return false;
  }
  if (!parity) return packet.index == 0 && packet.tail_bytes == 0 && packet.sources == 0;
  // In an FEC block of one symbol, repair symbols are as short as that symbol.
  const size_t least = packet.sources == 1 ? packet.tail_bytes : 0;
  return packet.symbol % kGroupSymbols == 0 && !packet.repeat && packet.index < packet.parity &&
         packet.sources >= 1 && packet.sources <= kGroupSymbols && packet.tail_bytes >= 1 &&
         packet.tail_bytes <= bytes && (least == 0 || bytes == least);
}

}  // namespace

LinkCounters sum(LinkCounters a, const LinkCounters& b) {
  const auto add = [](const char*, const auto&, uint64_t& x, uint64_t y) { x += y; };
  link_counters(add, a, b);
  for (size_t i = 0; i < a.bursts.size(); ++i) a.bursts[i] += b.bursts[i];
  return a;
}

size_t encode_to(std::span<uint8_t> buffer, const PacketHeader& header, const FramePacket& packet) {
  ByteWriter out(buffer);
  write_header(out, header);
  write_name(out, packet.name);
  out.u32(packet.symbol);
  out.u8(packet.parity);
  out.u8(packet.index);
  out.u16(packet.tail_bytes);
  out.u8(packet.sources);
  out.u8(static_cast<uint8_t>((packet.last ? kLastFlag : 0) | (packet.repeat ? kRepeatFlag : 0)));
  out.u16(0);
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, const PacketHeader& header, const Probe& probe) {
  ByteWriter out(buffer);
  write_header(out, header);
  write_name(out, probe.name);
  out.u32(probe.symbols);
  out.u8(probe.whole ? kLastFlag : 0);
  out.u8(0);
  out.u16(0);
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, const PacketHeader& header, const Feedback& feedback) {
  assert(feedback.missing.size() <= kMaxMissing);
  ByteWriter out(buffer);
  write_header(out, header);
  out.u32(feedback.echo_us);
  out.u32(feedback.echo_hold_us);
  out.u64(feedback.highest);
  write_name(out, feedback.whole);
  write_counters(out, feedback.counters);
  out.u32(feedback.jitter_us);
  out.u32(feedback.delay_us);
  out.u32(feedback.queue_us);
  out.u8(static_cast<uint8_t>(feedback.missing.size()));
  out.u8(0);
  out.u16(0);
  for (const Missing& missing : feedback.missing) {
    write_name(out, missing.name);
    out.u32(missing.first);
    out.u32(missing.count);
  }
  return out.size();
}

size_t encode_to(std::span<uint8_t> buffer, const PacketHeader& header,
                 std::span<const uint8_t> messages) {
  ByteWriter out(buffer);
  write_header(out, header);
  out.bytes(messages);
  return out.size();
}

std::optional<PacketHeader> decode_packet_header(std::span<const uint8_t> datagram) {
  if (datagram.size() < kPacketHeaderBytes || datagram.size() > kMaxPacketBytes) return {};
  ByteReader in(datagram);
  if (in.u16() != kPacketMagic || in.u8() != kDataProtocol) return {};
  const uint8_t byte = in.u8();
  const uint8_t type = byte & static_cast<uint8_t>(~kSealedType);
  if (type < static_cast<uint8_t>(PacketType::kSource) ||
      type > static_cast<uint8_t>(PacketType::kMessages)) {
    return {};
  }
  PacketHeader header{.type = static_cast<PacketType>(type), .sealed = byte != type};
  header.stream = in.u32();
  header.secret = in.u64();
  header.number = in.u64();
  header.sent_us = in.u32();
  if (header.stream == 0 || header.number == 0 || header.number > kMaxCounter) return {};
  return header;
}

std::optional<DecodedFramePacket> decode_frame_packet(std::span<const uint8_t> datagram,
                                                      size_t symbol_bytes) {
  ByteReader in = body_of(datagram);
  DecodedFramePacket decoded;
  FramePacket& packet = decoded.packet;
  packet.name = read_name(in);
  packet.symbol = in.u32();
  packet.parity = in.u8();
  packet.index = in.u8();
  packet.tail_bytes = in.u16();
  packet.sources = in.u8();
  const uint8_t flags = in.u8();
  const uint16_t reserved = in.u16();
  packet.last = (flags & kLastFlag) != 0;
  packet.repeat = (flags & kRepeatFlag) != 0;
  decoded.bytes = in.bytes(in.left());
  const size_t bytes = decoded.bytes.size();
  if (!in.ok() || reserved != 0 || (flags & ~(kLastFlag | kRepeatFlag)) != 0 || bytes == 0 ||
      bytes > symbol_bytes || !possible(packet, is_parity(datagram), bytes)) {
    return {};
  }
  // Only the frame's last symbol may be shorter. Repair symbols are as long as the longest source
  // symbol of their block.
  const bool may_be_short = is_parity(datagram) ? packet.sources == 1 && packet.last : packet.last;
  if (bytes != symbol_bytes && !may_be_short) return {};
  return decoded;
}

std::optional<Probe> decode_probe(std::span<const uint8_t> datagram) {
  ByteReader in = body_of(datagram);
  Probe probe;
  probe.name = read_name(in);
  probe.symbols = in.u32();
  const uint8_t flags = in.u8();
  probe.whole = flags == kLastFlag;
  const uint8_t reserved = in.u8();
  if (flags > kLastFlag || reserved != 0 || in.u16() != 0 || !in.done() || !possible(probe.name) ||
      probe.symbols > kMaxSymbols) {
    return {};
  }
  return probe;
}

bool decode_feedback(std::span<const uint8_t> datagram, Feedback& feedback) {
  ByteReader in = body_of(datagram);
  feedback.echo_us = in.u32();
  feedback.echo_hold_us = in.u32();
  feedback.highest = in.u64();
  feedback.whole = read_name(in);
  const bool counters_possible = read_counters(in, feedback.counters);
  feedback.jitter_us = in.u32();
  feedback.delay_us = in.u32();
  feedback.queue_us = in.u32();
  const size_t count = in.u8();
  const uint8_t reserved = in.u8();
  feedback.missing.clear();
  if (in.u16() != 0 || reserved != 0 || !in.ok() || count > kMaxMissing || !counters_possible ||
      feedback.highest > kMaxCounter || !possible(feedback.whole)) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    Missing missing;
    missing.name = read_name(in);
    missing.first = in.u32();
    missing.count = in.u32();
    if (!possible(missing.name) || missing.first >= kMaxSymbols || missing.count == 0 ||
        missing.count > kMaxSymbols - missing.first) {
      return false;
    }
    feedback.missing.push_back(missing);
  }
  return in.done();
}

}  // namespace sail
