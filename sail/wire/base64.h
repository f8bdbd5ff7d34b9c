// Base64 (RFC 4648, section 4: with padding, no line breaks), for bytes that travel in control
// messages. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// How long the text of so many bytes is.
constexpr size_t base64_length(size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

std::string base64_text(std::span<const uint8_t> bytes);
// Nothing when the text is not the one that base64_text gives for some bytes.
std::optional<std::vector<uint8_t>> base64_bytes(std::string_view text);

}  // namespace sail
