#include "sail/core/text/encodings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 64;

constexpr std::array<uint8_t, 256> digit_values() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<uint8_t>(kDigits[i])] = static_cast<uint8_t>(i);
  }
  return values;
}
constexpr auto kValues = digit_values();

}  // namespace

std::string hex_text(std::span<const uint8_t> bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const uint8_t byte : bytes) (text += kHex[byte >> 4]) += kHex[byte & 15];
  return text;
}

bool is_hex_text(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string base64_text(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve(base64_length(bytes.size()));
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(bytes.size() - at, 3);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[at + i] : 0u);
    for (size_t i = 0; i < 4; ++i) {
      text += i <= count ? kDigits[group >> (18 - 6 * i) & 63u] : '=';
    }
  }
  return text;
}

std::optional<std::vector<uint8_t>> base64_bytes(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t at = 0; at < text.size(); at += 4) {
    const size_t digits = at + 4 == text.size() ? 4 - padding : 4;
    uint32_t group = 0;
    for (size_t i = 0; i < 4; ++i) {
      const uint8_t value = i < digits ? kValues[static_cast<uint8_t>(text[at + i])] : uint8_t{0};
      if (value == kNoDigit) return std::nullopt;
      group = group << 6 | value;
    }
    const size_t count = digits - 1;
    for (size_t i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(group >> (16 - 8 * i)));
    // Unused bits of the last digit must be 0, so that each byte sequence has only one text.
    if ((group & ((1u << (24 - 8 * count)) - 1)) != 0) return std::nullopt;
  }
  return bytes;
}

std::string base64_text(std::string_view bytes) {
  return base64_text({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

std::string percent_encoded(std::string_view text, bool (*stays)(char)) {
  std::string encoded;
  for (const char letter : text) {
    if (stays(letter)) {
      encoded += letter;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
  }
  return encoded;
}

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

bool is_unreserved(char letter) {
  const char small = lower(letter);
  return (small >= 'a' && small <= 'z') || (letter >= '0' && letter <= '9') ||
         std::string_view("-._~").find(letter) != std::string_view::npos;
}

}  // namespace sail
