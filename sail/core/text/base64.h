// Base64 for bytes in control messages (RFC 4648, section 4), with padding, no line breaks. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// Length of the Base64 text of `bytes` bytes.
constexpr size_t base64_length(size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

std::string base64_text(std::span<const uint8_t> bytes);
// Strict: empty unless base64_text() would give exactly this text for some bytes.
std::optional<std::vector<uint8_t>> base64_bytes(std::string_view text);

}  // namespace sail
