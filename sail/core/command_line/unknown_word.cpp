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

}  // namespace sail
