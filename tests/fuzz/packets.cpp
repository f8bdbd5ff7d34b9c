// A datagram: any packet of a stream over UDP, in either direction. An accepted packet must encode
// to the same bytes, and a packet that was not sealed must not open. The first byte of the input
// chooses the symbol size.
#include <algorithm>
#include <span>
#include <vector>

#include "sail/core/tls/packet_seal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/sail/core/wire/data/reencode.h"

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
