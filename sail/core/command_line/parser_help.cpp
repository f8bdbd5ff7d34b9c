#include "sail/core/command_line/parser_help.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "sail/core/command_line/outline.h"

namespace sail {
namespace {

// Looks the same with all versions of CLI11, whose own formatters differ.
class FoldedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const auto paragraph = [](const std::string& text, const std::string& end) {
      return text.empty() ? text : text + end;
    };
    const std::string text = paragraph(app->get_description(), "\n\n") +
                             make_usage(app, std::move(name)) + make_positionals(app) +
                             make_groups(app, mode) + make_subcommands(app, mode) + "\n" +
                             paragraph(app->get_footer(), "\n");
    return folded(CLI::detail::find_and_replace(text, "\n\n\n", "\n\n"));
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    // CLI11 since 2.5 writes either the word or the name.
    const std::string word = get_label("Usage") + ":";
    std::string usage = CLI::Formatter::make_usage(app, "");
    return usage.replace(0, usage.find(word) + word.size(), word + " " + name);
  }
  std::string make_group(std::string heading, bool positional,
                         std::vector<const CLI::Option*> options) const override {
    if (positional) heading = "Positionals";
    if (heading == "OPTIONS") heading = "Options";
    return CLI::Formatter::make_group(heading, positional, std::move(options));
  }
  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option),
                 make_option_desc(option));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = option->get_default_str();
    // CLI11 since 2.4 writes defaults in brackets.
    return CLI::detail::find_and_replace(CLI::Formatter::make_option_opts(option),
                                         " [" + value + "] ", "=" + value);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_display_name(true), command->get_description());
  }

 private:
  // At least two blanks separate the name from its text: folded() recognizes names by these blanks.
  std::string entry(const std::string& name, const std::string& text) const {
    const size_t column = get_column_width();
    const std::string left = "  " + name;
    if (text.empty()) return left + "\n";
    const std::string blanks = left.size() + 2 <= column ? std::string(column - left.size(), ' ')
                                                         : "\n" + std::string(column, ' ');
    return left + blanks +
           CLI::detail::find_and_replace(text, "\n", "\n" + std::string(column, ' ')) + "\n";
  }
};

OptionOutline outline_of(const CLI::Option& option, const AllowedWords& words_of) {
  const FoldedHelp help;
  const auto words = words_of.find(&option);
  const bool argument = option.get_positional();
  return {.name = help.make_option_name(&option, argument),
          .long_names = option.get_lnames(),
          .form = help.make_option_opts(&option),
          .usage = argument ? help.make_option_usage(&option) : "",
          .help = help.make_option_desc(&option),
          .words = words == words_of.end() ? std::vector<std::string>() : words->second,
          .required = option.get_required(),
          .takes_value = option.get_items_expected_max() > 0,
          .takes_many = option.get_items_expected_max() > 1};
}

CommandPath path_given(const CommandOutline& outline, const CLI::App& app) {
  CommandPath path;
  for (const CLI::App* one : commands_given(app)) {
    if (path.empty()) {
      path.push_back(&outline);
      continue;
    }
    for (const CommandOutline& known : path.back()->commands) {
      if (known.name != one->get_name()) continue;
      path.push_back(&known);
      break;
    }
  }
  return path;
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> folded_help() {
  return std::make_shared<FoldedHelp>();
}

CommandOutline outline_of(const CLI::App& app, const AllowedWords& words) {
  CommandOutline outline{.name = app.get_name(),
                         .about = app.get_description(),
                         .group = app.get_group(),
                         .notes = app.get_footer(),
                         .needs_command = app.get_require_subcommand_min() > 0,
                         .arguments = {},
                         .options = {},
                         .commands = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    (option->get_positional() ? outline.arguments : outline.options)
        .push_back(outline_of(*option, words));
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    outline.commands.push_back(outline_of(*command, words));
  }
  return outline;
}

std::vector<const CLI::App*> commands_given(const CLI::App& app) {
  std::vector<const CLI::App*> path = {&app};
  while (!path.back()->get_subcommands().empty()) {
    path.push_back(path.back()->get_subcommands().front());
  }
  return path;
}

std::string mistake_in(const CLI::App& app, const CLI::Error& error,
                       const CommandOutline& outline) {
  std::string what = error.what();
  const auto left = app.remaining(true);
  const CommandPath path = path_given(outline, app);
  // Compare codes: the error's name may be the program's name.
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  using enum CLI::ExitCodes;
  if (!left.empty() && (kind == ExtrasError || kind == RequiredError)) {
    what = about_unknown_word(path, left.front());
  }
  if (left.empty() && kind == RequiredError) what = about_missing_word(path, what);
  if (kind == ConversionError) what = "not a number, or too large: " + what;
  return what;
}

std::string explain(const CLI::App* app, const CLI::Error& error) {
  const CommandOutline outline = outline_of(*app, {});
  return app->get_name() + ": " + mistake_in(*app, error, outline) + "\nTry " +
         path_text(path_given(outline, *app)) + " --help.\n";
}

}  // namespace sail
