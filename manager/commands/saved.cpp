// Layouts (positions of windows) and sessions (windows with their content), saved under a name.
#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/opener.h"
#include "manager/peers/peers.h"
#include "manager/sessions/autosave.h"
#include "manager/sessions/scene_switch.h"
#include "manager/sessions/session_restore.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_match.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager::verbs {
namespace {

sail::Json list_of(const StateFeed& state, StatePart part) {
  return {{part == StatePart::kLayouts ? "layouts" : "sessions", state.part(part)}};
}

}  // namespace

Answer layouts(const Call& /*call*/, const StateFeed& state) {
  return list_of(state, StatePart::kLayouts);
}

Answer sessions(const Call& /*call*/, const StateFeed& state) {
  return list_of(state, StatePart::kSessions);
}

Answer layout_save(const Call& call, WallArchive& archive, const StateFeed& state) {
  return only_name(call)
      .and_then([&](const auto& name) { return archive.save(SavedKind::kLayout, name); })
      .map([&] { return list_of(state, StatePart::kLayouts); });
}

Answer session_save(const Call& call, WallArchive& archive, const StateFeed& state) {
  return only_name(call)
      .and_then([&](const auto& name) { return archive.save(SavedKind::kSession, name); })
      .map([&] { return list_of(state, StatePart::kSessions); });
}

Answer layout_remove(const Call& call, WallArchive& archive, const StateFeed& state) {
  return only_name(call)
      .and_then([&](const auto& name) { return archive.remove(SavedKind::kLayout, name); })
      .map([&] { return list_of(state, StatePart::kLayouts); });
}

Answer session_remove(const Call& call, WallArchive& archive, const StateFeed& state) {
  return only_name(call)
      .and_then([&](const auto& name) { return archive.remove(SavedKind::kSession, name); })
      .map([&] { return list_of(state, StatePart::kSessions); });
}

Answer layout_apply(const Call& call, Desk& desk, const WallArchive& archive) {
  const auto name = only_name(call);
  if (!name) return name.error();
  auto layout = archive.saved(SavedKind::kLayout).load(*name);
  if (!layout) return layout.error();
  const WindowStack& windows = desk.windows();
  const SavedWall wall = on_wall_of(std::move(*layout), desk.wall().size);
  const std::vector<uint32_t> numbers = match_windows(wall.windows, windows);
  LayoutChange change;
  change.partitions = wall.partitions;
  std::vector<uint32_t> order;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Window* window = windows.find(numbers[i]);
    if (window == nullptr) continue;
    order.push_back(window->number);
    if (!window->locked) change.windows.emplace(window->number, wall.windows[i].placement);
  }
  change.order = order;
  desk.change(change, {.verb = fmt::format("applied layout '{}'", *name), .names_windows = false},
              author_of(call.peer));
  return sail::Json{{"windows", order}};
}

namespace {

void hide_passwords(sail::Json& address) {
  address = sail::without_passwords(address.get_ref<const std::string&>());
}

// The marks of programs, and the passwords in addresses of media.
void remove_secrets(sail::Json& windows) {
  for (sail::Json& window : windows) {
    window.erase("mark");
    if (!window.contains("content") || !window["content"].contains("media")) continue;
    sail::Json& content = window["content"];
    for (sail::Json& medium : content["media"]) hide_passwords(medium);
    for (const char* address : {"fallback", "subtitles"}) {
      if (content.contains(address)) hide_passwords(content[address]);
    }
  }
}

// Returns the document, without thumbnails if it is too large with them.
Answer sendable(sail::Json document, const std::string& name) {
  constexpr size_t kMostBytes = sail::kMaxControlLine - 1024;  // Leaves room for the answer.
  if (document.dump().size() <= kMostBytes) return document;
  for (sail::Json& window : document["windows"]) window.erase("thumbnail");
  if (document.dump().size() <= kMostBytes) return document;
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the session '{}' is too large to send in one message: read its "
                                "file in the manager's folder (--state)",
                                name));
}

}  // namespace

Answer session_get(const Call& call, const WallArchive& archive) {
  sail::JsonFields fields = call.fields();
  const std::string name = fields.string_or("name", sail::kMaxNameLength, "");
  if (auto error = fields.finish()) return *error;
  const auto session = name.empty() ? sail::Result<SavedWall>(archive.current_wall())
                                    : archive.saved(SavedKind::kSession).load(name);
  if (!session) return session.error();
  sail::Json document = to_json(*session, SavedKind::kSession);
  if (!name.empty()) document["name"] = name;
  document.erase("history");
  document.erase("events");
  document.erase("refused");
  document.erase("tours");
  remove_secrets(document["windows"]);
  return sendable(std::move(document), name);
}

// The session may come from another wall, so only what describes its windows is kept, and the
// client opens them when the session is shown.
Answer session_put(const Call& call, WallArchive& archive, const StateFeed& state) {
  sail::JsonFields fields = call.fields();
  const std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  // The next manager restores it without asking for rights.
  if (name == Autosave::kName) fields.mistake("name", "must not be 'autosave', the wall's own");
  const sail::Json& document = fields.object("session");
  if (auto error = fields.finish()) return *error;
  auto read = saved_wall_from_json(document, SavedKind::kSession);
  if (!read) return sail::fail(sail::ErrorCode::kInvalidParams, read.error().message);
  SavedWall session{.saved_at_s = read->saved_at_s,
                    .wall_size = read->wall_size,
                    .windows = std::move(read->windows),
                    .partitions = std::move(read->partitions)};
  for (SavedWindow& window : session.windows) {
    window.mark.clear();
    window.thumbnail = nullptr;
    if (window.content) window.content->opener = opener_of(call.peer.key_name());
  }
  return archive.put(name, session).map([&] { return list_of(state, StatePart::kSessions); });
}

void session_restore(const Call& call, SessionRestore& sessions) {
  const auto name = only_name(call);
  if (!name) {
    call.reply(name.error());
    return;
  }
  const auto restored = [](const RestartResult& result) {
    return sail::Json{{"started", result.started}, {"failed", failures_json(result.failed)}};
  };
  sessions.restore(*name, author_of(call.peer),
                   [reply = call.reply, restored](const sail::Result<RestartResult>& result) {
                     reply(result.map(restored));
                   });
}

namespace {

sail::Result<SceneSwitch::Saved> read_scene(const Call& call, const Desk& desk, bool may_fade) {
  sail::JsonFields fields = call.fields();
  SceneSwitch::Saved asked;
  asked.name = fields.string("name", sail::kMaxNameLength);
  if (asked.name.empty()) fields.mistake("name", "must not be empty");
  const std::string area = fields.string_or("area", sail::kMaxNameLength, "");
  if (may_fade) {
    asked.fade_ms = static_cast<int>(
        std::lround(fields.number_or("fade", 0, sail::kMaxSceneFadeMs / 1e3, 0) * 1e3));
  }
  if (fields.has("rect")) {
    asked.area = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
    const sail::Size wall = desk.wall().size;
    if (sail::intersect(*asked.area, {0, 0, wall.width, wall.height}).empty()) {
      fields.mistake("rect", "must lie on the wall");
    }
  }
  if (auto error = fields.finish()) return *error;
  if (area.empty()) return asked;
  if (asked.area) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "give 'area' or 'rect', not both");
  }
  const auto rect = area_named(desk.wall(), desk.arrangement().partitions(), area);
  if (!rect) return rect.error();
  asked.area = *rect;
  return asked;
}

}  // namespace

void scene_show(const Call& call, const Desk& desk, SceneSwitch& scene) {
  const auto asked = read_scene(call, desk, true);
  if (!asked) {
    call.reply(asked.error());
    return;
  }
  const auto shown = [](const SceneSwitch::Result& result) {
    return sail::Json{{"kept", result.kept},
                      {"started", result.started},
                      {"closed", result.closed},
                      {"forced", result.forced},
                      {"failed", failures_json(result.failed)}};
  };
  scene.show(*asked, author_of(call.peer),
             [reply = call.reply, shown](const sail::Result<SceneSwitch::Result>& result) {
               reply(result.map(shown));
             });
}

Answer scene_preview(const Call& call, const Desk& desk, const SceneSwitch& scene) {
  const auto asked = read_scene(call, desk, false);
  if (!asked) return asked.error();
  const auto preview = scene.preview(*asked);
  if (!preview) return preview.error();
  sail::Json windows = to_json(preview->wall, SavedKind::kSession)["windows"];
  for (sail::Json& window : windows) {
    if (window["number"] == 0) window.erase("number");
  }
  remove_secrets(windows);
  return sendable({{"windows", std::move(windows)}, {"closed", preview->closed}}, asked->name);
}

}  // namespace manager::verbs
