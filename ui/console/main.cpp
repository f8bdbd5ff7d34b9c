// vitrail: the command-line client. Runs one command, or prompts if there is none.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "ui/client/commands.h"
#include "ui/console/prompt/prompt.h"

namespace {

int prompt(ui::Context& context) {
  const bool person = isatty(STDIN_FILENO) == 1;
  if (context.connection() == nullptr && !person) return ui::kNoManager;
  if (person) fmt::print("Type help for the commands, quit to leave.\n");
  int worst = ui::kDone;
  ui::Lines lines(context);
  ui::run_prompt({.on_line =
                      [&](const std::string& line) {
                        const ui::Lines::Outcome outcome = lines.run(line);
                        worst = std::max(worst, outcome.code);
                        return !outcome.leave;
                      },
                  .words =
                      [&](const std::vector<std::string>& before, const std::string& partial) {
                        auto words = ui::completions(context, before, partial);
                        if (before.empty()) {
                          for (const char* own : {"help", "quit"}) {
                            if (std::string(own).starts_with(partial)) words.emplace_back(own);
                          }
                        }
                        return words;
                      }});
  return person ? int{ui::kDone} : worst;
}

// For shell completion: `vitrail --complete WORD … PARTIAL` prints the candidates, one a line.
int complete(ui::Context& context, std::vector<std::string> words) {
  std::string partial;
  if (!words.empty()) {
    partial = words.back();
    words.pop_back();
  }
  for (const std::string& word : ui::completions(context, words, partial)) {
    fmt::print("{}\n", word);
  }
  return ui::kDone;
}

}  // namespace

int vitrail_main(int argc, char** argv) {
  ui::Context context;
  if (argc > 1 && std::strcmp(argv[1], "--complete") == 0) {
    return complete(context, {argv + 2, argv + argc});
  }
  const auto line = ui::make_line(context);
  if (const auto answer = line->read(argc, argv)) {
    return context.print_answer(*answer, {argv + 1, argv + argc});
  }
  const auto work = line->work();
  return work ? work() : prompt(context);
}
