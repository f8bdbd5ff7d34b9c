// Translates the commands of older window managers for display walls to this console's commands,
// for users and scripts that know them.
#pragma once

#include <string>
#include <vector>

#include "ui/client/commands.h"

namespace ui {

extern const char* const kClassicalHelp;

struct Translation {
  std::vector<std::string> words;  // the command to run
  std::string why_not;             // set if nothing is run: why, and which command to use instead
};

// Returns unknown words unchanged. `classical on` sets context.classical; then words that exist in
// both consoles (move, rate, pause, share) have their classical meaning.
Translation translate(const std::vector<std::string>& words, Context& context);

}  // namespace ui
