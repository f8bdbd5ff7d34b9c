// What people ask of how a film's frames travel, on their way from a command line to the player.
// What is missing is left to libsail and the wall.
#pragma once

#include <optional>

#include "sail/wire/json.h"
#include "sail/wire/transport.h"

namespace sail {

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
