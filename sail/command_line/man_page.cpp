#include "sail/command_line/man_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/command_line/folded_text.h"

namespace sail {
namespace {

// So that roff takes it as it stands: no escapes, no requests, and minus signs that can be searched
// for and copied.
std::string plain(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

// As the argument of a request.
std::string argument(std::string_view text) {
  std::string result = "\"";
  for (const char c : plain(text)) result += c == '"' ? "\\(dq" : std::string(1, c);
  return result + "\"";
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string as_it_stands(std::string_view text) {
  return ".nf\n" + plain(folded(text)) + "\n.fi\n";
}

// A line that ends early was meant to: lists and examples. The others run on.
std::string paragraphs(std::string_view text) {
  std::string result;
  bool blank = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.empty()) {
      blank = true;
    } else {
      if (std::exchange(blank, false)) result += ".PP\n";
      result += plain(line) + "\n";
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

class ManPage final : private CLI::Formatter {
 public:
  explicit ManPage(const CLI::App& app) : app_(app) {}

  std::string text() {
    const std::string& name = app_.get_name();
    const std::string description = app_.get_description();
    const size_t first_end = std::min(description.find('\n'), description.size());
    std::string gist = description.substr(0, first_end);
    if (gist.ends_with('.')) gist.pop_back();
    text_ = ".TH " + argument(capitals(name)) + " 1 \"\" " + argument(app_.version()) +
            " \"Vitrail\"\n.SH NAME\n" + plain(name) + " \\- " + plain(gist) +
            "\n.SH SYNOPSIS\n.B " + plain(name) + "\n" + plain(arguments_of(app_)) +
            "\n.SH DESCRIPTION\n" + paragraphs(description);
    add_positionals(app_);
    text_ += ".SH OPTIONS\n";
    add_options(app_);
    add_commands();
    if (!app_.get_footer().empty()) {
      text_ += ".SH NOTES\n" + as_it_stands(app_.get_footer());
    }
    text_ += ".SH SEE ALSO\n" + see_also() + "\n";
    return std::move(text_);
  }

 private:
  static std::vector<const CLI::Option*> shown(const CLI::App& command, bool positional) {
    return command.get_options([positional](const CLI::Option* option) {
      return !option->get_group().empty() && option->get_positional() == positional;
    });
  }
  static std::vector<const CLI::App*> commands_of(const CLI::App& command) {
    return command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  }

  // What stands behind the command's name.
  std::string arguments_of(const CLI::App& command) const {
    std::string text = "[OPTIONS]";
    for (const CLI::Option* option : shown(command, true)) text += " " + make_option_usage(option);
    if (commands_of(command).empty()) return text;
    return text + (command.get_require_subcommand_min() == 0 ? " [COMMAND …]" : " COMMAND …");
  }

  void add_option(const CLI::Option& option, bool positional) {
    text_ += ".TP\n.B " + plain(make_option_name(&option, positional)) + "\\fR" +
             plain(make_option_opts(&option)) + "\n" + plain(make_option_desc(&option)) + "\n";
  }
  void add_options(const CLI::App& command) {
    for (const CLI::Option* option : shown(command, false)) {
      if (&command == &app_ || option != command.get_help_ptr()) add_option(*option, false);
    }
  }
  void add_positionals(const CLI::App& command) {
    const auto positionals = shown(command, true);
    if (positionals.empty()) return;
    if (&command == &app_) text_ += ".SH ARGUMENTS\n";
    for (const CLI::Option* option : positionals) add_option(*option, true);
  }

  // In the groups of the help.
  void add_commands() {
    const auto commands = commands_of(app_);
    if (commands.empty()) return;
    text_ += ".SH COMMANDS\n";
    std::vector<std::string> groups;
    for (const CLI::App* command : commands) {
      if (std::find(groups.begin(), groups.end(), command->get_group()) == groups.end()) {
        groups.push_back(command->get_group());
      }
    }
    for (const std::string& group : groups) {
      text_ += ".SS " + argument(group) + "\n";
      for (const CLI::App* command : commands) {
        if (command->get_group() == group) add_command(*command, "");
      }
    }
  }
  void add_command(const CLI::App& command, const std::string& before) {
    const std::string name = before + command.get_name();
    text_ += ".TP\n.B " + plain(name) + "\\fR " + plain(arguments_of(command)) + "\n" +
             paragraphs(command.get_description()) + ".RS\n";
    add_positionals(command);
    add_options(command);
    for (const CLI::App* one : commands_of(command)) add_command(*one, name + " ");
    if (command.get_footer() != app_.get_footer())
      text_ += ".PP\n" + as_it_stands(command.get_footer());
    text_ += ".RE\n";
  }

  std::string see_also() const {
    constexpr const char* kPrograms[] = {"bplay",           "vitrail",        "vitrail-manager",
                                         "vitrail-pointer", "vitrail-poster", "vitrail-receiver",
                                         "vitrail-server",  "vitrail-share",  "vitrail-show"};
    std::string text;
    for (const char* program : kPrograms) {
      if (program == app_.get_name()) continue;
      text += (text.empty() ? "" : ",\n") + (".BR " + plain(program)) + " (1)";
    }
    return text;
  }

  const CLI::App& app_;
  std::string text_;
};

}  // namespace

std::string man_page(const CLI::App& app) {
  return ManPage(app).text();
}

}  // namespace sail
