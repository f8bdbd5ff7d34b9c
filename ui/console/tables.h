// The manager's answers as text for people. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/wire/json.h"

namespace ui {

// The answer of the verb "list".
std::string wall_text(const sail::Json& state);
// Columns padded to their widest cell; the first row is the heading. Cells are UTF-8 without
// control characters; width is counted in code points.
std::string table(const std::vector<std::vector<std::string>>& rows);

// "1920×1080 at 10,20"; "–" for what is no rectangle.
std::string rect_text(const sail::Json& rect);
// A field as a cell; "–" when it is not there. JSON of another type than expected is shown as it
// is: a table must not fail on a newer manager.
std::string text_of(const sail::Json& object, const char* name);

}  // namespace ui
