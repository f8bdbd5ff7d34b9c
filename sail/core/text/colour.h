// Colours as text: "#rrggbb". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// Returns 0xRRGGBB, or empty if the text is not "#rrggbb". Digits may be upper or lower case.
std::optional<uint32_t> parse_colour(std::string_view text);

// Returns "#rrggbb" in lower case for 0xRRGGBB.
std::string colour_text(uint32_t colour);

}  // namespace sail
