// Datagrams of streams over UDP; sail/PROTOCOL.md is the normative text.
//
// A frame's messages, concatenated as they would be sent over TCP, are cut into symbols of
// symbol_bytes each (the last one may be shorter). A source packet carries one source symbol and
// its position, so packets may arrive in any order. Each kGroupSymbols symbols of a frame form an
// FEC block (the last block may be smaller), which repair packets may follow. As many packets as
// the block has source symbols, of either type, suffice to recover the block
// (codecs/fec/reed_solomon.h).
//
// Pure: bytes in, values out. Every decode_* checks each field. Invalid packets get no error
// message, since anybody can send datagrams: callers count and drop them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/text/fields.h"
#include "sail/core/wall/transport.h"

namespace sail {

constexpr uint16_t kPacketMagic = 0x5056;  // "VP" in memory order
constexpr size_t kPacketHeaderBytes = 28;
constexpr size_t kFramePacketBytes = kPacketHeaderBytes + 28;  // bytes before the symbol
constexpr size_t kProbeBytes = kPacketHeaderBytes + 24;
constexpr size_t kPacketTagBytes = 16;  // after an encrypted packet

// IPv6 and UDP headers; the rest of the path MTU is available to packets.
constexpr int kDatagramHeaderBytes = 48;
constexpr size_t symbol_bytes_for(int mtu) {  // sealed: kPacketTagBytes less
  return static_cast<size_t>(mtu - kDatagramHeaderBytes) - kFramePacketBytes;
}
constexpr size_t kMaxSymbolBytes = symbol_bytes_for(kMaxMtu);
constexpr size_t kMaxPacketBytes = kFramePacketBytes + kMaxSymbolBytes;

constexpr uint32_t kGroupSymbols = 96;
constexpr uint32_t kMaxGroupParity = 96;
constexpr uint32_t kMaxSymbols = 1 << 20;  // of one frame

// Sent to test whether datagrams arrive: receivers count it as a datagram of another protocol.
constexpr std::array<uint8_t, 16> kTestDatagram{'v', 'i', 't', 'r', 'a', 'i', 'l',
                                                ' ', 'd', 'o', 'c', 't', 'o', 'r'};

enum class PacketType : uint8_t {
  kSource = 1,    // SAIL → receiver: a source symbol of a frame
  kParity = 2,    // SAIL → receiver: a repair symbol of an FEC block
  kProbe = 3,     // SAIL → receiver: progress of the current frame, when no packet follows
  kFeedback = 4,  // receiver → SAIL: packets received, and symbols to retransmit
  kMessages = 5,  // either direction: repetition of the newest messages about frames
};

// Start of every packet.
struct PacketHeader {
  PacketType type{};
  bool sealed = false;  // encrypted: decrypt before reading further (sail/core/tls/packet_seal.h)
  uint32_t stream = 0;
  uint64_t secret = 0;   // the connection's secret, from stream_accept
  uint64_t number = 0;   // sequence number per direction of a connection, from 1
  uint32_t sent_us = 0;  // wall time in microseconds, modulo 2^32
};

// Identifies one transmission of a frame: a frame may be sent again with a newer routing map.
struct FrameName {
  uint64_t frame = 0;
  uint64_t epoch = 0;

  bool operator==(const FrameName&) const = default;
};

// Fields of source and repair packets, before the symbol.
struct FramePacket {
  FrameName name;
  uint32_t symbol = 0;  // source: position in the frame; repair: first symbol of its FEC block
  uint8_t parity = 0;   // number of repair packets of the FEC block, the same in all its packets
  uint8_t index = 0;    // repair: index of the repair packet
  uint16_t tail_bytes = 0;  // repair: bytes of the FEC block's last source symbol
  uint8_t sources = 0;      // repair: source symbols of the FEC block
  bool last = false;        // source: the frame's last symbol; repair: the frame's last FEC block
  bool repeat = false;      // source: a retransmission
};

struct Probe {
  FrameName name;        // the last frame begun; zeros before the first
  uint32_t symbols = 0;  // symbols of that frame sent so far
  bool whole = false;    // all symbols of that frame were sent
};

// Symbols [first, first + count) of a frame are missing.
struct Missing {
  FrameName name;
  uint32_t first = 0;
  uint32_t count = 0;

  bool operator==(const Missing&) const = default;
};
constexpr size_t kMaxMissing = 40;  // in one feedback, so that it fits the MTU of any path

// Classes of loss bursts by consecutive lost packets: 1, 2, 3–4, 5–8, 9–16, 17–32, 33–64, more.
constexpr size_t kBurstClasses = 8;
constexpr size_t burst_class(uint64_t packets) {
  size_t index = 0;
  while (index + 1 < kBurstClasses && packets > (uint64_t{1} << index)) ++index;
  return index;
}

// Counters since the connection was accepted. Cumulative, so losing a feedback loses nothing.
struct LinkCounters {
  uint64_t packets_arrived = 0;     // without duplicates made by the network
  uint64_t bytes_arrived = 0;       // bytes of these datagrams without UDP and IP headers
  uint64_t packets_lost = 0;        // never arrived, or not within the reordering window
  uint64_t packets_reordered = 0;   // arrived after a packet with a higher number
  uint64_t packets_duplicated = 0;  // arrived more than once
  uint64_t packets_late = 0;        // arrived after their frame was given up
  uint64_t mended_fec = 0;          // symbols recovered by FEC
  uint64_t mended_retransmit = 0;   // symbols recovered by retransmission
  uint64_t socket_full = 0;  // datagrams dropped by the receiver's socket buffer, for all streams
  uint64_t frames_lost = 0;  // frames given up because they were not repaired in time
  std::array<uint32_t, kBurstClasses> bursts{};

  bool operator==(const LinkCounters&) const = default;
};
// Visits the counters in packet order. Several structs can be visited side by side, because
// sail_link_stats has the same members.
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

LinkCounters sum(LinkCounters a, const LinkCounters& b);

struct Feedback {
  uint32_t echo_us = 0;       // sent_us of the newest packet received; 0: none yet
  uint32_t echo_hold_us = 0;  // time since that packet arrived
  uint64_t highest = 0;       // number of the newest packet
  FrameName whole;            // the newest frame received whole; zeros: none
  LinkCounters counters;
  uint32_t jitter_us = 0;  // interarrival jitter as in RFC 3550
  uint32_t delay_us = 0;   // one-way delay by the shared clock, mean since the last feedback
  uint32_t queue_us = 0;  // queueing delay: one-way delay above the minimum of the last ten seconds
  std::vector<Missing> missing;  // at most kMaxMissing
};
constexpr size_t kFeedbackFixedBytes =
    kPacketHeaderBytes + 4 + 4 + 8 + 16 + 10 * 8 + kBurstClasses * 4 + 3 * 4 + 4;
constexpr size_t kMissingBytes = 24;
constexpr size_t kMaxFeedbackBytes = kFeedbackFixedBytes + kMaxMissing * kMissingBytes;

// --- encoding -----------------------------------------------------------------------------------
//
// Writes into the caller's buffer, which must be large enough; returns the bytes written.

// Encodes only the header fields; the caller sends the symbol's bytes after them.
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const FramePacket& packet);
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const Probe& probe);
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header, const Feedback& feedback);
// Whole messages (data_messages.h), one after another.
size_t encode_to(std::span<uint8_t> out, const PacketHeader& header,
                 std::span<const uint8_t> messages);

// --- decoding -----------------------------------------------------------------------------------

// Empty if it is not a packet of this protocol version.
std::optional<PacketHeader> decode_packet_header(std::span<const uint8_t> datagram);

struct DecodedFramePacket {
  FramePacket packet;
  std::span<const uint8_t> bytes;  // refers to the datagram; 1 to symbol_bytes
};
// Datagrams must have a header that was decoded to this type, and be decrypted, without the tag.
// Empty or false: a field or the length is invalid.
std::optional<DecodedFramePacket> decode_frame_packet(std::span<const uint8_t> datagram,
                                                      size_t symbol_bytes);
std::optional<Probe> decode_probe(std::span<const uint8_t> datagram);
// Decodes into the caller's feedback, which keeps its allocation.
bool decode_feedback(std::span<const uint8_t> datagram, Feedback& feedback);

}  // namespace sail
