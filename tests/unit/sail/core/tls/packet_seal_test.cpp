#include "sail/core/tls/packet_seal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "tests/unit/sail/core/wire/protocol_text.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;
using Direction = PacketSeal::Direction;

constexpr PacketKey kPacketKey{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr uint64_t kFewPackets = 128;  // packets for each key

PacketSeal sealing(Direction direction = Direction::kToReceiver,
                   uint64_t packets_per_key = PacketSeal::kPacketsPerKey,
                   const PacketKey& key = kPacketKey) {
  return PacketSeal(AesGcm::Use::kSeal, key, direction, packets_per_key);
}

PacketSeal opening(Direction direction = Direction::kToReceiver,
                   uint64_t packets_per_key = PacketSeal::kPacketsPerKey) {
  return PacketSeal(AesGcm::Use::kOpen, kPacketKey, direction, packets_per_key);
}

PacketHeader header_of(uint64_t number, PacketType type = PacketType::kProbe,
                       uint32_t sent_us = 5) {
  return {.type = type,
          .sealed = true,
          .stream = 7,
          .secret = 0x1122334455667788,
          .number = number,
          .sent_us = sent_us};
}

Bytes probe(uint64_t number, uint32_t sent_us = 5) {
  Bytes packet(kProbeBytes);
  encode_to(packet, header_of(number, PacketType::kProbe, sent_us),
            Probe{.name = {258, 5}, .symbols = 2, .whole = true});
  return packet;
}

Bytes frame_packet(PacketType type, uint64_t number) {
  Bytes packet(kFramePacketBytes);
  encode_to(packet, header_of(number, type), FramePacket{.name = {258, 5}, .symbol = 1});
  for (uint8_t byte = 0; byte < 100; ++byte) packet.push_back(byte);
  return packet;
}

Bytes feedback(uint64_t number) {
  Feedback feedback;
  feedback.missing = {{{258, 5}, 0, 1}};
  Bytes packet(kMaxFeedbackBytes);
  packet.resize(encode_to(packet, header_of(number, PacketType::kFeedback), feedback));
  return packet;
}

Bytes sealed_with(PacketSeal& seal, uint64_t number, const Bytes& packet) {
  Bytes sealed = packet;
  sealed.resize(packet.size() + kPacketTagBytes);
  const auto all = seal.seal(number, std::span(sealed).first(packet.size()));
  EXPECT_EQ(all.size(), sealed.size());
  return sealed;
}

// The packet without its tag; empty optional: authentication failed.
std::optional<Bytes> opened_with(PacketSeal& seal, uint64_t number, Bytes sealed) {
  const auto packet = seal.open(number, sealed);
  if (packet.empty()) return std::nullopt;
  return Bytes(packet.begin(), packet.end());
}

TEST(PacketSeal, EveryKindOfPacketComesBack) {
  for (const Direction direction : {Direction::kToReceiver, Direction::kToSail}) {
    PacketSeal seal = sealing(direction);
    PacketSeal open = opening(direction);
    uint64_t number = 0;
    for (const Bytes& packet : {frame_packet(PacketType::kSource, 1),
                                frame_packet(PacketType::kParity, 2), probe(3), feedback(4)}) {
      const Bytes sealed = sealed_with(seal, ++number, packet);
      const auto clear = static_cast<ptrdiff_t>(kPacketHeaderBytes);
      EXPECT_TRUE(std::equal(packet.begin(), packet.begin() + clear, sealed.begin()));
      EXPECT_FALSE(std::equal(packet.begin() + clear, packet.end(), sealed.begin() + clear));
      EXPECT_EQ(opened_with(open, number, sealed), packet);
    }
  }
}

TEST(PacketSeal, PartsAreSealedAsTheWhole) {
  const Bytes packet = frame_packet(PacketType::kSource, 9);
  PacketSeal seal = sealing();
  const std::span<const uint8_t> all(packet);
  const std::span<const uint8_t> text[] = {all.subspan(28, 28), all.subspan(56, 1),
                                           all.subspan(57, 60), all.subspan(117)};
  Bytes out(packet.size() + kPacketTagBytes);
  const auto sealed = seal.seal(9, all.first<kPacketHeaderBytes>(), text, out.data());
  EXPECT_EQ(sealed.data(), out.data());
  EXPECT_EQ(sealed.size(), out.size());
  EXPECT_EQ(out, sealed_with(seal, 9, packet));
}

TEST(PacketSeal, AnyOtherBitIsRefused) {
  PacketSeal seal = sealing();
  PacketSeal open = opening();
  for (const Bytes& packet : {probe(3), frame_packet(PacketType::kSource, 3)}) {
    const Bytes sealed = sealed_with(seal, 3, packet);
    for (size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
      Bytes forged = sealed;
      forged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      const auto header = decode_packet_header(forged);
      EXPECT_FALSE(opened_with(open, header ? header->number : 3, forged)) << "bit " << bit;
    }
    for (size_t bytes = 0; bytes < sealed.size(); ++bytes) {
      EXPECT_FALSE(opened_with(open, 3, Bytes(sealed.begin(), sealed.begin() + ptrdiff_t(bytes))));
    }
    EXPECT_FALSE(opened_with(open, 3, packet)) << "not sealed at all";
    EXPECT_EQ(opened_with(open, 3, sealed), packet);
  }
}

TEST(PacketSeal, NothingOpensWhatIsOfAnotherDirectionOrConnection) {
  PacketSeal to_receiver = opening(Direction::kToReceiver);
  PacketSeal back = sealing(Direction::kToSail);
  EXPECT_FALSE(opened_with(to_receiver, 3, sealed_with(back, 3, probe(3))));
  PacketSeal other = sealing(Direction::kToReceiver, PacketSeal::kPacketsPerKey, {1});
  EXPECT_FALSE(opened_with(to_receiver, 3, sealed_with(other, 3, probe(3))));
  EXPECT_NE(random_packet_key(), random_packet_key());
}

TEST(PacketSeal, PacketMadeAnewHasAnotherNonce) {
  PacketSeal seal = sealing();
  const Bytes first = sealed_with(seal, 3, probe(3, 5));
  const Bytes again = sealed_with(seal, 3, probe(3, 6));
  EXPECT_FALSE(std::equal(first.begin() + kPacketHeaderBytes, first.end() - kPacketTagBytes,
                          again.begin() + kPacketHeaderBytes));
}

// Packets of five keys; a third is lost, the others are reordered by up to half a key's range.
TEST(PacketSeal, KeysChangeOverLostAndReorderedPackets) {
  for (const Direction direction : {Direction::kToReceiver, Direction::kToSail}) {
    PacketSeal seal = sealing(direction, kFewPackets);
    PacketSeal open = opening(direction, kFewPackets);
    std::mt19937 random(1);
    std::vector<std::pair<uint64_t, Bytes>> way;  // by order of arrival
    for (uint64_t number = 1; number <= 5 * kFewPackets; ++number) {
      const Bytes sealed = sealed_with(seal, number, probe(number));
      const bool lost = random() % 3 == 0 || (number > 250 && number < 262);
      if (!lost) way.emplace_back(number + random() % (kFewPackets / 2), sealed);
    }
    std::stable_sort(way.begin(), way.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [when, sealed] : way) {
      const uint64_t number = decode_packet_header(sealed)->number;
      EXPECT_EQ(opened_with(open, number, sealed), probe(number)) << number;
    }
    PacketSeal unchanged = sealing(direction);
    const uint64_t newest = 5 * kFewPackets;
    EXPECT_FALSE(opened_with(open, newest, sealed_with(unchanged, newest, probe(newest))));
  }
}

TEST(PacketSeal, NoKeyButThoseBesideTheNewestOpens) {
  PacketSeal seal = sealing(Direction::kToReceiver, kFewPackets);
  std::vector<Bytes> sealed{{}};
  for (uint64_t number = 1; number < 4 * kFewPackets; ++number) {
    sealed.push_back(sealed_with(seal, number, probe(number)));
  }
  PacketSeal open = opening(Direction::kToReceiver, kFewPackets);
  const auto opens = [&](uint64_t number) {
    return opened_with(open, number, sealed[number]).has_value();
  };
  EXPECT_FALSE(opens(2 * kFewPackets)) << "two keys ahead";
  EXPECT_TRUE(opens(kFewPackets));
  EXPECT_TRUE(opens(kFewPackets - 1)) << "the key before";
  EXPECT_TRUE(opens(2 * kFewPackets));
  EXPECT_FALSE(opens(kFewPackets - 2)) << "two keys ago";
  EXPECT_TRUE(opens(2 * kFewPackets - 1));
}

TEST(PacketSeal, ForgeriesChangeNoKey) {
  PacketSeal seal = sealing(Direction::kToReceiver, kFewPackets);
  PacketSeal open = opening(Direction::kToReceiver, kFewPackets);
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t number = 1 + random() % (4 * kFewPackets);
    Bytes forged = probe(number);
    forged.resize(forged.size() + kPacketTagBytes, static_cast<uint8_t>(random()));
    EXPECT_FALSE(opened_with(open, number, forged));
  }
  EXPECT_FALSE(opened_with(open, kMaxCounter, probe(kMaxCounter)));
  EXPECT_TRUE(opened_with(open, 1, sealed_with(seal, 1, probe(1))));
}

// A packet that the system did not accept is sealed again, even after a key change.
TEST(PacketSeal, NumbersMayComeAgainAfterAChangeOfKey) {
  PacketSeal seal = sealing(Direction::kToReceiver, kFewPackets);
  PacketSeal open = opening(Direction::kToReceiver, kFewPackets);
  for (uint64_t number = 1; number < 2 * kFewPackets; ++number) {
    static_cast<void>(sealed_with(seal, number, probe(number)));
  }
  for (uint64_t number = kFewPackets - 3; number < kFewPackets + 3; ++number) {
    EXPECT_TRUE(opened_with(open, number, sealed_with(seal, number, probe(number, 6))));
  }
}

// PROTOCOL.md, "Sealed packets".
TEST(PacketSeal, IsTheDocumentsExample) {
  PacketSeal seal = sealing();
  const auto accept = hex_example("stream_accept");
  ASSERT_EQ(accept.size(), kDataHeaderBytes + 28);
  EXPECT_TRUE(std::equal(kPacketKey.begin(), kPacketKey.end(), accept.end() - kPacketKey.size()));
  for (const auto& [name, number] : {std::pair("sealed_probe", uint64_t{11}),
                                     std::pair("sealed_probe_next", PacketSeal::kPacketsPerKey)}) {
    Bytes packet = packet_example("probe");
    auto header = decode_packet_header(packet).value();
    header.sealed = true;
    header.number = number;
    encode_to(packet, header, decode_probe(packet).value());
    const Bytes sealed = packet_example(name);
    EXPECT_EQ(sealed_with(seal, number, packet), sealed) << name;
    PacketSeal open = opening();
    EXPECT_EQ(opened_with(open, number, sealed), packet) << name;
  }
}

}  // namespace
}  // namespace sail
