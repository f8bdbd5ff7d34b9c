// Commands for named layouts, which keep the positions of windows.
#include <ctime>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

std::string layouts_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"LAYOUT", "WINDOWS", "SAVED"}};
  for (const sail::Json& layout : member(result, "layouts")) {
    rows.push_back({text_of(layout, "name"), text_of(layout, "windows"),
                    age_text(number_member(layout, "saved_at"), std::time(nullptr))});
  }
  return rows.size() > 1 ? table(rows)
                         : "no layouts: `vitrail layout save NAME` saves the current one";
}

}  // namespace

void add_layout_commands(const Command& app, Context& context) {
  const auto name = std::make_shared<std::string>();
  const Command layout =
      app.command("layout", "Save and restore positions of windows as named layouts")
          .group("Arranging")
          .needs_command();
  const auto add = [&](const char* word, const char* alias, const char* verb, const char* help) {
    const Command command = layout.command(word, help);
    add_name_option(command, "layout", *name);
    if (alias != nullptr) command.alias(alias);
    command.runs([&context, name, verb] { return context.perform(verb, {{"name", *name}}); });
  };
  add("save", nullptr, "layout_save", "Save the current positions of the windows");
  add("apply", "restore", "layout_apply", "Move the windows to their saved positions");
  add("rm", "remove", "layout_remove", "Delete a layout");
  layout.command("ls", "List the layouts").alias("list").runs([&context] {
    return context.perform("layouts", sail::Json::object(), layouts_text);
  });
}

}  // namespace ui
