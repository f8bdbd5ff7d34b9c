// The multicast addresses for the wall's streams, as in the wall file. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/text/ip_address.h"
#include "sail/core/text/json_fields.h"

namespace sail {

struct MulticastRange {
  IpAddress first;
  int prefix = 0;  // bits that all addresses share, as in text()

  // Number of addresses, at most 2^32.
  uint64_t count() const;
  // The address with this number, below count().
  IpAddress group(uint64_t number) const;
  // The last address, which no stream gets, for tests; empty: there is only one address.
  std::optional<IpAddress> test_group() const;
  std::string text() const;  // "239.1.2.0/24", "ff18::4:0/112"

  bool operator==(const MulticastRange&) const = default;
};

// Reads the text of a range. Anything else is a mistake.
MulticastRange read_multicast(JsonFields& fields, const char* name);

}  // namespace sail
