// Decodes any packet and encodes the result, for tests and fuzz targets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/wire/data/packets.h"

namespace sail {

// symbol_bytes: symbol size of the connection. Empty optional: the datagram is refused.
std::optional<std::vector<uint8_t>> reencode_packet(std::span<const uint8_t> datagram,
                                                    size_t symbol_bytes);

}  // namespace sail
