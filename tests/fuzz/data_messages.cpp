// Bytes of a data connection: consecutive messages. Each accepted message must encode to the same
// bytes.
#include <algorithm>
#include <span>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

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
