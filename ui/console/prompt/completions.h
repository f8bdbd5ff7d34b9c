// Completes words of a command line from the table of commands, and names of windows, tiles,
// layouts, sessions, partitions and sources from the manager.
#pragma once

#include <string>
#include <vector>

#include "ui/client/commands.h"

namespace ui {

// before: the words so far, without the program's name; partial: the beginning of the next word.
// The result is sorted; it is empty if only files fit or nothing does. Names from the manager are
// left out without an error if the manager does not answer at once.
std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& partial);

// The script that makes a shell call `vitrail --complete WORD …`; null for an unknown shell.
const char* completion_script(const std::string& shell);

}  // namespace ui
