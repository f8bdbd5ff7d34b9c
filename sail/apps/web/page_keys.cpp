#include "sail/apps/web/page_keys.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sail/core/text/text.h"

namespace sail {
namespace {

bool is_among(std::string_view key, const auto& keys) {
  return std::ranges::find(keys, key) != keys.end();
}

constexpr std::array<std::string_view, 4> kModifiers{"Control", "Alt", "Meta", "Shift"};
// In addition to named keys such as arrows. With Shift most letters have another meaning.
constexpr std::array<std::string_view, 12> kWithControl{"a", "b", "c", "f", "i", "r",
                                                        "v", "x", "y", "z", "0", " "};
constexpr std::array<std::string_view, 5> kWithControlAndShift{"+", "-", "=", "v", "z"};
constexpr std::array<std::string_view, 12> kMoving{
    "ArrowLeft", "ArrowRight", "ArrowUp",   "ArrowDown", "Home",  "End",
    "PageUp",    "PageDown",   "Backspace", "Delete",    "Enter", "Insert"};

constexpr std::array<std::string_view, 13> kPlain{
    "AltGraph", "CapsLock", "Clear", "Compose", "Copy", "Cut", "Escape",
    "F5",       "NumLock",  "Paste", "Redo",    "Tab",  "Undo"};

// Returns true for named keys, whose names are ASCII, and false for characters.
bool has_name(std::string_view key) {
  return key.size() > 1 && static_cast<unsigned char>(key[0]) < 0x80;
}

}  // namespace

PageKeys::Use PageKeys::take(const std::string& key, bool down) {
  if (is_among(key, kModifiers)) {
    down ? static_cast<void>(held_.insert(key)) : static_cast<void>(held_.erase(key));
    return key == "Meta" ? Use::kOfNobody : Use::kOfPage;
  }
  if (!down) return Use::kOfPage;
  if (key == "AltGraph") held_.erase("Control");  // Windows sends Control before AltGraph
  const bool shift = held_.contains("Shift");
  const std::string name = lower(key);
  if (held_.contains("Control")) {
    if (name == "l" && !shift) return Use::kAddress;
    const bool moving = is_among(key, kMoving) && !(shift && key == "Delete");
    const bool editing =
        is_among(name, kWithControlAndShift) || (!shift && is_among(name, kWithControl));
    return !held_.contains("Alt") && (moving || editing) ? Use::kOfPage : Use::kOfNobody;
  }
  if (held_.contains("Alt")) {
    return key == "ArrowLeft" || key == "ArrowRight" ? Use::kOfPage : Use::kOfNobody;
  }
  if (shift && key == "Escape") return Use::kOfNobody;
  return has_name(key) && !is_among(key, kMoving) && !is_among(key, kPlain) ? Use::kOfNobody
                                                                            : Use::kOfPage;
}

}  // namespace sail
