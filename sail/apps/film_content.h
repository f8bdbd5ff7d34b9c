// What bplay plays, as the manager may have it played again.
#pragma once

#include <string>
#include <vector>

namespace sail {

// The names with absolute paths of files, so that they mean the same anywhere on this machine.
// Empty when they cannot be named to the manager: standard input, too many, or no plain text.
std::vector<std::string> replayable(const std::vector<std::string>& films);

}  // namespace sail
