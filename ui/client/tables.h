// Formats the manager's answers as text. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace ui {

// Formats the answer of the verb "list".
std::string wall_text(const sail::Json& state);
// Returns the problems of the whole wall, such as a damaged file, from the answer of the verb
// "list": a newline and a sentence for each. Empty: none.
std::string wall_problems_text(const sail::Json& state);
// Pads columns to their widest cell; the first row is the heading. Cells are UTF-8 without control
// characters; width is counted in code points.
std::string table(const std::vector<std::vector<std::string>>& rows);

// "1920×1080 at 10,20"; "–" if `rect` is not a rectangle.
std::string rect_text(const sail::Json& rect);
// A field as a cell; "–" if it is missing or null. Other JSON types are printed as JSON, so a table
// works with a newer manager.
std::string text_of(const sail::Json& object, const char* name);

}  // namespace ui
