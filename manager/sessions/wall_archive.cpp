#include "manager/sessions/wall_archive.h"

#include <ctime>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/desk/thumbnails.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "manager/sessions/expected_windows.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

StatePart part_of(SavedKind kind) {
  return kind == SavedKind::kLayout ? StatePart::kLayouts : StatePart::kSessions;
}

}  // namespace

WallArchive::WallArchive(sail::Loop& loop, const std::filesystem::path& state_folder, Peers& peers,
                         Desk& desk, const ThumbnailExchange& thumbnails,
                         const ExpectedWindows& expected, ChangeFeed& changes, const sail::Log& log)
    : peers_(peers),
      desk_(desk),
      thumbnails_(thumbnails),
      expected_(expected),
      changes_(changes),
      log_(log),
      layouts_(state_folder, SavedKind::kLayout, desk.wall().size, log),
      sessions_(state_folder, SavedKind::kSession, desk.wall().size, log),
      autosave_(loop, sessions_,
                {.wall = [this] { return for_next_manager(); },
                 .on_list_changed = [this] { changes_.part_changed(StatePart::kSessions); },
                 .notice =
                     [this](const std::string& sentence) {
                       log_.warning("{}", sentence);
                       peers_.broadcast(
                           sail::share(sail::notification_line("notice", {{"message", sentence}})));
                     }}) {}

void WallArchive::watch_saved(
    const std::function<void(SavedKind kind, const std::string& name)>& on_changed) {
  for (const SavedKind kind : {SavedKind::kLayout, SavedKind::kSession}) {
    walls(kind).watch([kind, on_changed](const std::string& name) { on_changed(kind, name); });
  }
}

sail::Result<void> WallArchive::save(SavedKind kind, const std::string& name) {
  SavedWall wall = current_wall();
  std::erase_if(wall.windows, [kind](const SavedWindow& window) {
    return window.placement.hidden.value_or(false) || window.is_curtain() ||
           (kind == SavedKind::kLayout && window.decorates());
  });
  auto saved = walls(kind).save(name, with_pictures(std::move(wall)));
  if (saved) changes_.part_changed(part_of(kind));
  return saved;
}

sail::Result<void> WallArchive::put(const std::string& name, const SavedWall& session) {
  auto saved = sessions_.save(name, session);
  if (saved) changes_.part_changed(StatePart::kSessions);
  return saved;
}

sail::Result<void> WallArchive::remove(SavedKind kind, const std::string& name) {
  auto removed = walls(kind).remove(name);
  if (removed) changes_.part_changed(part_of(kind));
  return removed;
}

SavedWindow WallArchive::state_of(const Window& window) const {
  SavedWindow saved = saved_window(window, desk_.clock().wall_now_ns());
  saved.mark = peers_.mark_of(window.owner);
  return saved;
}

std::vector<std::string> WallArchive::damage() const {
  std::vector<std::string> sentences;
  for (const SavedWalls* walls : {&sessions_, &layouts_}) {
    for (const auto& [name, sentence] : walls->damage()) sentences.push_back(sentence);
  }
  return sentences;
}

SavedWall WallArchive::current_wall() const {
  SavedWall wall;
  wall.saved_at_s = std::time(nullptr);
  wall.wall_size = desk_.wall().size;
  wall.partitions = desk_.arrangement().partitions();
  wall.ended = ending_;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!window.unsaved) wall.windows.push_back(state_of(window));
  }
  return wall;
}

SavedWall WallArchive::with_pictures(SavedWall wall) const {
  constexpr size_t kMostBytes = sail::kMaxControlLine / 2;
  size_t bytes = 0;
  for (auto window = wall.windows.rbegin(); window != wall.windows.rend(); ++window) {
    sail::Json picture = thumbnails_.picture(window->number);
    if (picture.is_null()) continue;
    bytes += picture["jpeg"].get_ref<const std::string&>().size();
    if (bytes > kMostBytes) break;
    window->thumbnail = std::move(picture);
  }
  return wall;
}

SavedWall WallArchive::for_next_manager() const {
  SavedWall wall = with_pictures(current_wall());
  wall.history = to_json(desk_.arrangement().history());
  wall.events = events_();
  wall.tours = tours_();
  wall.switches = desk_.arrangement().switches();
  wall.drawing = desk_.arrangement().drawing();
  wall.refused = desk_.refused();
  // The next manager does not know these windows: they would appear on the wall.
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!window.unsaved) continue;
    for (const WindowStream& stream : streams_of(window)) wall.refused.push_back(stream.secret);
  }
  while (wall.refused.size() > kMostRefusedStreams) wall.refused.pop_front();
  expected_.add_to(wall.windows);
  return wall;
}

void WallArchive::wall_changed() {
  if (until_window_ && !desk_.windows().order().empty()) {
    until_window_ = false;
    autosave_.hold(ending_);
  }
  autosave_.wall_changed();
}

void WallArchive::resume_autosave() {
  autosave_.hold(ending_);
  autosave_.wall_changed();
}

void WallArchive::end() {
  ending_ = true;
  autosave_.write();
  autosave_.hold(true);
}

}  // namespace manager
