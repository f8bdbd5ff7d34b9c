// What a command line takes, as plain data: for manual pages, for completing words, and for what
// is said about words that mean nothing.
#pragma once

#include <string>
#include <vector>

namespace sail {

// An option, or an argument, which is given by its place.
struct OptionOutline {
  std::string name;                     // as the help has it: "-l,--long-name"; an argument's name
  std::vector<std::string> long_names;  // without dashes; none of an argument
  std::string form;                     // what the help has behind the name: " TEXT REQUIRED"
  std::string usage;                    // an argument among the others: "[window]"
  std::string help;
  std::vector<std::string> words;  // one of which it has to be; empty: any
  bool required = false;
  bool takes_value = false;
  bool takes_many = false;
};

// The program, or a command of it. What is hidden from the help is not there, but for commands,
// which have no group then.
struct CommandOutline {
  std::string name;
  std::string about;
  std::string group;
  std::string notes;
  bool needs_command = false;
  std::vector<OptionOutline> arguments;
  std::vector<OptionOutline> options;
  std::vector<CommandOutline> commands;
};

}  // namespace sail
