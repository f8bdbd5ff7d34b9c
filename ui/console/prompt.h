// The prompt of `vitrail` without a command: editing, history and completion (libedit).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ui {

struct PromptHandlers {
  // A whole line that is not empty; false ends the prompt.
  std::function<bool(const std::string& line)> on_line;
  // Words that may stand at this place after the words before it and begin so.
  std::function<std::vector<std::string>(const std::vector<std::string>& before,
                                         const std::string& partial)>
      words;
};

// Reads lines until on_line ends it or the input does. On a terminal with editing; the history is
// kept in $XDG_STATE_HOME/vitrail/history. Without a terminal lines are simply read.
void run_prompt(const PromptHandlers& handlers);

}  // namespace ui
