// Seals and opens the packets of one direction of a connection; PROTOCOL.md ("Sealed packets") has
// the keys and the nonce. A packet's number says which key it has, so that both ends change keys
// without a word. What was opened may have come before: whoever counts the numbers says so. One
// thread at a time; no memory is taken for packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sail/net/aes_gcm.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/packets.h"

namespace sail {

// A fresh one.
PacketKey random_packet_key();

class PacketSeal {
 public:
  enum class Direction { kToReceiver, kToSail };
  using Header = std::span<const uint8_t, kPacketHeaderBytes>;
  // As many packets of any length as AES-GCM bears with one key (RFC 9001, 6.6).
  static constexpr uint64_t kPacketsPerKey = uint64_t{1} << 23;

  // packets_per_key: the same at both ends, and no less than the packets that are sealed ahead.
  PacketSeal(AesGcm::Use use, const PacketKey& key, Direction direction,
             uint64_t packets_per_key = kPacketsPerKey);

  // The packet of that number, in parts, to `out`, where its header may stand, and its text if that
  // is one part: with its tag, that is kPacketTagBytes longer. Numbers grow, but for packets that
  // were not sent and are made anew. The sealed packet.
  std::span<const uint8_t> seal(uint64_t number, Header header,
                                std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // In place: there is room behind it for the tag.
  std::span<const uint8_t> seal(uint64_t number, std::span<uint8_t> packet);
  // The packet of that number, header and tag included, in place. It without its tag; empty: it was
  // not sealed so, and nothing is known of it.
  std::span<const uint8_t> open(uint64_t number, std::span<uint8_t> packet);

 private:
  struct Keyed {
    explicit Keyed(AesGcm::Use use) : cipher(use) {}
    AesGcm cipher;
    std::array<uint8_t, AesGcm::kNonceBytes> mask{};
  };
  using Nonce = std::array<uint8_t, AesGcm::kNonceBytes>;

  // The key that comes after those there are.
  void derive_next();
  // Null: it is none of those at hand.
  Keyed* keyed_for(uint64_t number);
  // A packet of that number was sealed or opened.
  void used(uint64_t number);
  static Nonce nonce_of(const Keyed& keyed, Header header);

  const uint64_t packets_per_key_;
  std::array<uint8_t, 32> secret_{};  // that the next key is made from
  uint64_t derived_ = 0;              // keys so far
  uint64_t newest_ = 0;               // key of the newest packet
  // The one before the newest, the newest and the next, each in the place of its number modulo 3.
  std::array<Keyed, 3> keys_;
};

}  // namespace sail
