// Runs lines of the prompt and of scripts. Each line is a command; variables hold the windows that
// commands opened.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/client/commands.h"

namespace ui {

extern const char* const kScriptHelp;  // describes the line syntax, for --help

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

}  // namespace ui
