#include "sail/core/tls/packet_seal.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"

namespace sail {
namespace {

static_assert(kPacketTagBytes == AesGcm::kTagBytes && PacketKey().size() == AesGcm::kKeyBytes);

std::array<uint8_t, 32> derived_from(std::span<const uint8_t> secret, std::string_view word) {
  return hmac_sha256({reinterpret_cast<const char*>(secret.data()), secret.size()},
                     {reinterpret_cast<const uint8_t*>(word.data()), word.size()});
}

}  // namespace

PacketKey random_packet_key() {
  PacketKey key;
  for (size_t at = 0; at < key.size(); at += sizeof(uint64_t)) {
    const uint64_t part = random_secret();
    std::memcpy(key.data() + at, &part, sizeof part);
  }
  return key;
}

PacketSeal::PacketSeal(AesGcm::Use use, const PacketKey& key, Direction direction,
                       uint64_t packets_per_key)
    : packets_per_key_(packets_per_key),
      secret_(derived_from(key, direction == Direction::kToReceiver
                                    ? "vitrail packets to the receiver"
                                    : "vitrail packets to SAIL")),
      keys_{Keyed(use), Keyed(use), Keyed(use)} {
  derive_next();
  derive_next();
}

void PacketSeal::derive_next() {
  Keyed& keyed = keys_[derived_++ % keys_.size()];
  const auto bytes = derived_from(secret_, "vitrail packet key");
  static_assert(AesGcm::kKeyBytes + AesGcm::kNonceBytes <= bytes.size());
  keyed.cipher.set_key(std::span(bytes).first<AesGcm::kKeyBytes>());
  std::copy_n(bytes.begin() + AesGcm::kKeyBytes, keyed.mask.size(), keyed.mask.begin());
  secret_ = derived_from(secret_, "vitrail packets next");
}

PacketSeal::Keyed* PacketSeal::keyed_for(uint64_t number) {
  const uint64_t key = number / packets_per_key_;
  if (key >= derived_ || key + 1 < newest_) return nullptr;
  return &keys_[key % keys_.size()];
}

void PacketSeal::used(uint64_t number) {
  const uint64_t key = number / packets_per_key_;
  if (key <= newest_) return;
  newest_ = key;
  derive_next();
}

// The nonce contains the packet's number, which makes it unique, and its time stamp, so that a
// packet built again gets another nonce. Masked as in TLS 1.3 (RFC 8446, 5.3).
PacketSeal::Nonce PacketSeal::nonce_of(const Keyed& keyed, Header header) {
  constexpr size_t kAt = kPacketHeaderBytes - AesGcm::kNonceBytes;
  Nonce nonce = keyed.mask;
  for (size_t i = 0; i < nonce.size(); ++i) nonce[i] ^= header[kAt + i];
  return nonce;
}

std::span<const uint8_t> PacketSeal::seal(uint64_t number, Header header,
                                          std::span<const std::span<const uint8_t>> text,
                                          uint8_t* out) {
  Keyed* keyed = keyed_for(number);
  assert(keyed != nullptr);
  used(number);
  keyed->cipher.seal(nonce_of(*keyed, header), header, text, out + header.size());
  std::memmove(out, header.data(), header.size());
  size_t bytes = header.size() + kPacketTagBytes;
  for (const auto& part : text) bytes += part.size();
  return {out, bytes};
}

std::span<const uint8_t> PacketSeal::seal(uint64_t number, std::span<uint8_t> packet) {
  const std::span<const uint8_t> text = packet.subspan(kPacketHeaderBytes);
  return seal(number, packet.first<kPacketHeaderBytes>(), std::span(&text, 1), packet.data());
}

std::span<const uint8_t> PacketSeal::open(uint64_t number, std::span<uint8_t> packet) {
  Keyed* keyed = keyed_for(number);
  if (keyed == nullptr || packet.size() < kPacketHeaderBytes + kPacketTagBytes) return {};
  const Header header = packet.first<kPacketHeaderBytes>();
  if (!keyed->cipher.open(nonce_of(*keyed, header), header, packet.subspan(header.size()))) {
    return {};
  }
  used(number);
  return packet.first(packet.size() - kPacketTagBytes);
}

}  // namespace sail
