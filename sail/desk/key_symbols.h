// From keys as browsers name them to those of X11. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sail {

// The keysym (X Window System Protocol, appendix A) of DOM's KeyboardEvent.key: one letter in UTF-8
// or a name such as "Enter" and "ArrowLeft". Nothing for keys that X11 has no symbol for.
std::optional<uint32_t> keysym_of(std::string_view key);

}  // namespace sail
