// The words of the classical console of this field's window managers, as ours: for people who have
// them in their fingers, and for their scripts.
#pragma once

#include <string>
#include <vector>

#include "ui/console/commands.h"

namespace ui {

extern const char* const kClassicalHelp;

struct Translation {
  std::vector<std::string> words;  // what to run
  std::string why_not;             // when there is nothing to run: why, and what is there instead
};

// Words that are none of the classical ones stay as they are. `classical on` makes
// context.classical true: then words that both consoles have (move, rate, pause, share) mean what
// they meant there.
Translation translate(const std::vector<std::string>& words, Context& context);

}  // namespace ui
