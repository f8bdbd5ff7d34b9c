// What is said of a wall file that can be read: in a sentence, and what may be meant otherwise.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/wall/wall.h"

namespace ui {

// "12 displays, 3 nodes, 2238×834".
std::string wall_in_words(const sail::Wall& wall);
// What is right as it is written, but hardly meant: a sentence each.
std::vector<std::string> wall_warnings(const sail::Wall& wall);

}  // namespace ui
