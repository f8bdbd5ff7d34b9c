// Formats text for a terminal of 80 columns. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sail {

constexpr size_t kHelpColumns = 80;

// Folds long lines. If a line starts with a name and at least two blanks, continuation lines begin
// in the column of the text after these blanks; otherwise they get the line's own indentation. The
// following lines in that column, up to the end of the paragraph, are refilled with it.
std::string folded(std::string_view text);

}  // namespace sail
