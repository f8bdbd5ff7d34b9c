#include "sail/wire/text.h"

#include <cstdint>

namespace sail {
namespace {

// The bytes of the plain character that `text` begins with; 0 when it begins with none.
size_t plain_character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;

  size_t bytes = 0;
  uint32_t code = 0;
  uint32_t smallest = 0;  // anything below would be an overlong form
  if ((lead & 0xe0) == 0xc0) {
    bytes = 2, code = lead & 0x1f, smallest = 0xa0;  // 0x80 … 0x9f: the C1 controls
  } else if ((lead & 0xf0) == 0xe0) {
    bytes = 3, code = lead & 0x0f, smallest = 0x800;
  } else if ((lead & 0xf8) == 0xf0) {
    bytes = 4, code = lead & 0x07, smallest = 0x10000;
  }
  if (bytes == 0 || bytes > text.size()) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= smallest && code <= 0x10ffff && !surrogate ? bytes : 0;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = plain_character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string make_plain_text(std::string_view text, size_t max_bytes) {
  std::string plain;
  while (!text.empty()) {
    const size_t bytes = plain_character_bytes(text);
    if (plain.size() + (bytes == 0 ? 1 : bytes) > max_bytes) break;
    if (bytes == 0) {
      plain += '?';
      text.remove_prefix(1);
    } else {
      plain += text.substr(0, bytes);
      text.remove_prefix(bytes);
    }
  }
  return plain;
}

}  // namespace sail
