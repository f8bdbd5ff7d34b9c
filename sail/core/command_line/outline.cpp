#include "sail/core/command_line/outline.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kLastTextColumn = 40;  // text that starts later has too little room

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Returns the byte offset after `characters` characters; npos if the line is not longer.
size_t byte_at(std::string_view line, size_t characters) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (begins_character(line[i]) && characters-- == 0) return i;
  }
  return std::string_view::npos;
}

// Returns the column where the line's text begins, which may be after a name.
size_t text_column(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.find("  ", begin);
  if (gap == std::string_view::npos) return begin;
  const size_t text = line.find_first_not_of(' ', gap);
  const auto columns = static_cast<size_t>(std::count_if(
      line.begin(), line.begin() + static_cast<ptrdiff_t>(std::min(text, line.size())),
      begins_character));
  return columns <= kLastTextColumn ? columns : begin;
}

// Returns the blank at which to fold the line; npos: the line fits. Too long words get a line.
size_t fold_at(std::string_view line, size_t column) {
  const size_t end = byte_at(line, kHelpColumns);
  if (end == std::string_view::npos) return end;
  const size_t space = line.rfind(' ', end);
  if (space != std::string_view::npos && space > byte_at(line, column)) return space;
  return line.find(' ', byte_at(line, column));
}

bool flows_on(std::string_view line, size_t column) {
  return line.find_first_not_of(' ') == column && line.find("  ", column) == std::string_view::npos;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string folded(std::string_view text) {
  std::string result;
  const auto lines = lines_of(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line(lines[i]);
    const size_t column = text_column(line);
    for (size_t space = fold_at(line, column); space != std::string::npos;
         space = fold_at(line, column)) {
      result += line.substr(0, space) + "\n";
      line = std::string(column, ' ') + line.substr(space + 1);
      if (i + 1 < lines.size() && flows_on(lines[i + 1], column)) {
        line += " " + std::string(lines[++i].substr(column));
      }
    }
    result += line + (i + 1 < lines.size() ? "\n" : "");
  }
  return result;
}

namespace {

// Returns the path with its arguments: "vitrail fit window [tile]".
std::string form_of(const CommandPath& path) {
  std::string form = path_text(path);
  for (const OptionOutline& argument : path.back()->arguments) {
    form += argument.required ? " " + argument.name : " [" + argument.name + "]";
  }
  return form;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string_view meant = nearest_word(word, {names.begin(), names.end()});
  return meant.empty() ? "" : ": did you mean '" + std::string(meant) + "'?";
}

std::string about_unknown_option(const CommandPath& path, const std::string& name) {
  const CommandOutline& command = *path.back();
  const std::string what = "unknown option '" + name + "'";
  const auto is_it = [&](const OptionOutline& one) { return name == "--" + one.name; };
  if (std::any_of(command.arguments.begin(), command.arguments.end(), is_it)) {
    return what + ": write the argument without dashes, `" + form_of(path) + "`";
  }
  std::vector<std::string> names;
  for (const CommandOutline* known : {path.back(), path.front()}) {
    for (const OptionOutline& option : known->options) {
      for (const std::string& one : option.long_names) names.push_back("--" + one);
    }
  }
  return what + did_you_mean(name, names);
}

// Escapes text for roff: no escapes or requests, and minus signs that can be searched and copied.
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

// Quotes text as the argument of a request.
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

// Empty lines separate paragraphs, in which roff fills the lines.
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

class ManPage {
 public:
  explicit ManPage(const CommandOutline& program) : program_(program) {}

  std::string text(const std::string& version) {
    const std::string& name = program_.name;
    std::string gist = program_.about.substr(0, program_.about.find('\n'));
    if (gist.ends_with('.')) gist.pop_back();
    text_ = ".TH " + argument(capitals(name)) + " 1 \"\" " + argument(name + " " + version) +
            " \"Vitrail\"\n.SH NAME\n" + plain(name) + " \\- " + plain(gist) +
            "\n.SH SYNOPSIS\n.B " + plain(name) + "\n" + plain(arguments_of(program_)) +
            "\n.SH DESCRIPTION\n" + paragraphs(program_.about);
    if (!program_.arguments.empty()) text_ += ".SH ARGUMENTS\n";
    for (const OptionOutline& one : program_.arguments) add_option(one);
    text_ += ".SH OPTIONS\n";
    for (const OptionOutline& one : program_.options) add_option(one);
    add_commands();
    if (!program_.notes.empty()) text_ += ".SH NOTES\n" + as_it_stands(program_.notes);
    text_ += ".SH SEE ALSO\n" + see_also() + "\n";
    return std::move(text_);
  }

 private:
  static bool has_commands(const CommandOutline& command) {
    return std::any_of(command.commands.begin(), command.commands.end(),
                       [](const CommandOutline& one) { return !one.group.empty(); });
  }

  // The synopsis after the command's name.
  static std::string arguments_of(const CommandOutline& command) {
    std::string text = "[OPTIONS]";
    for (const OptionOutline& one : command.arguments) text += " " + one.usage;
    if (!has_commands(command)) return text;
    return text + (command.needs_command ? " COMMAND …" : " [COMMAND …]");
  }

  void add_option(const OptionOutline& option) {
    text_ += ".TP\n.B " + plain(option.name) + "\\fR" + plain(option.form) + "\n" +
             plain(option.help) + "\n";
  }

  // Lists commands in the groups of the help.
  void add_commands() {
    if (!has_commands(program_)) return;
    text_ += ".SH COMMANDS\n";
    std::vector<std::string> groups;
    for (const CommandOutline& command : program_.commands) {
      const bool known = std::find(groups.begin(), groups.end(), command.group) != groups.end();
      if (!command.group.empty() && !known) groups.push_back(command.group);
    }
    for (const std::string& group : groups) {
      text_ += ".SS " + argument(group) + "\n";
      for (const CommandOutline& command : program_.commands) {
        if (command.group == group) add_command(command, "");
      }
    }
  }
  void add_command(const CommandOutline& command, const std::string& before) {
    const std::string name = before + command.name;
    text_ += ".TP\n.B " + plain(name) + "\\fR " + plain(arguments_of(command)) + "\n" +
             paragraphs(command.about) + ".RS\n";
    for (const OptionOutline& one : command.arguments) add_option(one);
    for (const OptionOutline& one : command.options) {
      if (!one.name.ends_with("--help")) add_option(one);  // all commands have --help
    }
    for (const CommandOutline& one : command.commands) {
      if (!one.group.empty()) add_command(one, name + " ");
    }
    if (command.notes != program_.notes) text_ += ".PP\n" + as_it_stands(command.notes);
    text_ += ".RE\n";
  }

  std::string see_also() const {
    constexpr const char* kPrograms[] = {"bplay",           "vitrail",          "vitrail-bridge",
                                         "vitrail-camera",  "vitrail-convert",  "vitrail-decoder",
                                         "vitrail-guest",   "vitrail-hooks",    "vitrail-lab",
                                         "vitrail-manager", "vitrail-mqtt",     "vitrail-pointer",
                                         "vitrail-poster",  "vitrail-receiver", "vitrail-recorder",
                                         "vitrail-server",  "vitrail-share",    "vitrail-show",
                                         "vitrail-vnc",     "vitrail-web",      "vitrail-whip"};
    std::string text;
    for (const char* program : kPrograms) {
      if (program == program_.name) continue;
      text += (text.empty() ? "" : ",\n") + (".BR " + plain(program)) + " (1)";
    }
    return text;
  }

  const CommandOutline& program_;
  std::string text_;
};

}  // namespace

std::string path_text(const CommandPath& path) {
  std::string text;
  for (const CommandOutline* command : path) text += (text.empty() ? "" : " ") + command->name;
  return text;
}

std::string about_unknown_word(const CommandPath& path, const std::string& word) {
  if (word.starts_with("-")) return about_unknown_option(path, word.substr(0, word.find('=')));
  std::vector<std::string> names;
  for (const CommandOutline& known : path.back()->commands) names.push_back(known.name);
  if (names.empty())
    return "unexpected argument '" + word + "': the syntax is `" + form_of(path) + "`";
  return "unknown command '" + word + "'" + did_you_mean(word, names);
}

std::string about_missing_word(const CommandPath& path, const std::string& what) {
  const CommandOutline& command = *path.back();
  const auto is_it = [&](const OptionOutline& one) { return what.starts_with(one.name + " "); };
  if (std::any_of(command.arguments.begin(), command.arguments.end(), is_it)) {
    return what + ": `" + form_of(path) + "`";
  }
  if (!command.needs_command || what.starts_with("-")) return what;
  std::string names;
  for (const CommandOutline& one : command.commands) {
    if (!one.group.empty()) names += (names.empty() ? "" : ", ") + one.name;
  }
  return "a command is required: " + names;
}

std::string man_page(const CommandOutline& program, const std::string& version) {
  return ManPage(program).text(version);
}

}  // namespace sail
