// Text of lower-case hexadecimal digits, for proofs and certificate fingerprints. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "sail/core/text/json_fields.h"

namespace sail {

// Exactly `digits` digits.
struct HexDigits {
  size_t digits = 0;

  void read(JsonFields& in, const char* name, std::string& text) const;
};

// SHA-256 fingerprint of a receiver's certificate. Peers that connect to the data port check it.
// Empty: the receiver reported none.
constexpr auto kCertificate = sparse(HexDigits{64});

}  // namespace sail
