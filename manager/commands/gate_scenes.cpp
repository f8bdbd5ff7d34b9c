#include "manager/commands/gate_scenes.h"

#include <algorithm>
#include <string>

#include "manager/desk/desk.h"
#include "manager/events/event_scenes.h"
#include "manager/events/scheduler.h"
#include "manager/sessions/saved_wall.h"
#include "manager/wall/window_stack.h"

namespace manager::gate {

using sail::Json;

void scene_show(const Asked& asked) {
  const std::string name = text_in(asked.params, "name");
  if (const auto rect = rect_in(asked.params, "rect")) {
    asked.touched.shown_scene(name, *rect);
  } else {
    asked.touched.shown_scene(name, text_in(asked.params, "area"));
  }
}

void session_restore(const Asked& asked) {
  asked.touched.shown_scene(text_in(asked.params, "name"), "");
}

void layout(const Asked& asked) {
  asked.touched.layout(text_in(asked.params, "name"));
}

void saved_scene(const Asked& asked) {
  asked.touched.scene(Act::kArrange, text_in(asked.params, "name"));
}

namespace {

bool shown_by_the_wall(const Asked& asked) {
  const std::string name = text_in(asked.params, "name");
  const auto shows_by_verb = [&](const Json& item) {
    const std::string verb = text_in(item, "verb");
    const auto params = item.find("params");
    return (verb == "scene_show" || verb == "session_restore") && params != item.end() &&
           text_in(*params, "name") == name;
  };
  const auto shows = [&](const Json& item) {
    return text_in(item, "scene") == name ||
           std::ranges::any_of(list_in(item, "do"), shows_by_verb);
  };
  // The rules of active events may have been dropped.
  return !name.empty() && (std::ranges::any_of(asked.events.rules().rules().json(), shows) ||
                           std::ranges::any_of(asked.events.json(), shows) ||
                           std::ranges::any_of(asked.scheduler.entries(), shows));
}

}  // namespace

void session_save(const Asked& asked) {
  saved_scene(asked);
  if (!shown_by_the_wall(asked)) return;
  for (const Window& window : asked.desk.windows().bottom_to_top()) {
    if (!window.hidden) asked.touched.window(Act::kDisplay, window.number);
  }
}

void session_put(const Asked& asked) {
  saved_scene(asked);
  if (!shown_by_the_wall(asked)) return;
  const Json document = asked.params.value("session", Json());
  const auto session = saved_wall_from_json(document, SavedKind::kSession);
  if (session) asked.touched.brings(on_wall_of(*session, asked.desk.wall().size));
}

}  // namespace manager::gate
