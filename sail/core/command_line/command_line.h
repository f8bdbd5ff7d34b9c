// Command lines: options and commands of a program, their parser, and messages for the user.
//
//   CommandLine line("vitrail-server", "Plays films straight from storage.");
//   line.option("--films", arguments.films, "The folder of the films").form("DIR").required();
//   return line.run(argc, argv, [&] { return serve(arguments); });
//
// Common to all programs: help for a terminal of 80 columns, error messages for invalid numbers,
// suggestions for misspelled words, `--version`, and `--man-page`, which prints a manual page made
// from the same text as `--help`.
//
// Add everything before reading the line, which is done once. The variables for values must outlive
// the CommandLine. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/command_line/outline.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sail {

// Handle of an option or argument. Copies are equivalent. Valid as long as its CommandLine.
class Option {
 public:
  Option required() const;
  // Placeholder for the value in the help: "HOST:PORT".
  Option form(const std::string& text) const;
  // Shows the default value in the help: the variable's current value, or this text.
  Option shows_default() const;
  Option shows_default(const std::string& text) const;

  // Restrict the value; violations are errors. The help shows the restriction.
  Option between(int least, int most) const;
  Option between(size_t least, size_t most) const;
  Option between(double least, double most) const;
  Option positive() const;
  Option not_negative() const;
  Option one_of(const std::vector<std::string>& words) const;
  Option existing_file() const;
  Option existing_folder() const;
  // Like between(), but the restriction is not shown: the help text already contains it.
  Option limited(double least, double most) const;
  // Returns the mistake in a value, or empty.
  using Check = std::function<std::string(const std::string& text)>;
  Option check(const Check& mistake) const;

  // Environment variable that provides the value if the option is not given.
  Option environment(const std::string& variable) const;
  Option excludes(Option other) const;
  Option needs(Option other) const;
  // The option may be given without a value.
  Option value_optional() const;

  // Returns true if the option was given on the line or in the environment. Valid after reading.
  bool given() const;

 private:
  friend class Command;
  struct Words;
  Option(CLI::Option& option, Words& words) : option_(&option), words_(&words) {}

  CLI::Option* option_;
  Words* words_;  // allowed words of all options
};

// Handle of a program or a command of it. Copies are equivalent. Valid as long as its CommandLine.
class Command {
 public:
  // names: "--fps", "--long-name,-l", or an argument's name without dashes. Value is a string, int,
  // uint16_t, uint64_t or double, an optional int or double, or a vector of strings, ints or
  // uint16_t. With a vector, an option may be repeated (numbers may also be separated by commas),
  // and an argument takes all remaining words.
  template <typename Value>
  Option option(const std::string& names, Value& value, const std::string& help = "") const;
  // `read` stores the value and returns the mistake in it, or empty.
  Option option_read(const std::string& names, const Option::Check& read,
                     const std::string& help) const;
  // For values with their own syntax: `parse` converts the text to an optional. `form` is the
  // placeholder in the help.
  template <typename Value, typename Parse>
  Option option_parsed(const std::string& names, const std::string& form, Value& value, Parse parse,
                       const std::string& help) const {
    const auto read = [&value, parse, form](const std::string& text) {
      value = parse(text);
      return value ? std::string() : "\"" + text + "\" is not " + form;
    };
    return option_read(names, read, help).form(form);
  }
  Option flag(const std::string& names, bool& value, const std::string& help = "") const;
  Option flag(const std::string& names, const std::function<void()>& then,
              const std::string& help) const;

  // Adds a subcommand.
  Command command(const std::string& name, const std::string& help) const;
  // Adds another name for the command. `--help` lists it, the manual page does not.
  Command alias(const std::string& name) const;
  // Heading under which the help lists the command; "": hidden.
  Command group(const std::string& heading) const;
  // Text at the end of the help.
  Command notes(const std::string& text) const;
  // A subcommand is required.
  Command needs_command() const;

  // Function to run for this command; returns the exit code.
  using Work = std::function<int()>;
  Command runs(const Work& work) const;
  // For a command that is a program of its own: all following words are passed on unparsed.
  using OtherWork = std::function<int(const std::vector<std::string>& words)>;
  Command hands_over(const OtherWork& work) const;
  // Checks all values together. Returns an error message, or empty.
  Command check(const std::function<std::string()>& mistake) const;

 protected:
  struct Actions;  // data that the parser does not hold
  Command(CLI::App& app, Actions& actions) : app_(&app), actions_(&actions) {}

  CLI::App* app_;
  Actions* actions_;
};

// Printed instead of running: the answer to --help or --version, or an error.
struct CommandLineAnswer {
  int exit_code = 0;  // 2: usage error
  std::string text;
  std::string mistake{};  // the error as a sentence; empty: no error

  // Prints the text to standard output or standard error. Returns the exit code.
  int say() const;
};

// Exit code of a player whose film server cannot reserve the film's read rate, but would play it
// as best effort; sysexits.h has it for "not now".
constexpr int kFilmServerIsBusy = 75;

// Prints the error, if any, and returns the program's exit code: 0 or 1.
int exit_code_of(const std::string& program, const Result<void>& end);

// Prefixes the error with the option's name.
Error about_option(const std::string& option, const Error& error);

// main() of a program with options in a struct: prints the answer, or calls `work` with the
// options. Returns the exit code.
template <typename Options, typename Work>
int run_parsed(std::variant<Options, CommandLineAnswer> parsed, Work work) {
  const auto* answer = std::get_if<CommandLineAnswer>(&parsed);
  return answer != nullptr ? answer->say() : work(std::get<Options>(std::move(parsed)));
}

// The command line of one program. Can be read only once.
class CommandLine final : public Command {
 public:
  CommandLine(const std::string& program, const std::string& about);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Parses the line. Empty: values are stored, work() can be called. Else print the answer.
  std::optional<CommandLineAnswer> read(int count, const char* const* arguments);
  // The words without the program's name.
  std::optional<CommandLineAnswer> read(std::vector<std::string> words);
  // main() of a program without commands: parses, runs `work`, returns the exit code.
  int run(int count, const char* const* arguments, const std::function<Result<void>()>& work);
  // Returns the function of the given command; empty if none was given.
  Work work() const;

  CommandOutline outline() const;

 private:
  CommandLine(std::unique_ptr<CLI::App> app, std::unique_ptr<Actions> actions);
  // Calls `parse` and converts exceptions of the parser to an answer.
  std::optional<CommandLineAnswer> answer_to(const std::function<void()>& parse);

  std::unique_ptr<CLI::App> owned_app_;
  std::unique_ptr<Actions> owned_actions_;
};

}  // namespace sail
