// Command lines: what a program or a command of it takes, how it is read, and what is said to
// whoever typed it.
//
//   CommandLine line("vitrail-server", "Plays films straight from storage.");
//   line.option("--films", arguments.films, "The folder of the films").form("DIR").required();
//   return line.run(argc, argv, [&] { return serve(arguments); });
//
// All programs have in common: help that fits a terminal of 80 columns, numbers that are none
// refused in words, the word that was meant, `--version`, and `--man-page`, the manual page made
// of the same text as `--help`.
//
// Everything is added before the line is read, once; what values go to outlives that. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sail/base/result.h"
#include "sail/command_line/outline.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sail {

// One option or argument of a command. Copies mean the same one; valid as long as its CommandLine.
class Option {
 public:
  Option required() const;
  // What the help calls its value: "HOST:PORT".
  Option form(const std::string& text) const;
  // The help says what its value is when it is not given: what is there now, or this text.
  Option shows_default() const;
  Option shows_default(const std::string& text) const;

  // What is not so is refused, and the help says how it has to be.
  Option between(int least, int most) const;
  Option between(size_t least, size_t most) const;
  Option between(double least, double most) const;
  Option positive() const;
  Option not_negative() const;
  Option one_of(const std::vector<std::string>& words) const;
  Option existing_file() const;
  Option existing_folder() const;
  // The same without the help's saying so: its own text does.
  Option limited(double least, double most) const;
  // The mistake in a text; empty: there is none.
  using Check = std::function<std::string(const std::string& text)>;
  Option check(const Check& mistake) const;

  // The environment variable that is asked when it is not given.
  Option environment(const std::string& variable) const;
  Option excludes(Option other) const;
  Option needs(Option other) const;
  // It may be given without a value.
  Option value_optional() const;

  // Whether the line, or the environment, had it. Once read.
  bool given() const;

 private:
  friend class Command;
  struct Words;
  Option(CLI::Option& option, Words& words) : option_(&option), words_(&words) {}

  CLI::Option* option_;
  Words* words_;  // that it, and others, may be
};

// What a program takes, or a command of it. Copies mean the same one; valid as long as its
// CommandLine.
class Command {
 public:
  // names: "--fps", "--long-name,-l", or the name of an argument without dashes. Value is a string,
  // an int, uint16_t, uint64_t or double, an optional int or double, or a vector of strings, ints
  // or uint16_t: an option that may be given more than once (numbers also one behind the other,
  // with commas between them), an argument that takes the rest.
  template <typename Value>
  Option option(const std::string& names, Value& value, const std::string& help = "") const;
  // Its value goes where `read` puts it, which gives the mistake in it; empty: there is none.
  Option option_read(const std::string& names, const Option::Check& read,
                     const std::string& help) const;
  // Its value is in a small language: `parse` makes an optional of its text. `form` is what the
  // help calls it.
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

  // A command of this one.
  Command command(const std::string& name, const std::string& help) const;
  // Another word for it, which the help does not list.
  Command alias(const std::string& name) const;
  // The heading under which the help lists it; "": it is not listed.
  Command group(const std::string& heading) const;
  // What stands beneath its help.
  Command notes(const std::string& text) const;
  // One of its own commands has to follow.
  Command needs_command() const;

  // What it does, and the exit code; when the line has come to it.
  using Work = std::function<int()>;
  Command runs(const Work& work) const;
  // The same of a command that is a program of its own: all words behind it are that one's.
  using OtherWork = std::function<int(const std::vector<std::string>& words)>;
  Command hands_over(const OtherWork& work) const;
  // What can be wrong with all of it together: a sentence; empty: nothing.
  Command check(const std::function<std::string()>& mistake) const;

 protected:
  struct Actions;  // what the parser does not keep
  Command(CLI::App& app, Actions& actions) : app_(&app), actions_(&actions) {}

  CLI::App* app_;
  Actions* actions_;
};

// What is said instead of doing anything: the answer to --help or --version, or a mistake.
struct CommandLineAnswer {
  int exit_code = 0;  // 2: the command line is wrong
  std::string text;
  std::string mistake{};  // as a sentence; empty: there is none

  // Prints it where it belongs and gives the exit code.
  int say() const;
};

// The exit code of a program that has ended so; 1: it says why.
int exit_code_of(const std::string& program, const Result<void>& end);

// The same error, about the value of that option.
Error about_option(const std::string& option, const Error& error);

// main() of a program whose line is read into a struct: `work` gets that, and gives the exit code.
template <typename Options, typename Work>
int run_parsed(std::variant<Options, CommandLineAnswer> parsed, Work work) {
  const auto* answer = std::get_if<CommandLineAnswer>(&parsed);
  return answer != nullptr ? answer->say() : work(std::get<Options>(std::move(parsed)));
}

// The command line of one program. Read once: another line takes another one.
class CommandLine final : public Command {
 public:
  CommandLine(const std::string& program, const std::string& about);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Nothing: values are where they belong, and work() is what to do.
  std::optional<CommandLineAnswer> read(int count, const char* const* arguments);
  // The same with words, without the program's name.
  std::optional<CommandLineAnswer> read(std::vector<std::string> words);
  // main() of a program without commands: reads the line, works, and gives the exit code.
  int run(int count, const char* const* arguments, const std::function<Result<void>()>& work);
  // What the command that was named does; empty: there was none.
  Work work() const;

  CommandOutline outline() const;

 private:
  CommandLine(std::unique_ptr<CLI::App> app, std::unique_ptr<Actions> actions);
  // To what the parser throws when `parse` calls it.
  std::optional<CommandLineAnswer> answer_to(const std::function<void()>& parse);

  std::unique_ptr<CLI::App> owned_app_;
  std::unique_ptr<Actions> owned_actions_;
};

}  // namespace sail
