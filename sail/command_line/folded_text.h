// Text for a terminal of 80 columns. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sail {

constexpr size_t kHelpColumns = 80;

// What is too long for a line goes on beneath: behind a name and at least two blanks in the column
// in which the text begins, elsewhere where the line does. With it flow the lines that follow in
// that column, up to the paragraph's end.
std::string folded(std::string_view text);

}  // namespace sail
