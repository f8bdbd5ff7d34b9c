// Transport of a stream's frames to the receivers, and transport options from a command line to the
// player. libsail and the wall choose the options that are not set.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

// The largest packet of a path to a receiver, bytes, with its IP header.
constexpr int kDefaultMtu = 1500;
constexpr int kMinMtu = 576;
constexpr int kMaxMtu = 9216;

enum class Transport : uint8_t { kTcp = 1, kUdp = 2 };
// As written in messages, files and command lines.
constexpr Choice<Transport, 2> kTransports{{{Transport::kTcp, "tcp"}, {Transport::kUdp, "udp"}}};

constexpr const char* transport_name(Transport transport) {
  return kTransports.word(transport);
}
inline std::optional<Transport> parse_transport(std::string_view name) {
  return kTransports.find(name);
}

// Optional fields of a request.
struct TransportOptions {
  std::optional<Transport> transport{};
  std::optional<int> delay_ms{};  // 0: no delay
  std::optional<int> mtu{};

  bool operator==(const TransportOptions&) const = default;
};
void fields(auto& visit, Of<TransportOptions> auto& options) {
  visit("transport", kTransports, options.transport);
  visit("delay_ms", Whole{0, kMaxDelayMs}, options.delay_ms);
  visit("mtu", Whole{kMinMtu, kMaxMtu}, options.mtu);
}

}  // namespace sail
