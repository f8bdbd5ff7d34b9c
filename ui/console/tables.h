// The manager's answers as text for people. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/wire/json.h"

namespace ui {

// Of the verb "list".
std::string wall_text(const sail::Json& state);
// Of the verb "stats".
std::string stats_text(const sail::Json& stats);

// Columns padded to their widest cell; the first row is the heading. Cells are UTF-8 without
// control characters; width is counted in code points.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace ui
