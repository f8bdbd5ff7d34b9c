// Decodes any message or packet of the protocol and encodes the result, for tests and fuzz targets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

struct ControlMessage {
  const char* example;  // example name in sail/PROTOCOL.md
  Result<Json> (*reencode)(const Json& body);
};
std::span<const ControlMessage> control_messages();

// One whole data message with its header.
DataResult<std::vector<uint8_t>> reencode_data(std::span<const uint8_t> message);

// symbol_bytes: symbol size of the connection. Empty optional: the datagram is refused.
std::optional<std::vector<uint8_t>> reencode_packet(std::span<const uint8_t> datagram,
                                                    size_t symbol_bytes);

}  // namespace sail
