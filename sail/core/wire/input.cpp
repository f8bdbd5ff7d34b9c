#include "sail/core/wire/input.h"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sail {
namespace {

constexpr double kMaxOffset = 1e9;    // pixels from the corner
constexpr double kMaxWheel = 1e4;     // notches in one event
constexpr size_t kMaxKeyLength = 32;  // bytes

}  // namespace

void InputPlace::read(JsonFields& in, const char* name, InputPoint& point) {
  std::tie(point.x, point.y) = in.numbers(name, -kMaxOffset, kMaxOffset);
}

void Wheel::read(JsonFields& in, const char* name, std::tuple<double&, double&>& notches) {
  notches = in.numbers(name, -kMaxWheel, kMaxWheel);
}

Json Wheel::json(const std::tuple<const double&, const double&>& notches) {
  return Json::array({std::get<0>(notches), std::get<1>(notches)});
}

void Key::read(JsonFields& in, const char* name, std::string& key) const {
  key = in.raw_string(name, kMaxKeyLength);
  if (needed && key.empty()) in.mistake(name, "must not be empty");
}

namespace {

struct NamedKey {
  std::string_view name;
  uint32_t keysym;
};

constexpr std::array kNamedKeys{
    NamedKey{"Alt", 0xffe9},
    NamedKey{"AltGraph", 0xfe03},
    NamedKey{"ArrowDown", 0xff54},
    NamedKey{"ArrowLeft", 0xff51},
    NamedKey{"ArrowRight", 0xff53},
    NamedKey{"ArrowUp", 0xff52},
    NamedKey{"AudioVolumeDown", 0x1008ff11},
    NamedKey{"AudioVolumeMute", 0x1008ff12},
    NamedKey{"AudioVolumeUp", 0x1008ff13},
    NamedKey{"Backspace", 0xff08},
    NamedKey{"Cancel", 0xff69},
    NamedKey{"CapsLock", 0xffe5},
    NamedKey{"Clear", 0xff0b},
    NamedKey{"Compose", 0xff20},
    NamedKey{"ContextMenu", 0xff67},
    NamedKey{"Control", 0xffe3},
    NamedKey{"Convert", 0xff23},
    NamedKey{"Copy", 0x1008ff57},
    NamedKey{"Cut", 0x1008ff58},
    NamedKey{"Delete", 0xffff},
    NamedKey{"End", 0xff57},
    NamedKey{"Enter", 0xff0d},
    NamedKey{"Escape", 0xff1b},
    NamedKey{"Find", 0xff68},
    NamedKey{"Help", 0xff6a},
    NamedKey{"Home", 0xff50},
    NamedKey{"Insert", 0xff63},
    NamedKey{"KanaMode", 0xff2d},
    NamedKey{"MediaPlayPause", 0x1008ff14},
    NamedKey{"MediaStop", 0x1008ff15},
    NamedKey{"MediaTrackNext", 0x1008ff17},
    NamedKey{"MediaTrackPrevious", 0x1008ff16},
    NamedKey{"Meta", 0xffeb},
    NamedKey{"NonConvert", 0xff22},
    NamedKey{"NumLock", 0xff7f},
    NamedKey{"PageDown", 0xff56},
    NamedKey{"PageUp", 0xff55},
    NamedKey{"Paste", 0x1008ff6d},
    NamedKey{"Pause", 0xff13},
    NamedKey{"PrintScreen", 0xff61},
    NamedKey{"Redo", 0xff66},
    NamedKey{"ScrollLock", 0xff14},
    NamedKey{"Select", 0xff60},
    NamedKey{"Shift", 0xffe1},
    NamedKey{"Tab", 0xff09},
    NamedKey{"Undo", 0xff65},
};
constexpr uint32_t kFirstFunctionKey = 0xffbe;  // F1
constexpr unsigned kFunctionKeys = 35;
constexpr uint32_t kUnicode = 0x01000000;    // a character: this plus its code point
constexpr uint32_t kFirstFunction = 0xfd00;  // keysyms of keys that type no character begin here

// Returns the code point if the text is exactly one code point. The text must be valid UTF-8.
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

bool is_character(uint32_t keysym) {
  return keysym < kFirstFunction || (keysym & kUnicode) == kUnicode;
}

bool is_capital(uint32_t keysym) {
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const wint_t point = keysym & ~kUnicode;
  if (!is_character(keysym)) return false;
  return unicode != nullptr ? iswupper_l(point, unicode) != 0 : point >= 'A' && point <= 'Z';
}

std::string key_names() {
  std::string names;
  for (const NamedKey& key : kNamedKeys) names.append(key.name).append(", ");
  return names + "F1 to F35";
}

}  // namespace sail
