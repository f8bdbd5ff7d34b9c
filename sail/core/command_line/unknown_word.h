// Error messages for unknown and missing words on a command line. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/command_line/outline.h"

namespace sail {

// The program and the commands given on the line, innermost last. Never empty.
using CommandPath = std::vector<const CommandOutline*>;

// Returns for example "vitrail session save".
std::string path_text(const CommandPath& path);
std::string about_unknown_word(const CommandPath& path, const std::string& word);
// `what` is the parser's message about the argument or command that is missing.
std::string about_missing_word(const CommandPath& path, const std::string& what);

}  // namespace sail
