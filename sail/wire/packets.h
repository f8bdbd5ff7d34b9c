// The datagrams of streams over UDP; sail/PROTOCOL.md is the normative text.
//
// A frame's messages, one after another as they would go over TCP, are cut into symbols of
// symbol_bytes each (the last one may be shorter). A source packet carries one symbol and says
// where it belongs, so that any subset can be placed in any order. Each kGroupSymbols symbols of a
// frame are a group (the last group may be smaller), which parity packets can follow: with as many
// packets of a group as it has symbols, whichever they are, the receiver has them all
// (codecs/reed_solomon.h).
//
// Pure: bytes in, values out. Every decode_* checks each field; what it refuses is no error worth
// a sentence, since anybody can send datagrams: it is counted and dropped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/wire/fields.h"

namespace sail {

constexpr uint16_t kPacketMagic = 0x5056;  // "VP" in memory order
constexpr size_t kPacketHeaderBytes = 28;
constexpr size_t kFramePacketBytes = kPacketHeaderBytes + 28;  // before the symbol
constexpr size_t kProbeBytes = kPacketHeaderBytes + 24;
constexpr size_t kPacketTagBytes = 16;  // behind a sealed packet

// IPv6 and UDP headers before the packet: what is left of the path's MTU is ours.
constexpr int kDatagramHeaderBytes = 48;
constexpr int kDefaultMtu = 1500;
constexpr int kMinMtu = 576;
constexpr int kMaxMtu = 9216;
constexpr size_t symbol_bytes_for(int mtu) {  // sealed: kPacketTagBytes fewer
  return static_cast<size_t>(mtu - kDatagramHeaderBytes) - kFramePacketBytes;
}
constexpr size_t kMaxSymbolBytes = symbol_bytes_for(kMaxMtu);
constexpr size_t kMaxPacketBytes = kFramePacketBytes + kMaxSymbolBytes;

constexpr uint32_t kGroupSymbols = 96;
constexpr uint32_t kMaxGroupParity = 96;
constexpr uint32_t kMaxSymbols = 1 << 20;  // of one frame

enum class PacketType : uint8_t {
  kSource = 1,    // SAIL → receiver: a symbol of a frame
  kParity = 2,    // SAIL → receiver: mends a group of symbols
  kProbe = 3,     // SAIL → receiver: what was sent last, when nothing else follows it
  kFeedback = 4,  // receiver → SAIL: what arrived, and what is to be sent again
  kMessages = 5,  // either way: the newest messages about frames of the connection, once more
};

// Begins every packet.
struct PacketHeader {
  PacketType type{};
  bool sealed = false;  // what follows cannot be read before it was opened (sail/net/packet_seal.h)
  uint32_t stream = 0;
  uint64_t secret = 0;   // of the connection, from stream_accept; others are not looked at
  uint64_t number = 0;   // counts the packets of one direction of a connection, from 1
  uint32_t sent_us = 0;  // wall time, modulo 2^32
};

// Which sending of a frame: the same frame may go again by a newer routing map.
struct FrameName {
  uint64_t frame = 0;
  uint64_t epoch = 0;

  bool operator==(const FrameName&) const = default;
};

// Source and parity packets, before their bytes.
struct FramePacket {
  FrameName name;
  uint32_t symbol = 0;      // source: its place in the frame; parity: the first one of its group
  uint8_t parity = 0;       // parity packets that the group has; all its packets say the same
  uint8_t index = 0;        // parity: which of them
  uint16_t tail_bytes = 0;  // parity: bytes of the group's last symbol
  uint8_t sources = 0;      // parity: symbols of the group
  bool last = false;        // source: the frame's last symbol; parity: the frame's last group
  bool repeat = false;      // source: sent again on request
};

struct Probe {
  FrameName name;        // begun last; zeros before the first
  uint32_t symbols = 0;  // of it, sent so far
  bool whole = false;    // and that is all of it
};

// Symbols [first, first + count) of a frame have not come.
struct Missing {
  FrameName name;
  uint32_t first = 0;
  uint32_t count = 0;

  bool operator==(const Missing&) const = default;
};
constexpr size_t kMaxMissing = 40;  // of one feedback, so that it fits any path

// Losses of so many packets in a row: 1, 2, 3–4, 5–8, 9–16, 17–32, 33–64, more.
constexpr size_t kBurstClasses = 8;
constexpr size_t burst_class(uint64_t packets) {
  size_t index = 0;
  while (index + 1 < kBurstClasses && packets > (uint64_t{1} << index)) ++index;
  return index;
}

// Counters since the connection was accepted, so that a lost feedback loses nothing.
struct LinkCounters {
  uint64_t packets_arrived = 0;     // repetitions of the network not counted
  uint64_t bytes_arrived = 0;       // of them, datagrams without their UDP and IP headers
  uint64_t packets_lost = 0;        // that never came (or not within the time for reordering)
  uint64_t packets_reordered = 0;   // came after one with a higher number
  uint64_t packets_duplicated = 0;  // came again
  uint64_t packets_late = 0;        // came when their frame had been given up
  uint64_t mended_fec = 0;          // symbols got from parity
  uint64_t mended_retransmit = 0;   // symbols that came by being sent again
  uint64_t socket_full = 0;         // datagrams dropped at the receiver's own socket, all streams
  uint64_t frames_lost = 0;         // given up, since not mended in time
  std::array<uint32_t, kBurstClasses> bursts{};

  bool operator==(const LinkCounters&) const = default;
};
// In the order of the packet; of as many structs as there are, side by side: sail_link_stats has
// these members, too.
template <typename Visit, typename... Counters>
void link_counters(Visit& visit, Counters&... of) {
  visit("packets_arrived", kCount, of.packets_arrived...);
  visit("bytes_arrived", kCount, of.bytes_arrived...);
  visit("packets_lost", kCount, of.packets_lost...);
  visit("packets_reordered", kCount, of.packets_reordered...);
  visit("packets_duplicated", kCount, of.packets_duplicated...);
  visit("packets_late", kCount, of.packets_late...);
  visit("mended_fec", kCount, of.mended_fec...);
  visit("mended_retransmit", kCount, of.mended_retransmit...);
  visit("socket_full", kCount, of.socket_full...);
  visit("frames_lost", kCount, of.frames_lost...);
}

struct Feedback {
  uint32_t echo_us = 0;       // sent_us of the newest packet that came; 0: none yet
  uint32_t echo_hold_us = 0;  // how long ago that was
  uint64_t highest = 0;       // number of the newest packet
  FrameName whole;            // the newest frame that is here whole; zeros: none
  LinkCounters counters;
  uint32_t jitter_us = 0;  // of the packets' way, as in RFC 3550
  uint32_t delay_us = 0;   // of the packets' way, by the shared clock, mean since the last feedback
  uint32_t queue_us = 0;   // what of it is above the least of the last ten seconds
  std::vector<Missing> missing;  // at most kMaxMissing
};
constexpr size_t kFeedbackFixedBytes =
    kPacketHeaderBytes + 4 + 4 + 8 + 16 + 10 * 8 + kBurstClasses * 4 + 3 * 4 + 4;
constexpr size_t kMissingBytes = 24;
constexpr size_t kMaxFeedbackBytes = kFeedbackFixedBytes + kMaxMissing * kMissingBytes;

// --- encoding -----------------------------------------------------------------------------------
//
// Into the caller's buffer, which is large enough; each returns the bytes written.

// The symbol's or parity's bytes are sent after it.
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const FramePacket& packet);
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const Probe& probe);
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const Feedback& feedback);
// Whole messages, one after another: data_messages.h has what they say.
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header,
                 std::span<const uint8_t> messages);

// --- decoding -----------------------------------------------------------------------------------

// Empty: no packet of this protocol and version.
std::optional<PacketHeader> decode_packet_header(std::span<const uint8_t> datagram);

struct DecodedFramePacket {
  FramePacket packet;
  std::span<const uint8_t> bytes;  // of the datagram; 1 to symbol_bytes
};
// The datagrams are whole packets whose header was decoded to the type, opened if they were sealed,
// and without their tag. Empty: a field makes no
// sense, or the length.
std::optional<DecodedFramePacket> decode_frame_packet(std::span<const uint8_t> datagram,
                                                      size_t symbol_bytes);
std::optional<Probe> decode_probe(std::span<const uint8_t> datagram);
// Into the caller's feedback, which keeps its memory.
bool decode_feedback(std::span<const uint8_t> datagram, Feedback& feedback);

}  // namespace sail
