// The IPv4 multicast addresses for the wall's streams, as in the wall file. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "sail/core/text/json_fields.h"

namespace sail {

struct MulticastRange {
  uint32_t first = 0;  // address as a number
  int prefix = 32;     // bits that all addresses share

  uint64_t count() const { return uint64_t{1} << (32 - prefix); }
  std::string text() const;  // "239.1.2.0/24"

  bool operator==(const MulticastRange&) const = default;
};

// A mistake unless the field is such a text.
MulticastRange read_multicast(JsonFields& fields, const char* name);

}  // namespace sail
