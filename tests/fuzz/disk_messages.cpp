// Bytes between film servers and disk servers: consecutive messages. Each accepted message must
// encode to the same bytes.
#include "sail/core/wire/data/disk_messages.h"

#include <algorithm>
#include <span>

#include "tests/fuzz/fuzz.h"

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
