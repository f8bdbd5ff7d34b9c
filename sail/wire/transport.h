// How a stream's frames travel to the receivers, and what people ask of that.
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

// On the way from a command line to the player. What is missing is left to libsail and the wall.
struct TransportOptions {
  std::optional<Transport> transport{};
  std::optional<int> delay_ms{};  // 0 to kMaxDelayMs, 0: none
  std::optional<int> mtu{};       // kMinMtu to kMaxMtu

  bool operator==(const TransportOptions&) const = default;
};

// The optional fields "transport", "delay_ms" and "mtu" of a request.
TransportOptions read_transport_options(JsonFields& fields);
void add_to(Json& params, const TransportOptions& options);

}  // namespace sail
