// Suggests the intended word for a mistyped word. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace sail {

// Returns the word with the smallest edit distance; empty if none is close enough.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace sail
