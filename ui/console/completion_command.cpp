// The command completion: prints what makes a shell complete vitrail's words.
#include <fmt/core.h>

#include "ui/console/commands.h"
#include "ui/console/completions.h"

namespace ui {

void add_completion_command(CLI::App& app, Context&, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print what makes a shell complete vitrail's words and the wall's names");
  command->group("Scripts");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer("bash:  echo 'source <(vitrail completion bash)' >> ~/.bashrc");
  command->callback([&action, shell] {
    action = [shell] {
      fmt::print("{}\n", completion_script(*shell));
      return int{kDone};
    };
  });
}

}  // namespace ui
