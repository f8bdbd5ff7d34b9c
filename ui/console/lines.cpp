#include "ui/console/lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/command_line/command_line.h"
#include "sail/command_line/folded_text.h"
#include "ui/answers.h"
#include "ui/console/classical.h"

namespace ui {

const char* const kScriptHelp =
    "Scripts hold one command a line, as at the prompt; # begins a comment, quotes keep blanks.\n"
    "  film = play a.mp4       $film is the window that it opened from now on\n"
    "  move $film 0 0\n"
    "  wait settled            until no change of layout is on its way to the tiles\n"
    "  wait window TITLE 10    until one has this in its title, at most 10 s\n"
    "  film = wait window TITLE\n"
    "  wait frames 30 $film    until it has shown 30 more\n"
    "  sleep 0.5\n"
    "  run other.vitrail       another script\n"
    "A script stops at the first command that fails and says at which line.";

namespace {

constexpr const char* kAbout =
    "Arranges the windows of a Vitrail wall.\n\n"
    "Every command talks to the wall's manager at --manager, $VITRAIL_MANAGER, or 127.0.0.1:7440\n"
    "($VITRAIL_TOKEN holds the token, if it wants one). Without a command: a prompt.";
constexpr const char* kAfter =
    "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no manager there.\n"
    "A first wall: vitrail up sail/wall/walls/demo.json && vitrail play test:\n"
    "At the prompt: `help classical` lists the words of the classical consoles.";

bool is_name(const std::string& word) {
  constexpr const char* kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !word.empty() && (word[0] < '0' || word[0] > '9') &&
         word.find_first_not_of(kLetters) == std::string::npos;
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Context& context, Action& action) {
  auto app = std::make_unique<CLI::App>(kAbout, "vitrail");
  app->footer(kAfter);
  app->set_version_flag("--version", "vitrail " VITRAIL_VERSION);
  app->add_option("--manager", context.manager, "HOST:PORT of the manager");
  app->add_flag("--json", context.json, "Answer in JSON, one object a line");
  app->add_option("--name", context.person.name, "Who does it, for the others at the wall")
      ->capture_default_str();
  app->add_option("--colour", context.person.colour, "Your colour: #RRGGBB");
  app->fallthrough();
  app->require_subcommand(0, 1);
  add_commands(*app, context, action);
  sail::finish_command_line(*app);
  return app;
}

int usage(const CLI::App& app, const CLI::ParseError& error) {
  const int code = app.exit(error);
  return code == 0 ? kDone : kUsage;
}

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else if (c == '#' && !in_word) {
      break;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

bool Lines::fill_in(std::vector<std::string>& words) const {
  for (std::string& word : words) {
    if (word.size() < 2 || word[0] != '$') continue;
    const auto found = variables_.find(word.substr(1));
    if (found == variables_.end()) {
      context_.report({sail::ErrorCode::kNotFound,
                       fmt::format("{0} is not known: `{1} = play FILE` makes it a window's number",
                                   word, word.substr(1))});
      return false;
    }
    word = found->second;
  }
  return true;
}

Lines::Outcome Lines::run(const std::string& line) {
  std::vector<std::string> words = split_words(line);
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
                             fmt::format("{} = …: that command opens no window", name)}),
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
  Action action;
  const bool json = context_.json;
  context_.last = sail::Json();
  const auto app = make_app(context_, action);
  std::reverse(words.begin(), words.end());  // CLI11 takes them last first
  int code = kDone;
  try {
    app->parse(words);
    if (action) code = action();
  } catch (const CLI::ParseError& error) {
    code = usage(*app, error);
  }
  context_.json = json;
  return code;
}

}  // namespace ui
