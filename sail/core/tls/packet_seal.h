// Encrypts and decrypts the packets of one direction of a connection; PROTOCOL.md ("Sealed
// packets") specifies keys and nonces. The packet number determines the key, so both ends change
// keys without signalling. Replayed packets are not detected: the caller must check for duplicate
// numbers. For one thread at a time. Does not allocate per packet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sail/core/tls/aes_gcm.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

// Returns a new random key.
PacketKey random_packet_key();

class PacketSeal {
 public:
  enum class Direction { kToReceiver, kToSail };
  using Header = std::span<const uint8_t, kPacketHeaderBytes>;
  // Safe number of packets of any length per AES-GCM key (RFC 9001, 6.6).
  static constexpr uint64_t kPacketsPerKey = uint64_t{1} << 23;

  // packets_per_key: equal at both ends, and at least the number of packets encrypted ahead.
  PacketSeal(AesGcm::Use use, const PacketKey& key, Direction direction,
             uint64_t packets_per_key = kPacketsPerKey);

  // Encrypts the packet with this number to `out` and returns it; the tag makes it kPacketTagBytes
  // longer. `header` may already be at `out`, and so may `text` behind it if it is a single part.
  // Numbers must increase, except for packets that were not sent and are built again.
  std::span<const uint8_t> seal(uint64_t number, Header header,
                                std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // Encrypts in place; there must be room for the tag after the packet.
  std::span<const uint8_t> seal(uint64_t number, std::span<uint8_t> packet);
  // Decrypts a packet, including header and tag, in place. Returns it without the tag; empty if
  // authentication fails.
  std::span<const uint8_t> open(uint64_t number, std::span<uint8_t> packet);

 private:
  struct Keyed {
    explicit Keyed(AesGcm::Use use) : cipher(use) {}
    AesGcm cipher;
    std::array<uint8_t, AesGcm::kNonceBytes> mask{};
  };
  using Nonce = std::array<uint8_t, AesGcm::kNonceBytes>;

  // Derives the next key.
  void derive_next();
  // Null if the key of this packet is not available.
  Keyed* keyed_for(uint64_t number);
  // Records that a packet with this number was encrypted or decrypted.
  void used(uint64_t number);
  static Nonce nonce_of(const Keyed& keyed, Header header);

  const uint64_t packets_per_key_;
  std::array<uint8_t, 32> secret_{};  // the next key is derived from this
  uint64_t derived_ = 0;              // number of keys derived
  uint64_t newest_ = 0;               // index of the newest packet's key
  // The previous, newest and next key, each at its index modulo 3.
  std::array<Keyed, 3> keys_;
};

}  // namespace sail
