// How a stream's frames travel to the receivers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sail/wire/json.h"

namespace sail {

enum class Transport : uint8_t { kTcp = 1, kUdp = 2 };

// As messages, files and command lines write it.
constexpr const char* transport_name(Transport transport) {
  return transport == Transport::kUdp ? "udp" : "tcp";
}
std::optional<Transport> parse_transport(std::string_view name);

// The field, which must be there.
Transport read_transport(JsonFields& fields, const char* field);

}  // namespace sail
