#include "sail/core/command_line/parser_help.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "sail/core/command_line/outline.h"

namespace sail {
namespace {

class FoldedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return folded(CLI::Formatter::make_help(app, std::move(name), mode));
  }
  // At least two blanks separate an option from its text: folded() recognizes names by these
  // blanks.
  std::string make_option(const CLI::Option* option, bool positional) const override {
    std::string text = CLI::Formatter::make_option(option, positional);
    const size_t column = get_column_width();
    const std::string name = "  " + make_option_name(option, positional) + make_option_opts(option);
    if (name.size() + 1 == column && text.size() > column) {
      text.replace(column - 1, 1, "\n" + std::string(column, ' '));
    }
    return text;
  }
  // Separates the description by an empty line.
  std::string make_description(const CLI::App* app) const override {
    const std::string description = CLI::Formatter::make_description(app);
    return description.empty() ? description : description + "\n";
  }
};

OptionOutline outline_of(const CLI::Option& option, const AllowedWords& words_of) {
  const CLI::Formatter help;
  const auto words = words_of.find(&option);
  const bool argument = option.get_positional();
  std::string form = help.make_option_opts(&option);
  if (form.ends_with(' ')) form.pop_back();  // CLI11 since 2.4 appends this after a default
  return {.name = help.make_option_name(&option, argument),
          .long_names = option.get_lnames(),
          .form = std::move(form),
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
