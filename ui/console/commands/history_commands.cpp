// The commands undo, redo and history.
#include <fmt/core.h>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/tables.h"

namespace ui {
namespace {

std::string step_text(const sail::Json& step) {
  const std::string who = text_member(step, "who");
  return who.empty() ? text_member(step, "what")
                     : fmt::format("{} (by {})", text_member(step, "what"), who);
}

bool undone(const sail::Json& entry, int64_t done) {
  return !entry.contains("note") && number_member(entry, "number") > done;
}

std::string history_text(const sail::Json& history) {
  const int64_t done = number_member(history, "done");
  std::vector<std::vector<std::string>> rows = {{"STEP", "WHO", "WHAT", ""}};
  for (const sail::Json& entry : member(history, "entries")) {
    rows.push_back({text_of(entry, "number"), text_of(entry, "who"), text_of(entry, "what"),
                    undone(entry, done) ? "undone" : ""});
  }
  return rows.size() > 1 ? table(rows) : "no changes yet";
}

}  // namespace

void add_history_commands(const Command& app, Context& context) {
  // Undoing a close starts a player, which takes time.
  constexpr int64_t kWaitTimeoutMs = 15000;
  for (const auto& [verb, help] :
       {std::pair{"undo", "Undo the last change by any client; exit 1 if a window fails to start"},
        std::pair{"redo", "Redo the last undone change; exit 1 if a window fails to start"}}) {
    const Command command = app.command(verb, help).group("Arranging");
    command.runs([&context, verb = verb] {
      return context.perform_restart(verb, sail::Json::object(), step_text, kWaitTimeoutMs);
    });
  }
  const Command history =
      app.command("history", "List the last changes and who made them").group("Arranging");
  history.runs(
      [&context] { return context.perform("history", sail::Json::object(), history_text); });
}

}  // namespace ui
