// Summary and warnings for a valid wall file. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/wall/wall.h"

namespace ui {

// "12 displays, 3 nodes, 2238×834".
std::string wall_summary(const sail::Wall& wall);
// Warnings about settings that are valid but probably unintended, one sentence each.
std::vector<std::string> wall_warnings(const sail::Wall& wall);

}  // namespace ui
