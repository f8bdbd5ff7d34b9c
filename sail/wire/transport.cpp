#include "sail/wire/transport.h"

#include <string>

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

}  // namespace sail
