// The prompt of `vitrail` without a command: line editing, history and completion (libedit).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ui {

struct PromptHandlers {
  // Called for each non-empty line. Return false to end the prompt.
  std::function<bool(const std::string& line)> on_line;
  // Returns the words that may follow `before` and start with `partial`.
  std::function<std::vector<std::string>(const std::vector<std::string>& before,
                                         const std::string& partial)>
      words;
};

// Reads lines until on_line returns false or the input ends. On a terminal with editing; the
// history is kept in $XDG_STATE_HOME/vitrail/history.
void run_prompt(const PromptHandlers& handlers);

}  // namespace ui
