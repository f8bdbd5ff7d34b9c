// The options and commands of a command line as plain data, the manual page made from them, and
// messages about unknown and missing words. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// An option, or a positional argument.
struct OptionOutline {
  std::string name;                     // as in the help, "-l,--long-name", or the argument's name
  std::vector<std::string> long_names;  // without dashes; empty for arguments
  std::string form;                     // follows the name in the help: " TEXT REQUIRED"
  std::string usage;                    // form of an argument in the synopsis: "[window]"
  std::string help;
  std::vector<std::string> words;  // allowed values; empty: any
  bool required = false;
  bool takes_value = false;
  bool takes_many = false;
};

// The program or a subcommand. Without hidden options; hidden commands have an empty group.
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

// The text of `--help` as a manual page, in man(7) format.
std::string man_page(const CommandOutline& program, const std::string& version);

// The program and the commands given on the line, innermost last. Never empty.
using CommandPath = std::vector<const CommandOutline*>;

// Returns for example "vitrail session save".
std::string path_text(const CommandPath& path);
std::string about_unknown_word(const CommandPath& path, const std::string& word);
// `what` is the parser's message about the argument or command that is missing.
std::string about_missing_word(const CommandPath& path, const std::string& what);

// Text for a terminal of 80 columns.
constexpr size_t kHelpColumns = 80;

// Folds long lines. If a line starts with a name and at least two blanks, continuation lines begin
// in the column of the text after these blanks; otherwise they get the line's own indentation. The
// following lines in that column, up to the end of the paragraph, are refilled with it.
std::string folded(std::string_view text);

}  // namespace sail
