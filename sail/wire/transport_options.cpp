#include "sail/wire/transport_options.h"

#include "sail/wire/limits.h"
#include "sail/wire/packets.h"

namespace sail {

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
