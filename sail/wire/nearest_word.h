// What somebody meant who mistyped a word. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace sail {

// The one of these words that takes the fewest letters put in, taken out or exchanged to get there;
// empty when none is near enough to be meant.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace sail
