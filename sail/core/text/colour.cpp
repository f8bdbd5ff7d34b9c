#include "sail/core/text/colour.h"

#include <fmt/core.h>

#include <charconv>

namespace sail {

std::optional<uint32_t> parse_colour(std::string_view text) {
  constexpr size_t kLength = 7;
  if (text.size() != kLength || text[0] != '#') return std::nullopt;
  uint32_t colour = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + 1, end, colour, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return colour;
}

std::string colour_text(uint32_t colour) {
  return fmt::format("#{:06x}", colour);
}

}  // namespace sail
