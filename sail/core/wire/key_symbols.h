// Maps browser key names to X11 key symbols. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// Returns the keysym (X Window System Protocol, appendix A) for DOM's KeyboardEvent.key: one
// character in UTF-8 or a name such as "Enter" or "ArrowLeft". Empty if X11 has no symbol for the
// key.
std::optional<uint32_t> keysym_of(std::string_view key);

// True if the keysym types a character, unlike a key such as Enter.
bool is_character(uint32_t keysym);
// True if the character is an upper-case letter of any script.
bool is_capital(uint32_t keysym);

// For help texts: the named keys that have a keysym, without characters.
std::string key_names();

}  // namespace sail
