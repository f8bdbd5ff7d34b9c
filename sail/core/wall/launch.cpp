#include "sail/core/wall/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kCommand = "{command}";
constexpr std::string_view kPlaceholders[] = {"{node}", "{host}", "{user}", kCommand};

// Returns the text from the first brace to its closing brace, or to the end; empty: no brace.
std::string_view first_placeholder(std::string_view text) {
  const size_t begin = text.find('{');
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0,
                     text.find('}') == std::string_view::npos ? text.size() : text.find('}') + 1);
}

std::optional<std::string> unknown_placeholder(std::string_view word) {
  for (;;) {
    const std::string_view found = first_placeholder(word);
    if (found.empty()) return std::nullopt;
    if (std::ranges::find(kPlaceholders, found) == std::end(kPlaceholders)) {
      return std::string(found);
    }
    word.remove_prefix(word.find(found) + found.size());
  }
}

bool is_ssh(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == "ssh";
}

std::string filled_in(std::string_view word, const LaunchValues& values) {
  std::string text;
  for (;;) {
    const std::string_view found = first_placeholder(word);
    if (found.empty()) return text.append(word);
    const size_t at = word.find(found);
    text.append(word.substr(0, at));
    text.append(found == "{node}" ? values.node : found == "{host}" ? values.host : values.user);
    word.remove_prefix(at + found.size());
  }
}

}  // namespace

std::optional<std::string> launch_mistake(std::string_view launch) {
  const std::vector<std::string> words = split_words(launch);
  if (words.empty()) {
    return "must not be empty: give a command line such as \"srun -w {host} -N1 -n1 {command}\"";
  }
  if (is_ssh(words[0])) {
    return "cannot be a command line of ssh, which does not pass words on unchanged: write \"ssh\" "
           "only, and put options into $VITRAIL_SSH or the configuration of ssh";
  }
  for (const std::string& word : words) {
    if (const auto unknown = unknown_placeholder(word)) {
      return fmt::format(
          "has the unknown placeholder {}: the placeholders are {{node}}, {{host}}, {{user}} and "
          "{{command}}",
          *unknown);
    }
    if (word != kCommand && word.find(kCommand) != std::string::npos) {
      return fmt::format("has {} within the word \"{}\": it must be a word of its own", kCommand,
                         word);
    }
  }
  const auto count = std::ranges::count(words, kCommand);
  if (count == 0) return fmt::format("has no {}, which the program's command replaces", kCommand);
  if (count > 1) return fmt::format("has {} more than once", kCommand);
  return std::nullopt;
}

std::vector<std::string> launch_words(std::string_view launch, const LaunchValues& values) {
  std::vector<std::string> words;
  for (const std::string& word : split_words(launch)) {
    if (word == kCommand) {
      words.insert(words.end(), values.command.begin(), values.command.end());
    } else {
      words.push_back(filled_in(word, values));
    }
  }
  return words;
}

}  // namespace sail
