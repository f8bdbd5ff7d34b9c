// The prompt of `vitrail` and its lines: editing, history, completion, variables, and the words of
// older consoles.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/client/commands.h"

namespace ui {

struct PromptHandlers {
  // Called for each non-empty line. Return false to end the prompt.
  std::function<bool(const std::string& line)> on_line;
  // Returns the words that may follow `before` and start with `partial`.
  std::function<std::vector<std::string>(const std::vector<std::string>& before,
                                         const std::string& partial)>
      words;
};

// The prompt without a command (libedit). Reads lines until on_line returns false or the input
// ends. On a terminal with editing; the history is kept in $XDG_STATE_HOME/vitrail/history.
void run_prompt(const PromptHandlers& handlers);

// --- lines
extern const char* const kScriptHelp;  // describes the line syntax, for --help

// Runs lines of the prompt and of scripts. Each line is a command; variables hold the windows that
// commands opened.
class Lines {
 public:
  // Makes the context interactive.
  explicit Lines(Context& context) : context_(context) { context_.interactive = true; }

  struct Outcome {
    int code = kDone;
    bool leave = false;  // the line was quit or exit
  };
  Outcome run(const std::string& line);

 private:
  // Replaces each $name by its value. Returns false and prints an error if a name is unknown.
  bool fill_in(std::vector<std::string>& words) const;
  int parse_and_run(std::vector<std::string> words);

  Context& context_;
  std::map<std::string, std::string> variables_;
};

// --- completion: words from the table of commands, and names of windows, tiles, layouts, sessions,
// partitions and sources from the manager
// before: the words so far, without the program's name; partial: the beginning of the next word.
// The result is sorted; it is empty if only files fit or nothing does. Names from the manager are
// left out without an error if the manager does not answer at once.
std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& partial);

// The script that makes a shell call `vitrail --complete WORD …`; null for an unknown shell.
const char* completion_script(const std::string& shell);

// --- commands of older window managers for display walls, for users and scripts that know them
extern const char* const kClassicalHelp;

struct Translation {
  std::vector<std::string> words;  // the command to run
  std::string why_not;             // set if nothing is run: why, and which command to use instead
};

// Translates to this console's commands. Returns unknown words unchanged. `classical on` sets
// context.classical; then words that exist in both consoles (move, rate, pause, share) have their
// classical meaning.
Translation translate(const std::vector<std::string>& words, Context& context);

}  // namespace ui
