#include "sail/core/text/hex_digits.h"

#include <fmt/core.h>

namespace sail {

void HexDigits::read(JsonFields& in, const char* name, std::string& text) const {
  text = in.string(name, digits);
  const bool hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (text.size() != digits || !hex) {
    in.mistake(name, fmt::format("must be {} hexadecimal digits", digits));
  }
}

}  // namespace sail
