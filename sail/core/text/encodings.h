// Bytes as text and back: hexadecimal digits, Base64 (RFC 4648, section 4) and the percent-encoding
// of URLs (RFC 3986, section 2.1). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// Two lower-case digits per byte.
std::string hex_text(std::span<const uint8_t> bytes);
// Whether all characters are lower-case hexadecimal digits.
bool is_hex_text(std::string_view text);

// Length of the Base64 text of `bytes` bytes.
constexpr size_t base64_length(size_t bytes) {
  return (bytes + 2) / 3 * 4;
}
// With padding, without line breaks.
std::string base64_text(std::span<const uint8_t> bytes);
std::string base64_text(std::string_view bytes);
// Strict: empty unless base64_text() would give exactly this text for some bytes.
std::optional<std::vector<uint8_t>> base64_bytes(std::string_view text);

// Encodes the characters for which `stays` is false.
std::string percent_encoded(std::string_view text, bool (*stays)(char));
// Empty if a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);
// A character that never needs percent-encoding: a letter, a digit, or one of "-._~".
bool is_unreserved(char letter);

}  // namespace sail
