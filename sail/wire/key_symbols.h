// From keys as browsers name them to those of X11. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// The keysym (X Window System Protocol, appendix A) of DOM's KeyboardEvent.key: one letter in UTF-8
// or a name such as "Enter" and "ArrowLeft". Nothing for keys that X11 has no symbol for.
std::optional<uint32_t> keysym_of(std::string_view key);

// Whether the keysym is a character that is typed, and not a key such as Enter.
bool is_character(uint32_t keysym);
// Whether the character is a capital of any script.
bool is_capital(uint32_t keysym);

// For people: the keys that have a keysym, but for letters.
std::string key_names();

}  // namespace sail
