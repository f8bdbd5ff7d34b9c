// Messages about the address of a receiver's data plane: sail/PROTOCOL.md, "data_port". Pure.
#pragma once

#include <cstdint>

#include "sail/core/text/json_fields.h"

namespace sail {

// The field of a receiver's or recorder's "hello" result about its data plane.
struct WelcomeReach {
  static constexpr const char* kMethod = "hello";

  // Peers on other hosts will connect: listen on all addresses and send the port with "data_port".
  bool everywhere = false;
};
void fields(auto& visit, Of<WelcomeReach> auto& welcome) {
  visit("everywhere", sparse(Flag()), welcome.everywhere);
}

// "data_port": notification by receivers and recorders with the port that they now listen on.
struct DataPort {
  static constexpr const char* kMethod = "data_port";

  uint16_t port = 0;
};
void fields(auto& visit, Of<DataPort> auto& data) {
  visit("port", kPort, data.port);
}

}  // namespace sail
