// Windows as people name them on the command line: by number, by title, several with commas
// between their numbers, or "all".
#pragma once

#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace ui {

// The numbers that a word gives without knowing the wall: "3", "1,4". Empty: it is a title, or
// "all".
std::vector<int64_t> window_numbers(const std::string& word);
// The numbers of the windows that the words name among those that are on the wall ("windows" of
// the answer of "list"), each once, in the words' order. kNotFound; kInvalidParams: a title that
// several have.
sail::Result<std::vector<int64_t>> named_windows(const std::vector<std::string>& words,
                                                 const sail::Json& windows);

}  // namespace ui
