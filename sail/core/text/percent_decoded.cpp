#include "sail/core/text/percent_decoded.h"

#include <charconv>

namespace sail {

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    if (text.front() != '%') {
      decoded += text.front();
      text.remove_prefix(1);
      continue;
    }
    unsigned value = 0;
    if (text.size() < 3) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, value, 16);
    if (error != std::errc() || end != text.data() + 3) return std::nullopt;
    decoded += static_cast<char>(value);
    text.remove_prefix(3);
  }
  return decoded;
}

}  // namespace sail
