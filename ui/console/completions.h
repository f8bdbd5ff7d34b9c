// Which words may stand next in a command line: out of the table of commands, and for windows,
// tiles, layouts, sessions, partitions and sources what the manager has.
#pragma once

#include <string>
#include <vector>

#include "ui/console/commands.h"

namespace ui {

// before: the words so far, without the program's name; partial: the beginning of the next. Sorted;
// empty where only files make sense, or nothing. When the manager does not answer at once, words
// that only it knows are left out; nothing is said about it.
std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& partial);

// The script that makes a shell ask `vitrail --complete WORD …`; nothing for an unknown shell.
const char* completion_script(const std::string& shell);

}  // namespace ui
