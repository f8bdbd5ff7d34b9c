// Colours as people and messages write them: "#rrggbb". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// 0xRRGGBB; nothing when the text is no "#rrggbb", in digits of either case.
std::optional<uint32_t> parse_colour(std::string_view text);

// "#rrggbb" in small digits, of 0xRRGGBB.
std::string colour_text(uint32_t colour);

}  // namespace sail
