// Splits lines that people write into words. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sail {

// 'Single' and "double" quotes keep blanks; # at the beginning of a word begins a comment.
std::vector<std::string> split_words(std::string_view line);

}  // namespace sail
