#include "manager/sessions/revival.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "manager/desk/groups.h"
#include "manager/desk/thumbnail_exchange.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/sessions/saved_history.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

StatePart part_of(SavedKind kind) {
  return kind == SavedKind::kLayout ? StatePart::kLayouts : StatePart::kSessions;
}

}  // namespace

Revival::Revival(sail::Loop& loop, const Options& options, Peers& peers, Desk& desk, Groups& groups,
                 Players& players, const ThumbnailExchange& thumbnails, ChangeFeed& changes,
                 const sail::Log& log)
    : options_(options),
      peers_(peers),
      desk_(desk),
      groups_(groups),
      players_(players),
      thumbnails_(thumbnails),
      changes_(changes),
      log_(log),
      layouts_(options.state_folder, SavedKind::kLayout, desk.wall().size, log),
      sessions_(options.state_folder, SavedKind::kSession, desk.wall().size, log),
      autosave_(loop, sessions_,
                {.wall = [this] { return for_next_manager(); },
                 .told = [this] { changes_.part_changed(StatePart::kSessions); },
                 .notice =
                     [this](const std::string& sentence) {
                       log_.warning("{}", sentence);
                       peers_.tell(sail::notification_line("notice", {{"message", sentence}}));
                     }}),
      relauncher_(
          players,
          [this](const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order) {
            bring_back(saved, number, order);
            resume_playback(saved, number);
          }),
      return_(loop) {}

// --- steps of the history

void Revival::take_step(bool back, const Author& author, StepTaken done) {
  if (stepping_) {
    done(sail::fail(
        sail::ErrorCode::kConflict,
        "the previous undo or redo is not complete: its windows are still opening or closing"));
    return;
  }
  std::optional<Report> told;
  std::vector<uint32_t> going;
  std::vector<SavedWindow> coming;
  std::vector<uint32_t> stack;
  std::optional<RemovedSource> removed;
  desk_.change([&](Arrangement& arrangement) {
    HistoryEntry* entry =
        author.only_own ? arrangement.take_own_step(back, author) : arrangement.take_step(back);
    if (entry == nullptr) return;
    told = {entry->author.name, entry->what};
    if (back) removed = std::exchange(entry->removed, std::nullopt);
    arrangement.apply(back ? entry->before : entry->after, author);
    for (SavedWindow& window : back ? entry->opened : entry->closed) {
      const Window* now = desk_.windows().find(window.number);
      if (now == nullptr) continue;
      window = saved(*now);
      going.push_back(window.number);
    }
    coming = back ? entry->closed : entry->opened;
    stack = entry->stack;
    if (!going.empty()) entry->stack = desk_.windows().order();
  });
  if (!told) {
    done(sail::fail(
        sail::ErrorCode::kNotFound,
        fmt::format("there is nothing {}{}", back ? "to undo" : "to redo",
                    author.only_own ? ": you can undo and redo only your own actions" : "")));
    return;
  }
  if (removed) {
    options_.restore_source(*removed, [told = *told, done](const sail::Result<void>& restored) {
      done(restored.map([&] { return told; }));
    });
    return;
  }
  exchange(going, std::move(coming), std::move(stack),
           [told = *told, done = std::move(done)](const RestartResult& relaunched) mutable {
             told.failed = relaunched.failed;
             done(told);
           });
}

void Revival::exchange(const std::vector<uint32_t>& going, std::vector<SavedWindow> coming,
                       std::vector<uint32_t> order, ProcessRestarter::Done done) {
  stepping_ = true;
  const auto finish = [this, done = std::move(done)](const RestartResult& relaunched) {
    stepping_ = false;
    // The next step that makes a difference may be another one now.
    changes_.part_changed(StatePart::kHistory);
    done(relaunched);
  };
  desk_.close(going, [this, coming = std::move(coming), order = std::move(order), finish](
                         const auto& /*forced*/) { relauncher_.start(coming, order, finish); });
}

void Revival::close(const std::vector<uint32_t>& numbers, const Author& author, Desk::Closed done) {
  HistoryEntry entry{.author = author};
  entry.stack = desk_.windows().order();
  for (const uint32_t number : numbers) {
    // A window that is already closing belongs to another step.
    if (!desk_.closes(number)) entry.closed.push_back(saved(*desk_.windows().find(number)));
  }
  desk_.close(numbers,
              [this, entry = std::move(entry), done = std::move(done)](const auto& forced) {
                record_closed(entry);
                done(forced);
              });
}

void Revival::record_closed(HistoryEntry entry) {
  if (entry.closed.empty()) return;
  const size_t count = entry.closed.size();
  entry.what = count == 1 ? fmt::format("closed '{}'", entry.closed.front().title)
                          : fmt::format("closed {} windows", count);
  desk_.change([&](Arrangement& arrangement) {
    History& history = arrangement.history();
    if (std::ranges::any_of(entry.closed,
                            [](const auto& window) { return window.content.has_value(); })) {
      history.add(std::move(entry));
      return;
    }
    // Nobody can restore these windows.
    for (const SavedWindow& window : entry.closed) history.forget(window.number);
    history.note(entry.author, entry.what);
  });
}

void Revival::record_opened(uint32_t number, const Author& author, const LayoutChange& room) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.set_author(number, author);
    const Window& window = *desk_.windows().find(number);
    HistoryEntry entry{.author = author};
    entry.what = fmt::format("opened '{}'", window.title);
    entry.opened = {saved(window)};
    entry.stack = desk_.windows().order();
    entry.before = arrangement.apply(room, author);
    entry.after = arrangement.now(entry.before);
    arrangement.history().add(std::move(entry));
  });
}

void Revival::replace(uint32_t former, uint32_t number, const Author& author) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.set_author(number, author);
    const Window& old = *desk_.windows().find(former);
    HistoryEntry entry{.author = author};
    entry.what =
        fmt::format("replaced '{}' with '{}'", old.title, desk_.windows().find(number)->title);
    entry.closed = {saved(old)};
    entry.opened = {saved(*desk_.windows().find(number))};
    std::vector<uint32_t> order = desk_.windows().order();
    std::erase(order, number);
    order.insert(std::ranges::find(order, former) + 1, number);
    WindowPlacement placement = old.placement();
    // Turning, cropping and stereo are about the former picture.
    placement.look = desk_.windows().find(number)->look;
    placement.look->opacity = old.look.opacity;
    const std::string group = old.group;
    arrangement.apply({.windows = {{number, placement}}, .order = order}, author);
    entry.stack = std::move(order);
    arrangement.history().add(std::move(entry));
    if (desk_.windows().find(number)->group.empty()) join(number, group);
  });
  desk_.close({former}, [](const auto& /*forced*/) {});
}

void Revival::bring_back(const SavedWindow& saved, uint32_t number,
                         const std::vector<uint32_t>& order) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.history().renumber(saved.number, number);
    arrangement.apply({.windows = {{number, saved.placement}}, .order = order}, {});
    join(number, saved.group);
  });
}

void Revival::join(uint32_t number, const std::string& group) {
  if (desk_.windows().find(number)->group == group) return;
  if (auto joined = groups_.put(group, {number}); !joined) {
    log_.info("window {} cannot join group '{}': {}", number, group, joined.error().message);
  }
}

// The player got its start position on its command line.
void Revival::resume_playback(const SavedWindow& saved, uint32_t number) {
  if (!saved.playback) return;
  const Window& window = *desk_.windows().find(number);
  const sail::Playback& playback = *saved.playback;
  if (playback.rate != 1) desk_.notify_application(window, "rate", playback.rate);
  if (playback.volume) desk_.notify_application(window, "volume", *playback.volume);
  if (playback.page > 0) desk_.notify_application(window, "page", playback.page);
  if (playback.paused) desk_.notify_application(window, "pause");
}

// --- the current wall

SavedWindow Revival::saved(const Window& window) const {
  SavedWindow saved = saved_window(window, desk_.clock().wall_now_ns());
  saved.mark = peers_.mark_of(window.owner);
  return saved;
}

SavedWall Revival::saved_now() const {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  SavedWall wall;
  wall.saved_at_s = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  wall.wall_size = desk_.wall().size;
  wall.partitions = desk_.arrangement().partitions();
  wall.ended = ending_;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    wall.windows.push_back(saved(window));
  }
  return wall;
}

SavedWall Revival::with_pictures(SavedWall wall) const {
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

SavedWall Revival::for_next_manager() const {
  SavedWall wall = with_pictures(saved_now());
  wall.history = to_json(desk_.arrangement().history());
  wall.switches = desk_.arrangement().switches();
  wall.refused = desk_.refused();
  expected_.add_to(wall.windows);
  return wall;
}

void Revival::watch_saved(
    const std::function<void(SavedKind kind, const std::string& name)>& on_changed) {
  for (const SavedKind kind : {SavedKind::kLayout, SavedKind::kSession}) {
    walls(kind).watch([kind, on_changed](const std::string& name) { on_changed(kind, name); });
  }
}

sail::Result<void> Revival::save(SavedKind kind, const std::string& name) {
  auto saved = walls(kind).save(name, with_pictures(saved_now()));
  if (saved) changes_.part_changed(part_of(kind));
  return saved;
}

sail::Result<void> Revival::remove(SavedKind kind, const std::string& name) {
  auto removed = walls(kind).remove(name);
  if (removed) changes_.part_changed(part_of(kind));
  return removed;
}

void Revival::wall_changed() {
  if (nothing_came_back_ && !desk_.windows().order().empty()) {
    nothing_came_back_ = false;
    autosave_.hold(ending_);
  }
  autosave_.wall_changed();
}

void Revival::end() {
  ending_ = true;
  autosave_.write();
  autosave_.hold(true);
}

std::vector<std::string> Revival::damage() const {
  std::vector<std::string> sentences;
  for (const SavedWalls* walls : {&sessions_, &layouts_}) {
    for (const auto& [name, sentence] : walls->damage()) sentences.push_back(sentence);
  }
  return sentences;
}

}  // namespace manager
