#include "sail/core/wire/data/packets.h"

#include <gtest/gtest.h>

#include <string>

#include "sail/core/text/limits.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kSmallSymbolBytes = symbol_bytes_for(kMinMtu);
constexpr size_t kBody = kPacketHeaderBytes;

PacketHeader header_of(PacketType type) {
  return {.type = type,
          .stream = 7,
          .secret = 0x8877665544332211,
          .number = 258,
          .sent_us = 0xfffffffe};
}

Bytes packet_of(PacketType type, const FramePacket& packet, size_t bytes = kSmallSymbolBytes) {
  Bytes datagram(kFramePacketBytes + bytes, 0x5a);
  EXPECT_EQ(encode_to(datagram, header_of(type), packet), kFramePacketBytes);
  return datagram;
}

FramePacket source() {
  return {.name = {.frame = 9, .epoch = 5}, .symbol = 300, .parity = 4, .repeat = true};
}

FramePacket last_source() {
  return {.name = {.frame = 9, .epoch = 5}, .symbol = 300, .last = true};
}

FramePacket parity() {
  return {.name = {.frame = 9, .epoch = 5},
          .symbol = 3 * kGroupSymbols,
          .parity = 4,
          .index = 3,
          .tail_bytes = 17,
          .sources = 50,
          .last = true};
}

Bytes probe_bytes(const Probe& probe = {.name = {9, 5}, .symbols = 301, .whole = true}) {
  Bytes datagram(kProbeBytes);
  EXPECT_EQ(encode_to(datagram, header_of(PacketType::kProbe), probe), kProbeBytes);
  return datagram;
}

Feedback feedback() {
  Feedback feedback;
  feedback.echo_us = 1;
  feedback.echo_hold_us = 2;
  feedback.highest = 3;
  feedback.whole = {.frame = 4, .epoch = 5};
  feedback.counters = {.packets_arrived = 6,
                       .bytes_arrived = 7,
                       .packets_lost = 8,
                       .packets_reordered = 9,
                       .packets_duplicated = 10,
                       .packets_late = 11,
                       .mended_fec = 12,
                       .mended_retransmit = 13,
                       .socket_full = 14,
                       .frames_lost = 15,
                       .bursts = {16, 17, 18, 19, 20, 21, 22, 23}};
  feedback.jitter_us = 24;
  feedback.delay_us = 25;
  feedback.queue_us = 26;
  feedback.missing = {{.name = {27, 28}, .first = 29, .count = 30},
                      {.name = {31, 32}, .first = kMaxSymbols - 1, .count = 1}};
  return feedback;
}

Bytes feedback_bytes(const Feedback& feedback) {
  Bytes datagram(kMaxFeedbackBytes);
  datagram.resize(encode_to(datagram, header_of(PacketType::kFeedback), feedback));
  EXPECT_EQ(datagram.size(), kFeedbackFixedBytes + feedback.missing.size() * kMissingBytes);
  return datagram;
}

std::vector<std::pair<std::string, Bytes>> good() {
  return {{"source", packet_of(PacketType::kSource, source())},
          {"last source", packet_of(PacketType::kSource, last_source(), 5)},
          {"parity", packet_of(PacketType::kParity, parity())},
          {"probe", probe_bytes()},
          {"probe before the first frame", probe_bytes({})},
          {"feedback", feedback_bytes(feedback())},
          {"first feedback", feedback_bytes({})}};
}

// Writes little-endian at an offset.
Bytes with(Bytes datagram, size_t offset, size_t bytes, uint64_t value) {
  for (size_t i = 0; i < bytes; ++i) {
    datagram.at(offset + i) = static_cast<uint8_t>(value >> (8 * i));
  }
  return datagram;
}

bool taken(const Bytes& datagram) {
  return reencode_packet(datagram, kSmallSymbolBytes).has_value();
}

TEST(Packets, ComeBackAsTheyWere) {
  for (const auto& [what, datagram] : good()) {
    EXPECT_EQ(reencode_packet(datagram, kSmallSymbolBytes), datagram) << what;
  }
  Feedback full = feedback();
  full.missing.assign(kMaxMissing, full.missing[0]);
  const Bytes datagram = feedback_bytes(full);
  EXPECT_EQ(datagram.size(), kMaxFeedbackBytes);
  EXPECT_EQ(reencode_packet(datagram, kSmallSymbolBytes), datagram);
}

TEST(Packets, ValuesComeBack) {
  const Bytes bytes = packet_of(PacketType::kParity, parity());
  const auto header = decode_packet_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->type, PacketType::kParity);
  EXPECT_FALSE(header->sealed);
  const auto sealed = decode_packet_header(with(bytes, 3, 1, 0x82));
  ASSERT_TRUE(sealed);
  EXPECT_EQ(sealed->type, PacketType::kParity);
  EXPECT_TRUE(sealed->sealed);
  EXPECT_EQ(header->stream, 7U);
  EXPECT_EQ(header->secret, 0x8877665544332211U);
  EXPECT_EQ(header->number, 258U);
  EXPECT_EQ(header->sent_us, 0xfffffffeU);
  const auto packet = decode_frame_packet(bytes, kSmallSymbolBytes);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->packet.name, (FrameName{9, 5}));
  EXPECT_EQ(packet->packet.symbol, 3 * kGroupSymbols);
  EXPECT_EQ(packet->packet.parity, 4);
  EXPECT_EQ(packet->packet.index, 3);
  EXPECT_EQ(packet->packet.tail_bytes, 17);
  EXPECT_EQ(packet->packet.sources, 50);
  EXPECT_TRUE(packet->packet.last);
  EXPECT_FALSE(packet->packet.repeat);
  EXPECT_EQ(packet->bytes.data(), bytes.data() + kFramePacketBytes);
  EXPECT_EQ(packet->bytes.size(), kSmallSymbolBytes);

  Feedback back;
  ASSERT_TRUE(decode_feedback(feedback_bytes(feedback()), back));
  EXPECT_EQ(back.echo_hold_us, 2U);
  EXPECT_EQ(back.whole, (FrameName{4, 5}));
  EXPECT_EQ(back.counters, feedback().counters);
  EXPECT_EQ(back.queue_us, 26U);
  EXPECT_EQ(back.missing, feedback().missing);
}

TEST(Packets, FitTheSmallestPath) {
  EXPECT_LE(kFramePacketBytes + symbol_bytes_for(kMinMtu) + kDatagramHeaderBytes, size_t{kMinMtu});
  EXPECT_LE(kMaxFeedbackBytes, symbol_bytes_for(kDefaultMtu));
}

TEST(Packets, AreRefusedAtAnyOtherLength) {
  for (const auto& [what, datagram] : good()) {
    const bool tail = what == "last source";
    for (size_t bytes = 0; bytes < datagram.size(); ++bytes) {
      const Bytes part(datagram.begin(), datagram.begin() + static_cast<ptrdiff_t>(bytes));
      EXPECT_EQ(taken(part), tail && bytes > kFramePacketBytes) << what << " cut to " << bytes;
    }
    Bytes longer = datagram;
    longer.push_back(0);
    EXPECT_EQ(taken(longer), tail) << what << ", one byte more";
    longer.resize(kMaxPacketBytes + 1);
    EXPECT_FALSE(decode_packet_header(longer)) << what;
  }
}

TEST(Packets, FieldsAreHeldToTheirRanges) {
  const Bytes source_packet = packet_of(PacketType::kSource, source());
  const Bytes parity_packet = packet_of(PacketType::kParity, parity());
  const Bytes probe = probe_bytes();
  const Bytes fed_back = feedback_bytes(feedback());
  constexpr size_t kCounters = kBody + 32;
  constexpr size_t kMissingAt = kFeedbackFixedBytes;
  struct Case {
    const char* what;
    const Bytes& good;
    size_t offset;
    size_t bytes;
    uint64_t value;
    bool taken = false;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"magic", source_packet, 0, 1, 'W'},
           {"version", source_packet, 2, 1, kDataProtocol + 1},
           {"no type", source_packet, 3, 1, 0},
           {"unknown type", source_packet, 3, 1, 6},
           {"sealed, once it was opened", source_packet, 3, 1, 0x81, true},
           {"sealed unknown type", source_packet, 3, 1, 0x86},
           {"sealed no type", source_packet, 3, 1, 0x80},
           {"another bit of the type", source_packet, 3, 1, 0x41},
           {"no stream", source_packet, 4, 4, 0},
           {"any secret", source_packet, 8, 8, 0, true},
           {"no number", source_packet, 16, 8, 0},
           {"the largest number", source_packet, 16, 8, kMaxCounter, true},
           {"number", source_packet, 16, 8, kMaxCounter + 1},
           {"no frame", source_packet, kBody, 8, 0},
           {"the largest frame", source_packet, kBody, 8, kMaxCounter, true},
           {"frame", source_packet, kBody, 8, kMaxCounter + 1},
           {"the first epoch", source_packet, kBody + 8, 8, 0, true},
           {"epoch", source_packet, kBody + 8, 8, kMaxCounter + 1},
           {"the last symbol", source_packet, kBody + 16, 4, kMaxSymbols - 1, true},
           {"symbol", source_packet, kBody + 16, 4, kMaxSymbols},
           {"the most parity", source_packet, kBody + 20, 1, kMaxGroupParity, true},
           {"parity", source_packet, kBody + 20, 1, kMaxGroupParity + 1},
           {"index of a source", source_packet, kBody + 21, 1, 1},
           {"tail of a source", source_packet, kBody + 22, 2, 1},
           {"sources of a source", source_packet, kBody + 24, 1, 1},
           {"both flags", source_packet, kBody + 25, 1, 3, true},
           {"flags", source_packet, kBody + 25, 1, 4},
           {"reserved", source_packet, kBody + 26, 2, 1},
           {"a group's middle", parity_packet, kBody + 16, 4, 3 * kGroupSymbols + 1},
           {"no parity", parity_packet, kBody + 20, 1, 0},
           {"index", parity_packet, kBody + 21, 1, 4},
           {"no tail", parity_packet, kBody + 22, 2, 0},
           {"the longest tail", parity_packet, kBody + 22, 2, kSmallSymbolBytes, true},
           {"tail", parity_packet, kBody + 22, 2, kSmallSymbolBytes + 1},
           {"no sources", parity_packet, kBody + 24, 1, 0},
           {"parity of one symbol longer than it", parity_packet, kBody + 24, 1, 1},
           {"a whole group", parity_packet, kBody + 24, 1, kGroupSymbols, true},
           {"sources", parity_packet, kBody + 24, 1, kGroupSymbols + 1},
           {"repeated parity", parity_packet, kBody + 25, 1, 2},
           {"probe's frame", probe, kBody, 8, kMaxCounter + 1},
           {"probe's epoch", probe, kBody + 8, 8, kMaxCounter + 1},
           {"probe's most symbols", probe, kBody + 16, 4, kMaxSymbols, true},
           {"probe's symbols", probe, kBody + 16, 4, kMaxSymbols + 1},
           {"probe's flags", probe, kBody + 20, 1, 2},
           {"probe's reserved byte", probe, kBody + 21, 1, 1},
           {"probe's reserved bytes", probe, kBody + 22, 2, 1},
           {"highest", fed_back, kBody + 8, 8, kMaxCounter + 1},
           {"whole frame", fed_back, kBody + 16, 8, kMaxCounter + 1},
           {"whole epoch", fed_back, kBody + 24, 8, kMaxCounter + 1},
           {"largest counter", fed_back, kCounters, 8, kMaxCounter, true},
           {"first counter", fed_back, kCounters, 8, kMaxCounter + 1},
           {"last counter", fed_back, kCounters + 72, 8, kMaxCounter + 1},
           {"fewer missing than there are", fed_back, kMissingAt - 4, 1, 1},
           {"more missing than there are", fed_back, kMissingAt - 4, 1, 3},
           {"missing", fed_back, kMissingAt - 4, 1, kMaxMissing + 1},
           {"feedback's reserved byte", fed_back, kMissingAt - 3, 1, 1},
           {"feedback's reserved bytes", fed_back, kMissingAt - 2, 2, 1},
           {"missing frame", fed_back, kMissingAt, 8, kMaxCounter + 1},
           {"missing epoch", fed_back, kMissingAt + 8, 8, kMaxCounter + 1},
           {"missing first", fed_back, kMissingAt + 16, 4, kMaxSymbols},
           {"nothing missing", fed_back, kMissingAt + 20, 4, 0},
           {"missing up to the last symbol", fed_back, kMissingAt + 20, 4, kMaxSymbols - 29, true},
           {"missing behind it", fed_back, kMissingAt + 20, 4, kMaxSymbols - 28},
       }) {
    EXPECT_EQ(taken(with(c.good, c.offset, c.bytes, c.value)), c.taken) << c.what;
  }
}

// Only the last symbol, and repair symbols of it alone, may be shorter than the others.
TEST(Packets, OnlyTailsAreShort) {
  EXPECT_FALSE(taken(packet_of(PacketType::kSource, source(), kSmallSymbolBytes - 1)));
  EXPECT_TRUE(taken(packet_of(PacketType::kSource, last_source(), 1)));
  EXPECT_FALSE(taken(packet_of(PacketType::kSource, last_source(), 0)));
  EXPECT_FALSE(taken(packet_of(PacketType::kParity, parity(), kSmallSymbolBytes - 1)));
  FramePacket alone = parity();
  alone.sources = 1;
  EXPECT_TRUE(taken(packet_of(PacketType::kParity, alone, 17)));
  EXPECT_FALSE(taken(packet_of(PacketType::kParity, alone, 16)));
  EXPECT_FALSE(taken(packet_of(PacketType::kParity, alone, 18)));
  alone.last = false;
  EXPECT_FALSE(taken(packet_of(PacketType::kParity, alone, 17)));
}

TEST(Packets, BurstsHaveClasses) {
  EXPECT_EQ(burst_class(1), 0U);
  EXPECT_EQ(burst_class(2), 1U);
  EXPECT_EQ(burst_class(3), 2U);
  EXPECT_EQ(burst_class(4), 2U);
  EXPECT_EQ(burst_class(5), 3U);
  EXPECT_EQ(burst_class(64), 6U);
  EXPECT_EQ(burst_class(65), 7U);
  EXPECT_EQ(burst_class(kMaxCounter), 7U);
}

}  // namespace
}  // namespace sail
