#include "sail/wire/transport.h"

#include <string>

#include "sail/wire/limits.h"
#include "sail/wire/packets.h"

namespace sail {
namespace {

constexpr size_t kLongestName = 8;  // bytes; of the names to come, too

}  // namespace

std::optional<Transport> parse_transport(std::string_view name) {
  if (name == transport_name(Transport::kTcp)) return Transport::kTcp;
  if (name == transport_name(Transport::kUdp)) return Transport::kUdp;
  return std::nullopt;
}

Transport read_transport(JsonFields& fields, const char* field) {
  const auto transport = parse_transport(fields.string(field, kLongestName));
  if (!transport) fields.mistake(field, R"(must be "tcp" or "udp")");
  return transport.value_or(Transport::kTcp);
}

TransportOptions read_transport_options(JsonFields& fields) {
  TransportOptions options;
  if (fields.has("transport")) options.transport = read_transport(fields, "transport");
  if (fields.has("delay_ms")) {
    options.delay_ms = static_cast<int>(fields.integer("delay_ms", 0, kMaxDelayMs));
  }
  if (fields.has("mtu")) options.mtu = static_cast<int>(fields.integer("mtu", kMinMtu, kMaxMtu));
  return options;
}

void add_to(Json& params, const TransportOptions& options) {
  if (options.transport) params["transport"] = transport_name(*options.transport);
  if (options.delay_ms) params["delay_ms"] = *options.delay_ms;
  if (options.mtu) params["mtu"] = *options.mtu;
}

}  // namespace sail
