#include "sail/core/command_line/unknown_word.h"

#include <algorithm>
#include <string_view>

#include "sail/core/text/nearest_word.h"

namespace sail {
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
  const std::string what = "there is no option '" + name + "' here";
  const auto is_it = [&](const OptionOutline& one) { return name == "--" + one.name; };
  if (std::any_of(command.arguments.begin(), command.arguments.end(), is_it)) {
    return what + ": it goes without dashes, `" + form_of(path) + "`";
  }
  std::vector<std::string> names;
  for (const CommandOutline* known : {path.back(), path.front()}) {
    for (const OptionOutline& option : known->options) {
      for (const std::string& one : option.long_names) names.push_back("--" + one);
    }
  }
  return what + did_you_mean(name, names);
}

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
  if (names.empty()) return "'" + word + "' is one word too many: `" + form_of(path) + "`";
  return "there is no command '" + word + "'" + did_you_mean(word, names);
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

}  // namespace sail
