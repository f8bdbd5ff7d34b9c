// Commands for sessions, which keep the windows with their content, so that they can be opened
// again.
#include <fmt/core.h>

#include <ctime>

#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

std::string sessions_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"SESSION", "WINDOWS", "SAVED"}};
  for (const sail::Json& session : member(result, "sessions")) {
    rows.push_back({text_of(session, "name"), text_of(session, "windows"),
                    age_text(number_member(session, "saved_at"), std::time(nullptr))});
  }
  return rows.size() > 1 ? table(rows)
                         : "no sessions: `vitrail session save NAME` saves the current one";
}

std::string session_text(const sail::Json& session) {
  std::vector<std::vector<std::string>> rows = {{"PLACE", "TITLE"}};
  for (const sail::Json& window : member(session, "windows")) {
    rows.push_back({rect_text(member(window, "rect")), text_of(window, "title")});
  }
  return table(rows);
}

std::string scene_text(const sail::Json& result) {
  return fmt::format("{} kept, {} started, {} closed", member(result, "kept").size(),
                     member(result, "started").size(), member(result, "closed").size());
}

std::string preview_text(const sail::Json& preview) {
  std::vector<std::vector<std::string>> rows = {{"PLACE", "WINDOW", "TITLE"}};
  for (const sail::Json& window : member(preview, "windows")) {
    const bool stays = window.contains("number");
    rows.push_back({rect_text(member(window, "rect")), stays ? text_of(window, "number") : "opens",
                    text_of(window, "title")});
  }
  std::string text = table(rows);
  for (const sail::Json& number : member(preview, "closed")) {
    text += fmt::format("\nwindow {} closes", number.dump());
  }
  return text;
}

std::string restored_text(const sail::Json& result) {
  const size_t started = member(result, "started").size();
  return fmt::format("{} window{}", started, started == 1 ? "" : "s");
}

constexpr int64_t kRestoreMs = 60000;  // players open their windows one by one

struct SceneArguments {
  std::string name;
  std::string area;
  double fade_s = 0;
};

sail::Json scene_params(const SceneArguments& arguments) {
  sail::Json params = {{"name", arguments.name}};
  const bool is_rect = read_rect(arguments.area, params["rect"]);
  if (!is_rect) params.erase("rect");
  if (!is_rect && !arguments.area.empty()) params["area"] = arguments.area;
  return params;
}

void add_scene_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<SceneArguments>();
  const Command scene = app.command("scene", "Switch the wall to a session without a gap")
                            .group("Arranging")
                            .needs_command();
  const Command show =
      scene.command("show",
                    "Show a session in one swap: windows with the same content stay open and move; "
                    "exit 1 if a window fails to start");
  add_name_option(show, "session", arguments->name);
  show.option("--area", arguments->area,
              "Replace only the windows in this tile, partition or X,Y,WIDTHxHEIGHT, by those of "
              "the session there");
  show.option("--fade", arguments->fade_s, "Fade from what is shown, in this time; default: a cut")
      .form("SECONDS")
      .between(0.0, sail::kMaxSceneFadeMs / 1e3);
  show.runs([&context, arguments] {
    sail::Json params = scene_params(*arguments);
    if (arguments->fade_s > 0) params["fade"] = arguments->fade_s;
    return context.perform_restart("scene_show", params, scene_text, kRestoreMs);
  });
  const Command preview = scene.command(
      "preview", "List what `scene show` would keep, open and close, without changing anything");
  add_name_option(preview, "session", arguments->name);
  preview.option("--area", arguments->area, "As of `scene show`");
  preview.runs([&context, arguments] {
    return context.perform("scene_preview", scene_params(*arguments), preview_text);
  });
}

}  // namespace

void add_session_commands(const Command& app, Context& context) {
  add_scene_commands(app, context);
  const auto name = std::make_shared<std::string>();
  const Command session = app.command("session", "Save and restore sessions: what plays where")
                              .group("Arranging")
                              .needs_command();
  const auto add = [&](const char* word, const char* alias, const char* verb, const char* help,
                       const Context::TextOf& text = {}) {
    const Command command = session.command(word, help);
    add_name_option(command, "session", *name);
    if (alias != nullptr) command.alias(alias);
    command.runs([&context, name, verb, text] {
      return context.perform(verb, {{"name", *name}}, text);
    });
    return command;
  };
  add("save", nullptr, "session_save", "Save what plays and where");
  const Command restore = add("restore", "apply", "session_restore",
                              "Replace all windows by those of a session (also \"autosave\"); exit "
                              "1 if a window fails to start");
  restore.runs([&context, name] {
    return context.perform_restart("session_restore", {{"name", *name}}, restored_text, kRestoreMs);
  });
  add("rm", "remove", "session_remove", "Delete a session");
  add("show", nullptr, "session_get", "List the windows of a session", session_text);
  add_session_copy_command(session, context);
  session.command("ls", "List the sessions").alias("list").runs([&context] {
    return context.perform("sessions", sail::Json::object(), sessions_text);
  });
}

}  // namespace ui
