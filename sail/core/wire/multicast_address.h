// A multicast group in messages, as text. Pure.
#pragma once

#include <string>

#include "sail/core/text/ip_address.h"
#include "sail/core/text/json_fields.h"

namespace sail {

struct MulticastAddress {
  static void read(JsonFields& in, const char* name, std::string& address) {
    constexpr size_t kLongest = 45;
    address = in.string(name, kLongest);
    const auto group = parse_ip(address);
    if (!group || !is_multicast_group(*group)) in.mistake(name, "must be a multicast address");
  }
};

}  // namespace sail
