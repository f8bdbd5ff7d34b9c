// Where a receiver's data plane listens: sail/PROTOCOL.md, "data_port". Pure.
#pragma once

#include <cstdint>

#include "sail/wire/json_fields.h"

namespace sail {

// What the result of a receiver's or a recorder's "hello" says of it.
struct WelcomeReach {
  static constexpr const char* kMethod = "hello";

  // Peers of other hosts will connect: listen on all addresses, and send the port by "data_port".
  bool everywhere = false;
};
void fields(auto& visit, Of<WelcomeReach> auto& welcome) {
  visit("everywhere", sparse(Flag()), welcome.everywhere);
}

// "data_port", notification by receivers and recorders: the port on which they listen now.
struct DataPort {
  static constexpr const char* kMethod = "data_port";

  uint16_t port = 0;
};
void fields(auto& visit, Of<DataPort> auto& data) {
  visit("port", kPort, data.port);
}

}  // namespace sail
