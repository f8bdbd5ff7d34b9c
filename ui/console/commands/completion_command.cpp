// The command completion: prints the shell script that completes vitrail's words.
#include <fmt/core.h>

#include "ui/client/commands.h"
#include "ui/console/prompt/completions.h"

namespace ui {

void add_completion_command(const Command& app, Context&) {
  const auto shell = std::make_shared<std::string>();
  const Command command =
      app.command("completion",
                  "Print the script that lets a shell complete commands and the wall's names")
          .group("Scripts");
  command.option("shell", *shell, "Shell: bash, zsh or fish")
      .required()
      .one_of({"bash", "zsh", "fish"});
  command.notes("bash:  echo 'source <(vitrail completion bash)' >> ~/.bashrc");
  command.runs([shell] {
    fmt::print("{}\n", completion_script(*shell));
    return int{kDone};
  });
}

}  // namespace ui
