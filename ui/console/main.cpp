// vitrail: the everyday command. With a command it does that and ends; without one it prompts.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "ui/answers.h"
#include "ui/console/commands.h"
#include "ui/console/prompt.h"

namespace {

constexpr const char* kAbout =
    "Arranges the windows of a Vitrail wall.\n\n"
    "Every command talks to the wall's manager at --manager, $VITRAIL_MANAGER, or 127.0.0.1:7440\n"
    "($VITRAIL_TOKEN holds the token, if it wants one). Without a command: a prompt.";
constexpr const char* kAfter =
    "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no manager there.\n"
    "A first wall:  vitrail up sail/wall/walls/demo.json && vitrail play test: && vitrail ls";

// Fresh for each line: CLI11 keeps what it parsed.
std::unique_ptr<CLI::App> make_app(ui::Context& context, ui::Action& action) {
  auto app = std::make_unique<CLI::App>(kAbout, "vitrail");
  app->footer(kAfter);
  app->set_version_flag("--version", "vitrail " VITRAIL_VERSION);
  app->add_option("--manager", context.manager, "HOST:PORT of the manager");
  app->add_flag("--json", context.json, "Answer in JSON, one object a line");
  app->fallthrough();
  app->require_subcommand(0, 1);
  ui::add_commands(*app, context, action);
  return app;
}

int usage(const CLI::App& app, const CLI::ParseError& error) {
  const int code = app.exit(error);
  return code == 0 ? ui::kDone : ui::kUsage;
}

std::vector<std::string> window_numbers(ui::Context& context) {
  std::vector<std::string> numbers;
  const auto state = context.call_for_all_windows("list");
  if (!state) return numbers;
  for (const sail::Json& window : ui::member(*state, "windows")) {
    numbers.push_back(std::to_string(ui::number_member(window, "window")));
  }
  return numbers;
}

// Words that may follow: commands first, then numbers of windows.
std::vector<std::string> completions(ui::Context& context, const std::vector<std::string>& before) {
  ui::Action ignored;
  const auto app = make_app(context, ignored);
  if (!before.empty() && before[0] != "help") {
    const auto found =
        app->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == before[0]; });
    if (found.empty() || before.size() > 1) return {};
    const CLI::App* command = found.front();
    if (command->get_option_no_throw("window") != nullptr) return window_numbers(context);
    std::vector<std::string> words;
    for (const CLI::App* sub : command->get_subcommands({})) words.push_back(sub->get_name());
    return words;
  }
  std::vector<std::string> words = {"help", "quit"};
  for (const CLI::App* command : app->get_subcommands({})) words.push_back(command->get_name());
  std::sort(words.begin(), words.end());
  return words;
}

// One line of the prompt; false: leave.
bool run_line(ui::Context& context, const std::string& line, int& code) {
  std::vector<std::string> words = ui::split_words(line);
  if (words.empty()) return true;
  if (words[0] == "quit" || words[0] == "exit") return false;
  if (words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  ui::Action action;
  const bool json = context.json;
  const auto app = make_app(context, action);
  std::reverse(words.begin(), words.end());  // CLI11 takes them last first
  try {
    app->parse(words);
    code = action ? action() : int{ui::kDone};
  } catch (const CLI::ParseError& error) {
    code = usage(*app, error);
  }
  context.json = json;
  return true;
}

int prompt(ui::Context& context) {
  const bool person = isatty(STDIN_FILENO) == 1;
  if (context.connection() == nullptr && !person) return ui::kNoManager;
  if (person) fmt::print("Type help for the commands, quit to leave.\n");
  int code = ui::kDone;
  int worst = ui::kDone;
  ui::run_prompt({.on_line =
                      [&](const std::string& line) {
                        const bool go_on = run_line(context, line, code);
                        worst = std::max(worst, code);
                        return go_on;
                      },
                  .words = [&](const auto& before) { return completions(context, before); }});
  return person ? int{ui::kDone} : worst;
}

}  // namespace

int main(int argc, char** argv) {
  ui::Context context;
  ui::Action action;
  const auto app = make_app(context, action);
  try {
    app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(*app, error);
  }
  return action ? action() : prompt(context);
}
