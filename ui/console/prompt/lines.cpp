// Runs lines of the prompt and of scripts.
#include <fmt/core.h>

#include "sail/core/command_line/outline.h"
#include "sail/core/text/text.h"
#include "ui/client/answers.h"
#include "ui/console/prompt/prompt.h"

namespace ui {

const char* const kScriptHelp =
    R"(A script has one command per line, as at the prompt; # starts a comment, quotes keep blanks.
  film = play a.mp4       set $film to the number of the new window
  move $film 0 0
  wait settled            wait until the tiles show the latest layout
  wait window TITLE 10    wait up to 10 s for a window with TITLE in its title
  film = wait window TITLE
  wait frames 30 $film    wait until the window has shown 30 more frames
  sleep 0.5
  run other.vitrail       run another script
A script stops at the first command that fails and prints its line number.)";

namespace {

bool is_name(const std::string& word) {
  constexpr const char* kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !word.empty() && (word[0] < '0' || word[0] > '9') &&
         word.find_first_not_of(kLetters) == std::string::npos;
}

}  // namespace

bool Lines::fill_in(std::vector<std::string>& words) const {
  for (std::string& word : words) {
    if (word.size() < 2 || word[0] != '$') continue;
    const auto found = variables_.find(word.substr(1));
    if (found == variables_.end()) {
      context_.report(
          {sail::ErrorCode::kNotFound,
           fmt::format(
               "unknown variable {0}: `{1} = play FILE` sets the variable to a window's number",
               word, word.substr(1))});
      return false;
    }
    word = found->second;
  }
  return true;
}

Lines::Outcome Lines::run(const std::string& line) {
  std::vector<std::string> words = sail::split_words(line);
  if (words.empty()) return {};
  if (words[0] == "quit" || words[0] == "exit") return {kDone, true};
  std::string name;
  if (words.size() > 2 && words[1] == "=" && is_name(words[0])) {
    name = words[0];
    words.erase(words.begin(), words.begin() + 2);
  }
  if (!fill_in(words)) return {kFailed, false};
  const Translation translation = translate(words, context_);
  if (!translation.why_not.empty()) {
    return {context_.report({sail::ErrorCode::kUnknownMethod, translation.why_not}), false};
  }
  const int code = parse_and_run(translation.words);
  if (code != kDone || name.empty()) return {code, false};
  const int64_t window = number_member(context_.last, "window");
  if (window == 0) {
    return {context_.report({sail::ErrorCode::kInvalidParams,
                             fmt::format("cannot set {}: the command opens no window", name)}),
            false};
  }
  variables_[name] = std::to_string(window);
  return {kDone, false};
}

int Lines::parse_and_run(std::vector<std::string> words) {
  if (words[0] == "help") {
    words.erase(words.begin());
    if (!words.empty() && words[0] == "classical") {
      fmt::print("{}\n", sail::folded(kClassicalHelp));
      return kDone;
    }
    words.emplace_back("--help");
  }
  const bool json = context_.json;
  context_.last = sail::Json();
  const auto parser = make_line(context_);
  int code = kDone;
  if (const auto answer = parser->read(words)) {
    code = context_.print_answer(*answer, words);
  } else if (const auto work = parser->work()) {
    code = work();
  }
  context_.json = json;
  return code;
}

}  // namespace ui
