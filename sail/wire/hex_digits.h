// Texts of hexadecimal digits, in small letters: proofs, and fingerprints of certificates. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "sail/wire/json_fields.h"

namespace sail {

// So many of them.
struct HexDigits {
  size_t digits = 0;

  void read(JsonFields& in, const char* name, std::string& text) const;
};

// SHA-256 of a receiver's certificate, by which those who connect to its data port know it; "": it
// told none.
constexpr auto kCertificate = sparse(HexDigits{64});

}  // namespace sail
