// Decodes any packet and encodes what came out, for tests and fuzz targets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace sail {

// A datagram of a connection with symbols of that many bytes; nothing when it is refused.
std::optional<std::vector<uint8_t>> reencode_packet(std::span<const uint8_t> datagram,
                                                    size_t symbol_bytes);

}  // namespace sail
