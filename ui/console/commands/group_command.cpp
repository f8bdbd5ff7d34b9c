// The command group: makes windows show their frames in step.
#include <fmt/core.h>

#include <algorithm>

#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

struct GroupArguments {
  std::string name;
  std::vector<std::string> windows;
  bool dissolve = false;
};

std::string windows_text(const sail::Json& group) {
  std::string text;
  for (const sail::Json& number : member(group, "windows"))
    text += fmt::format(" {}", number.dump());
  return text;
}

int list_groups(Context& context) {
  return context.perform("groups", sail::Json::object(), [](const sail::Json& result) {
    std::string text;
    for (const sail::Json& group : member(result, "groups")) {
      text += fmt::format("{}{}: windows{}", text.empty() ? "" : "\n", text_member(group, "name"),
                          windows_text(group));
    }
    return text.empty() ? "no groups" : text;
  });
}

int dissolve(Context& context, const GroupArguments& arguments) {
  const auto named = context.windows(arguments.windows);
  if (!named) return context.failure();
  sail::Json windows = *named;
  if (named->empty()) {
    const auto groups = context.call("groups", sail::Json::object());
    if (!groups) return context.client ? int{kFailed} : int{kNoManager};
    for (const sail::Json& group : member(*groups, "groups")) {
      if (text_member(group, "name") == arguments.name) windows = member(group, "windows");
    }
    if (windows.empty()) {
      return context.report(sail::fail(sail::ErrorCode::kNotFound,
                                       fmt::format("there is no group '{}'", arguments.name)));
    }
  }
  return context.perform("group", {{"name", ""}, {"windows", windows}});
}

}  // namespace

void add_group_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<GroupArguments>();
  const Command command =
      app.command("group", "Group windows so that they show their frames in step, or list groups")
          .group("Players");
  command.option("name", arguments->name, "Name of the group; omit to list all groups");
  command.option("window", arguments->windows, "Windows to add, by number or title, or all");
  command.flag("--dissolve", arguments->dissolve,
               "Remove the windows from the group; default: all its windows");
  command.runs([&context, arguments]() -> int {
    if (arguments->name.empty()) return list_groups(context);
    if (arguments->dissolve) return dissolve(context, *arguments);
    if (arguments->windows.empty()) {
      return context.usage_error("no windows given: name the windows to add to the group");
    }
    const auto windows = context.windows(arguments->windows);
    if (!windows) return context.failure();
    return context.perform("group", {{"name", arguments->name}, {"windows", *windows}});
  });
}

}  // namespace ui
