#include "manager/sessions/session_restore.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "manager/peers/opener.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/sessions/saved_wall.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"
#include "sail/core/wire/application_messages.h"

namespace manager {
namespace {

// Finds the windows of the session that are open but could not be restarted, by title and
// application. Gives the saved ones the current numbers.
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

SessionRestore::SessionRestore(sail::Loop& loop, int64_t return_ms, Peers& peers, Desk& desk,
                               const Players& players, WallArchive& archive,
                               WindowExchange& exchange, ExpectedWindows& expected,
                               const sail::Log& log)
    : return_ms_(return_ms),
      peers_(peers),
      desk_(desk),
      players_(players),
      archive_(archive),
      exchange_(exchange),
      expected_(expected),
      return_(loop),
      log_(log) {}

// Numbers of earlier managers are not valid here, except at the start of this one: windows that
// continue then keep their numbers.
SavedWall SessionRestore::renumbered(SavedWall wall, bool keep) {
  const bool same_wall = wall.wall_size == desk_.wall().size;
  wall = on_wall_of(std::move(wall), desk_.wall().size);
  desk_.change([&](Arrangement& arrangement) {
    std::map<uint32_t, uint32_t> numbers;
    for (SavedWindow& window : wall.windows) {
      const uint32_t former = window.number;
      if (keep) {
        arrangement.skip_number(former);
      } else {
        window.number = arrangement.reserve_number();
        window.placement.hidden = false;
      }
      numbers.emplace(former, window.number);
    }
    const bool first = desk_.arrangement().history().entries().empty();
    if (first && same_wall && !wall.history.is_null()) {
      adopt_history(arrangement, wall.history, numbers);
    }
  });
  return wall;
}

void SessionRestore::adopt_history(Arrangement& arrangement, const sail::Json& saved,
                                   const std::map<uint32_t, uint32_t>& numbers) {
  auto history = saved_history_from_json(saved);
  if (!history) {
    log_.warning("cannot restore the undo history: {}", history.error().message);
    return;
  }
  renumber(*history, numbers, [&] { return arrangement.reserve_number(); });
  arrangement.history().adopt(std::move(history->entries), history->done);
}

void SessionRestore::restore(const std::string& name, const Author& author, Restored done) {
  const auto session = archive_.saved(SavedKind::kSession).load(name);
  if (!session) {
    done(session.error());
    return;
  }
  if (exchange_.in_progress()) {
    done(sail::fail(sail::ErrorCode::kConflict,
                    "an earlier step is not complete: its windows are still opening or closing"));
    return;
  }
  archive_.pause_autosave();
  SavedWall wall = renumbered(*session, false);
  const std::set<uint32_t> kept = keep_present(wall.windows, desk_.windows());

  HistoryEntry entry{.author = author, .what = fmt::format("restored session '{}'", name)};
  entry.stack = desk_.windows().order();
  entry.after.partitions = wall.partitions;
  std::vector<SavedWindow> coming;
  std::vector<uint32_t> order;
  for (SavedWindow& window : wall.windows) {
    order.push_back(window.number);
    if (kept.contains(window.number)) {
      entry.after.windows.emplace(window.number, window.placement);
    } else {
      coming.push_back(std::move(window));
    }
  }
  entry.before = desk_.change(
      [&](Arrangement& arrangement) { return arrangement.apply(entry.after, author); });
  std::vector<uint32_t> going;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    // An event hides windows for later.
    if (kept.contains(window.number) || window.hidden || window.is_curtain()) continue;
    entry.closed.push_back(archive_.state_of(window));
    going.push_back(window.number);
  }
  exchange_.run(going, std::move(coming), std::move(order),
                [this, entry = std::move(entry),
                 done = std::move(done)](const RestartResult& result) mutable {
                  for (const uint32_t number : result.started) {
                    const Window* window = desk_.windows().find(number);
                    if (window != nullptr) entry.opened.push_back(archive_.state_of(*window));
                  }
                  desk_.change([&](Arrangement& arrangement) {
                    arrangement.history().add(std::move(entry));
                  });
                  archive_.resume_autosave();
                  done(result);
                });
}

void SessionRestore::restore_at_start(const std::string& name) {
  const auto session = archive_.saved(SavedKind::kSession).load(name);
  if (!session) {
    // This is the first start of the wall, or the damage is already logged.
    const bool first =
        name == Autosave::kName && session.error().code == sail::ErrorCode::kNotFound;
    if (!first && !archive_.saved(SavedKind::kSession).damage().contains(name)) {
      log_.warning("cannot restore the session: {}", session.error().message);
    }
    return;
  }
  has_autosave_ = name == Autosave::kName;
  desk_.refuse(session->refused);
  SavedWall wall = renumbered(*session, true);
  desk_.change([&](Arrangement& arrangement) {
    arrangement.apply({.partitions = wall.partitions, .drawing = wall.drawing}, {});
    if (wall.switches) arrangement.set(*wall.switches);
  });
  log_.info("restoring session '{}': {} windows", name, wall.windows.size());
  expected_.expect(std::move(wall.windows));
  return_.start(session->ended ? 0 : return_ms_, 0, [this] { start_expected(); });
}

std::optional<SavedWindow> SessionRestore::take_expected(const sail::ServicePeer& application,
                                                         const std::string& title) {
  return expected_.take(peers_.mark_of(application.id()), title, application.name());
}

bool SessionRestore::is_replaced(const sail::ServicePeer& application,
                                 const sail::OpenStream& open) {
  const std::string mark = peers_.mark_of(application.id());
  const bool started = is_program_key(application.key_name());
  // A person may start the same program again.
  if (!started) return open.resume && replaced_.take(mark, open.title, application.name());
  return !players_.started(application.key_name()) && !returned_.contains(mark) &&
         replaced_.shows(mark, open.content);
}

bool SessionRestore::has_returned(const sail::ServicePeer& application) const {
  return returned_.contains(peers_.mark_of(application.id()));
}

void SessionRestore::forget_decoration(const Decoration& place) {
  expected_.forget_decoration(place);
}

void SessionRestore::window_returned(const SavedWindow& expected, uint32_t number) {
  if (!expected.mark.empty()) returned_.insert(expected.mark);
  expected_.opened(expected.number, number);
  exchange_.restore_window(expected, number, expected_.order());
}

void SessionRestore::start_expected() {
  archive_.pause_autosave();
  starting_ = true;
  std::vector<Window> returned;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    const sail::ServicePeer* owner = peers_.find(window.owner);
    if (owner == nullptr || players_.started(owner->key_name())) continue;
    returned.push_back(window);
    if (is_program_key(owner->key_name())) returned_.insert(peers_.mark_of(window.owner));
  }
  std::vector<SavedWindow> rest = expected_.take_rest(returned);
  std::vector<SavedWindow> replaced;
  std::ranges::copy_if(rest, std::back_inserter(replaced),
                       [](const SavedWindow& window) { return window.content.has_value(); });
  replaced_.expect(std::move(replaced));
  const bool any = !rest.empty();
  exchange_.start(std::move(rest), expected_.order(), [this, any](const RestartResult& result) {
    starting_ = false;
    for (const RestartResult::Failure& failure : result.failed) {
      log_.warning("cannot restore '{}': {}", failure.title, failure.why);
      replaced_.forget(failure.window);
    }
    const bool nothing_came_back = any && desk_.windows().order().empty();
    if (nothing_came_back) {
      archive_.resume_autosave_with_window();
    } else {
      archive_.resume_autosave();
    }
  });
}

}  // namespace manager
