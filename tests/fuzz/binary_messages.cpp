// Binary messages and packets that other programs send.
#include <algorithm>
#include <span>
#include <vector>

#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/disk_messages.h"
#include "sail/core/wire/guest.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

// Bytes of a data connection: consecutive messages. Each accepted message must encode to the same
// bytes.
FUZZ_TARGET(data_messages) {
  using namespace sail;
  std::span<const uint8_t> bytes(data, size);
  while (bytes.size() >= kDataHeaderBytes) {
    const auto header = decode_header(bytes.first<kDataHeaderBytes>());
    if (!header) return 0;
    fuzz::require(header->body_bytes <= kMaxMessageBody, "a body is bounded");
    const size_t message_bytes = kDataHeaderBytes + header->body_bytes;
    if (bytes.size() < message_bytes) return 0;
    const auto message = bytes.first(message_bytes);
    const auto again = reencode_data(message);
    if (!again) return 0;
    fuzz::require(std::equal(again->begin(), again->end(), message.begin(), message.end()),
                  "a data message encodes to the bytes it was decoded from");
    bytes = bytes.subspan(message_bytes);
  }
  return 0;
}

// Bytes between film servers and disk servers: consecutive messages. Each accepted message must
// encode to the same bytes.
FUZZ_TARGET(disk_messages) {
  using namespace sail;
  std::span<const uint8_t> bytes(data, size);
  while (bytes.size() >= kDiskHeaderBytes) {
    const auto header = decode_disk_header(bytes.first<kDiskHeaderBytes>());
    if (!header) return 0;
    fuzz::require(header->body_bytes <= kMaxDiskBytes + kDiskWriteFixedBytes, "a body is bounded");
    const size_t message_bytes = kDiskHeaderBytes + header->body_bytes;
    if (bytes.size() < message_bytes) return 0;
    const auto message = bytes.first(message_bytes);
    const auto known = decode_disk(header->type, message.subspan(kDiskHeaderBytes));
    if (!known) return 0;
    const auto again = encode_disk(header->number, *known);
    fuzz::require(std::ranges::equal(again, message),
                  "a message encodes to the bytes it was decoded from");
    bytes = bytes.subspan(message_bytes);
  }
  return 0;
}

// A page's message to its guest: parsed or refused; a chunk lies within its message.
FUZZ_TARGET(guest_message) {
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  const auto read = sail::read_guest_message(message);
  if (!read) {
    fuzz::require(!read.error().message.empty(), "a refusal says why");
    return 0;
  }
  if (const auto* chunk = std::get_if<sail::GuestChunk>(&*read)) {
    fuzz::require(chunk->bytes.data() == data + sail::kGuestHeaderBytes &&
                      chunk->bytes.size() == size - sail::kGuestHeaderBytes,
                  "a chunk is all behind its header");
    fuzz::require(chunk->timestamp_us >= 0, "a time is no less than nothing");
  }
  if (const auto* sound = std::get_if<sail::GuestSound>(&*read)) {
    fuzz::require(sound->bytes.data() == data + sail::kGuestHeaderBytes &&
                      sound->bytes.size() == size - sail::kGuestHeaderBytes,
                  "sound is all behind its header");
    fuzz::require(size <= sail::kMaxGuestSound, "sound is short");
  }
  return 0;
}

// A datagram: any packet of a stream over UDP, in either direction. An accepted packet must encode
// to the same bytes, and a packet that was not sealed must not open. The first byte of the input
// chooses the symbol size.
FUZZ_TARGET(packets) {
  using namespace sail;
  if (size == 0) return 0;
  const size_t symbol_bytes = 1 + data[0];
  const std::span<const uint8_t> datagram(data + 1, size - 1);
  if (const auto header = decode_packet_header(datagram)) {
    static PacketSeal seal(AesGcm::Use::kOpen, {}, PacketSeal::Direction::kToReceiver);
    std::vector<uint8_t> forged(datagram.begin(), datagram.end());
    fuzz::require(seal.open(header->number, forged).empty(), "nobody can forge a packet");
  }
  const auto again = reencode_packet(datagram, symbol_bytes);
  if (!again) return 0;
  fuzz::require(std::ranges::equal(*again, datagram),
                "a packet encodes to the bytes it was decoded from");
  return 0;
}
