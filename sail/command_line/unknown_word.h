// What is said about a word of a command line that means nothing there. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/command_line/outline.h"

namespace sail {

// The program and the commands that the line has come to, the innermost last. Never empty.
using CommandPath = std::vector<const CommandOutline*>;

// "vitrail session save".
std::string path_text(const CommandPath& path);
std::string about_unknown_word(const CommandPath& path, const std::string& word);

}  // namespace sail
