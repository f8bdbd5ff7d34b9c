// Lines of the prompt and of scripts: each is a command, with variables for what commands opened.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/console/commands.h"

namespace ui {

// Splits a line into words; 'single' and "double" quotes keep blanks, # begins a comment.
std::vector<std::string> split_words(const std::string& line);

extern const char* const kScriptHelp;  // what lines can be, for --help

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
  // Puts values for $names; false when one is not known (said then).
  bool fill_in(std::vector<std::string>& words) const;
  int parse_and_run(std::vector<std::string> words);

  Context& context_;
  std::map<std::string, std::string> variables_;
};

}  // namespace ui
