#include "sail/desk/key_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sail {
namespace {

struct NamedKey {
  std::string_view name;
  uint32_t keysym;
};

constexpr std::array kNamedKeys{
    NamedKey{"Alt", 0xffe9},        NamedKey{"AltGraph", 0xfe03},   NamedKey{"ArrowDown", 0xff54},
    NamedKey{"ArrowLeft", 0xff51},  NamedKey{"ArrowRight", 0xff53}, NamedKey{"ArrowUp", 0xff52},
    NamedKey{"Backspace", 0xff08},  NamedKey{"CapsLock", 0xffe5},   NamedKey{"ContextMenu", 0xff67},
    NamedKey{"Control", 0xffe3},    NamedKey{"Delete", 0xffff},     NamedKey{"End", 0xff57},
    NamedKey{"Enter", 0xff0d},      NamedKey{"Escape", 0xff1b},     NamedKey{"Home", 0xff50},
    NamedKey{"Insert", 0xff63},     NamedKey{"Meta", 0xffeb},       NamedKey{"PageDown", 0xff56},
    NamedKey{"PageUp", 0xff55},     NamedKey{"Pause", 0xff13},      NamedKey{"PrintScreen", 0xff61},
    NamedKey{"ScrollLock", 0xff14}, NamedKey{"Shift", 0xffe1},      NamedKey{"Tab", 0xff09},
};
constexpr uint32_t kFirstFunctionKey = 0xffbe;  // F1
constexpr unsigned kFunctionKeys = 35;
constexpr uint32_t kUnicode = 0x01000000;  // and the code point

// The one code point that the text is; nothing when it is none, or several.
std::optional<uint32_t> only_code_point(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto first = static_cast<unsigned char>(text[0]);
  size_t length = 1;
  uint32_t point = first;
  if (first >= 0x80) {
    length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    point = first & (0x7fU >> length);
  }
  if (text.size() != length) return std::nullopt;
  for (const char next : text.substr(1))
    point = (point << 6) | (static_cast<unsigned char>(next) & 0x3f);
  return point;
}

std::optional<uint32_t> function_key(std::string_view key) {
  unsigned number = 0;
  if (key.size() < 2 || key[0] != 'F') return std::nullopt;
  const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), number);
  if (error != std::errc() || end != key.data() + key.size()) return std::nullopt;
  if (number < 1 || number > kFunctionKeys) return std::nullopt;
  return kFirstFunctionKey + number - 1;
}

}  // namespace

std::optional<uint32_t> keysym_of(std::string_view key) {
  if (const auto point = only_code_point(key)) {
    const bool latin1 = (*point >= 0x20 && *point < 0x7f) || (*point >= 0xa0 && *point < 0x100);
    if (latin1) return *point;
    if (*point >= 0x100 && *point <= 0x10ffff) return kUnicode | *point;
    return std::nullopt;
  }
  const auto* named = std::ranges::find(kNamedKeys, key, &NamedKey::name);
  if (named != kNamedKeys.end()) return named->keysym;
  return function_key(key);
}

}  // namespace sail
