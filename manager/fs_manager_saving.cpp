// The FsManager's layouts and sessions: what is kept beyond the windows' and the manager's own end.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "manager/fs_manager.h"
#include "manager/saved_history.h"
#include "manager/state_parts.h"
#include "sail/base/clock.h"
#include "sail/base/token.h"

namespace manager {

SavedWindow FsManager::saved(const Window& window) {
  SavedWindow saved = saved_window(window, sail::steady_now_ns());
  if (const Session* owner = find_session(window.owner)) {
    saved.mark = sail::mark_of(owner->token(), options_.token);
  }
  return saved;
}

SavedWall FsManager::saved_now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  SavedWall wall;
  wall.saved_at_s = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  wall.wall_size = options_.wall.size;
  wall.partitions = arrangement_.partitions();
  wall.ended = ending_since_ns_ != 0;
  for (const Window& window : windows().bottom_to_top()) wall.windows.push_back(saved(window));
  return wall;
}

SavedWall FsManager::with_pictures(SavedWall wall) const {
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

sail::Result<void> FsManager::save_wall(SavedKind kind, const std::string& name) {
  auto saved = walls(kind).save(name, with_pictures(saved_now()));
  if (saved) part_changed(part_of(kind));
  return saved;
}

sail::Result<void> FsManager::remove_saved(SavedKind kind, const std::string& name) {
  auto removed = walls(kind).remove(name);
  if (removed) part_changed(part_of(kind));
  return removed;
}

// --- a session comes back

namespace {

// Which of the present windows are those of the session that nobody could start again: by title and
// application. Their saved numbers become those that they have now.
std::set<uint32_t> keep_present(std::vector<SavedWindow>& wanted, const WindowStack& windows) {
  std::multimap<std::pair<std::string, std::string>, uint32_t> present;
  for (const Window& window : windows.bottom_to_top()) {
    present.emplace(std::pair(window.title, window.owner_name), window.number);
  }
  std::set<uint32_t> kept;
  for (SavedWindow& window : wanted) {
    const auto found = present.find({window.title, window.owner});
    if (window.content || found == present.end()) continue;
    window.number = found->second;
    kept.insert(found->second);
    present.erase(found);
  }
  return kept;
}

}  // namespace

// Numbers of former managers mean nothing here.
SavedWall FsManager::renumbered(SavedWall wall) {
  const bool same_wall = wall.wall_size == options_.wall.size;
  wall = on_wall_of(std::move(wall), options_.wall.size);
  std::map<uint32_t, uint32_t> numbers;
  for (SavedWindow& window : wall.windows) {
    const uint32_t former = std::exchange(window.number, arrangement_.reserve_number());
    numbers.emplace(former, window.number);
  }
  const bool first = arrangement_.history().entries().empty();
  if (first && same_wall && !wall.history.is_null()) adopt_history(wall.history, numbers);
  return wall;
}

void FsManager::adopt_history(const sail::Json& saved,
                              const std::map<uint32_t, uint32_t>& numbers) {
  auto history = saved_history_from_json(saved);
  if (!history) {
    log_.warning("what was done before cannot be undone: {}", history.error().message);
    return;
  }
  renumber(*history, numbers, [this] { return arrangement_.reserve_number(); });
  arrangement_.history().adopt(std::move(history->entries), history->done);
  part_changed(StatePart::kHistory);
}

void FsManager::restore(const SavedWall& session, const std::string& name, const Session& ui,
                        Restored done) {
  if (stepping_) {
    done(sail::fail(sail::ErrorCode::kConflict,
                    "a step before is still under way: its windows open or close"));
    return;
  }
  stepping_ = true;
  autosave_->hold(true);
  SavedWall wall = renumbered(session);
  const std::set<uint32_t> kept = keep_present(wall.windows, windows());

  HistoryEntry entry{.author = clients_.author(ui.id()),
                     .what = fmt::format("restored session '{}'", name)};
  entry.stack = windows().order();
  LayoutChange change;
  change.partitions = wall.partitions;
  std::vector<SavedWindow> coming;
  std::vector<uint32_t> order;
  for (SavedWindow& window : wall.windows) {
    order.push_back(window.number);
    if (kept.contains(window.number)) {
      change.windows.emplace(window.number, window.standing);
    } else {
      coming.push_back(std::move(window));
    }
  }
  spread(arrangement_.apply(change, entry.author, &entry.before));
  entry.after = std::move(change);
  for (const Window& window : windows().bottom_to_top()) {
    if (!kept.contains(window.number)) entry.closed.push_back(saved(window));
  }

  const auto shared = std::make_shared<HistoryEntry>(std::move(entry));
  const auto finish = [this, shared, done = std::move(done)](const Relaunched& result) {
    for (const uint32_t number : result.started) {
      if (const Window* window = windows().find(number)) shared->opened.push_back(saved(*window));
    }
    arrangement_.history().add(std::move(*shared));
    part_changed(StatePart::kHistory);
    stepping_ = false;
    autosave_->hold(false);
    autosave_->wall_changed();
    done(result);
  };
  const auto missing = std::make_shared<size_t>(1 + shared->closed.size());
  const auto one_less = [this, missing, coming = std::move(coming), order = std::move(order),
                         finish] {
    if (--*missing == 0) relauncher_->start(coming, order, finish);
  };
  for (const SavedWindow& window : std::vector(shared->closed)) {
    close_window(window.number, [one_less](bool) { one_less(); });
  }
  one_less();
}

void FsManager::restore_at_start(const std::string& name) {
  const auto session = saved_sessions_->load(name);
  if (!session) {
    // A wall that is started for the first time.
    const bool first =
        name == Autosave::kName && session.error().code == sail::ErrorCode::kNotFound;
    if (!first) log_.warning("nothing is restored: {}", session.error().message);
    return;
  }
  autosave_->hold(true);
  SavedWall wall = renumbered(*session);
  spread(arrangement_.apply({.partitions = wall.partitions}, {}));
  log_.info("restoring session '{}': {} windows", name, wall.windows.size());
  expected_.expect(std::move(wall.windows));
  return_.start(session->ended ? 0 : options_.times.return_ms, 0, [this] { start_expected(); });
}

void FsManager::start_expected() {
  std::vector<Window> came_back;
  for (const Window& window : windows().bottom_to_top()) {
    const Session* owner = find_session(window.owner);
    if (owner != nullptr && !players_->started(owner->token())) came_back.push_back(window);
  }
  std::vector<SavedWindow> rest = expected_.take_rest(came_back);
  relauncher_->start(std::move(rest), expected_.order(), [this](const Relaunched& result) {
    for (const Relaunched::Failure& failure : result.failed) {
      log_.warning("'{}' did not come back: {}", failure.title, failure.why);
    }
    autosave_->hold(ending_since_ns_ != 0);
    autosave_->wall_changed();
  });
}

}  // namespace manager
