#include "sail/command_line/command_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/command_line/folded_text.h"
#include "sail/command_line/man_page.h"
#include "sail/wire/nearest_word.h"

namespace sail {
namespace {

class FoldedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return folded(CLI::Formatter::make_help(app, std::move(name), mode));
  }
  // A paragraph of its own.
  std::string make_description(const CLI::App* app) const override {
    const std::string description = CLI::Formatter::make_description(app);
    return description.empty() ? description : description + "\n";
  }
};

// --- numbers ------------------------------------------------------------------------------------

template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Long ones are told by their beginning.
std::string in_quotes(const std::string& text) {
  constexpr size_t kMost = 24;
  return "'" + (text.size() <= kMost ? text : text.substr(0, kMost) + "…") + "'";
}

// As it is written without leading zeros, which would make it octal.
std::string check_whole_number(std::string& text) {
  int64_t number = 0;
  if (!read_whole(text, number)) return in_quotes(text) + " is no whole number, or too large";
  text = std::to_string(number);
  return {};
}

std::string check_number(std::string& text) {
  double number = 0;
  const bool good = read_whole(text, number) && std::isfinite(number);
  return good ? std::string() : in_quotes(text) + " is no number, or too large";
}

// By what the help calls its value.
void refuse_odd_numbers(CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto is = [&](const char* name) { return type.starts_with(name); };
  const bool form = type == "N" || type == "SECONDS" || type == "MS" || type == "BYTES";
  if (is("INT") || is("UINT")) {
    option.transform(CLI::Validator(check_whole_number, ""));
  } else if (form || is("FLOAT")) {
    option.transform(CLI::Validator(check_number, ""));
  }
}

// --- mistakes -----------------------------------------------------------------------------------

// The command that the line has come to.
const CLI::App& deepest(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

// "vitrail fit", of the command; with its arguments "vitrail fit window [tile]".
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}
std::string form_of(const CLI::App& command) {
  std::string form = path_of(command);
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true, false);
    form += option->get_required() ? " " + name : " [" + name + "]";
  }
  return form;
}

bool has_positional(const CLI::App& command, const std::string& name) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(), [&](const CLI::Option* option) {
    return option->get_positional() && option->get_name(true, false) == name;
  });
}

std::vector<std::string> shown_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string_view meant = nearest_word(word, {names.begin(), names.end()});
  return meant.empty() ? "" : ": did you mean '" + std::string(meant) + "'?";
}

std::string unknown_word(const CLI::App& app, const std::string& word) {
  const CLI::App& command = deepest(app);
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    const std::string what = "there is no option '" + name + "' here";
    if (name.starts_with("--") && has_positional(command, name.substr(2))) {
      return what + ": it goes without dashes, `" + form_of(command) + "`";
    }
    std::vector<std::string> names = shown_options(command);
    if (&command != &app) {
      for (std::string& more : shown_options(app)) names.push_back(std::move(more));
    }
    return what + did_you_mean(name, names);
  }
  std::vector<std::string> names;
  for (const CLI::App* known : command.get_subcommands({})) names.push_back(known->get_name());
  if (names.empty()) return "'" + word + "' is one word too many: `" + form_of(command) + "`";
  return "there is no command '" + word + "'" + did_you_mean(word, names);
}

std::string explain(const CLI::App* app, const CLI::Error& error) {
  std::string what = error.what();
  const auto left = app->remaining(true);
  // Its name may be the program's.
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  using enum CLI::ExitCodes;
  if (!left.empty() && (kind == ExtrasError || kind == RequiredError)) {
    what = unknown_word(*app, left.front());
  }
  if (kind == ConversionError) what = "too large, or no number: " + what;
  return app->get_name() + ": " + what + "\nTry " + path_of(deepest(*app)) + " --help.\n";
}

void finish(CLI::App& command, const std::shared_ptr<CLI::FormatterBase>& help) {
  command.formatter(help);
  for (CLI::Option* option : command.get_options()) refuse_odd_numbers(*option);
  for (CLI::App* subcommand : command.get_subcommands({})) finish(*subcommand, help);
}

}  // namespace

void finish_command_line(CLI::App& app) {
  finish(app, std::make_shared<FoldedHelp>());
  app.failure_message(explain);
  app.add_flag_callback("--man-page", [&app] { throw CLI::CallForVersion(man_page(app), 0); })
      ->group("");
}

}  // namespace sail
