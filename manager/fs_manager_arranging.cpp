// What people do with the FsManager's windows: steps of the history.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "manager/fs_manager.h"

namespace manager {

bool FsManager::change_layout(const LayoutChange& wanted, const Deed& deed, const Session& ui) {
  const Touched touched = arrangement_.change(wanted, deed, clients_.author(ui.id()));
  spread(touched);
  return !touched.nothing();
}

void FsManager::spread(const Touched& touched) {
  if (touched.nothing()) return;
  for (const uint32_t number : touched.windows) changes_.window_changed(number);
  if (touched.order) changes_.order_changed();
  if (touched.partitions) changes_.part_changed(StatePart::kPartitions);
  if (touched.history) changes_.part_changed(StatePart::kHistory);
  changes_pending();
  if (touched.layout()) layout_changed();
}

void FsManager::part_changed(StatePart part) {
  changes_.part_changed(part);
  publish_soon();
}

void FsManager::announce(const Session& ui) {
  if (clients_.subscribe(ui.id())) part_changed(StatePart::kClients);
}

void FsManager::close_windows(const std::vector<uint32_t>& numbers, const Session& ui,
                              WindowsClosed done) {
  struct Step {
    HistoryEntry entry;
    std::vector<uint32_t> forced;
    size_t missing;
    WindowsClosed done;
  };
  const auto step = std::make_shared<Step>(Step{.entry = {.author = clients_.author(ui.id())},
                                                .forced = {},
                                                .missing = numbers.size(),
                                                .done = std::move(done)});
  step->entry.stack = windows().order();
  for (const uint32_t number : numbers) {
    // What closes already is another step's, whoever else asks.
    if (closings_.contains(number)) continue;
    step->entry.closed.push_back(saved(*windows().find(number)));
  }
  for (const uint32_t number : numbers) {
    close_window(number, [this, number, step](bool forced) {
      if (forced) step->forced.push_back(number);
      if (--step->missing > 0) return;
      record_closed(std::move(step->entry));
      step->done(step->forced);
    });
  }
}

void FsManager::record_closed(HistoryEntry entry) {
  if (entry.closed.empty()) return;
  const size_t count = entry.closed.size();
  entry.what = count == 1 ? fmt::format("closed '{}'", entry.closed.front().title)
                          : fmt::format("closed {} windows", count);
  History& history = arrangement_.history();
  if (std::ranges::any_of(entry.closed,
                          [](const auto& window) { return window.content.has_value(); })) {
    history.add(std::move(entry));
  } else {  // nobody can bring them back
    for (const SavedWindow& window : entry.closed) history.forget(window.number);
    history.note(entry.author, entry.what);
  }
  part_changed(StatePart::kHistory);
}

void FsManager::forget_window(const Window& window) {
  const bool known = arrangement_.history().forget(window.number);
  if (!known && !window.content) return;
  const bool ended = window.playback && window.playback->ended;
  if (!ended) arrangement_.history().note({}, fmt::format("'{}' left the wall", window.title));
  part_changed(StatePart::kHistory);
}

void FsManager::play(const PlayRequest& request, const Author& author, Players::Started started) {
  players_->play(
      request, [this, author, started = std::move(started)](const sail::Result<uint32_t>& number) {
        if (number) record_opened(*number, author);
        started(number);
      });
}

void FsManager::record_opened(uint32_t number, const Author& author) {
  Window& window = *arrangement_.find(number);
  window.changed_by = author.name;
  window_changed(number);
  HistoryEntry entry{.author = author};
  entry.what = fmt::format("opened '{}'", window.title);
  entry.opened = {saved(window)};
  entry.stack = windows().order();
  if (const auto room = room_for_.extract(number)) {
    spread(arrangement_.apply(room.mapped(), author, &entry.before));
    entry.after = arrangement_.now(entry.before);
  }
  arrangement_.history().add(std::move(entry));
  part_changed(StatePart::kHistory);
}

// --- the history

void FsManager::undo(const Session& ui, StepTaken done) {
  take_step(true, ui, std::move(done));
}

void FsManager::redo(const Session& ui, StepTaken done) {
  take_step(false, ui, std::move(done));
}

void FsManager::take_step(bool back, const Session& ui, StepTaken done) {
  if (stepping_) {
    done(sail::fail(sail::ErrorCode::kConflict,
                    "the step before is still under way: its windows open or close"));
    return;
  }
  HistoryEntry* entry = arrangement_.take_step(back);
  if (entry == nullptr) {
    done(sail::fail(sail::ErrorCode::kNotFound,
                    back ? "there is nothing to undo" : "there is nothing to do again"));
    return;
  }
  spread(arrangement_.apply(back ? entry->before : entry->after, clients_.author(ui.id())));
  part_changed(StatePart::kHistory);
  exchange_windows(*entry, back, {entry->author.name, entry->what}, std::move(done));
}

void FsManager::exchange_windows(HistoryEntry& entry, bool back, Told told, StepTaken done) {
  const auto result = std::make_shared<Told>(std::move(told));
  const auto missing = std::make_shared<size_t>(1);
  const auto one_less = [this, result, missing, done = std::move(done)] {
    if (--*missing > 0) return;
    stepping_ = false;
    part_changed(StatePart::kHistory);  // what would make a difference may be another step now
    done(*result);
  };
  stepping_ = true;
  const std::vector<uint32_t> stack = windows().order();
  std::vector<uint32_t> going;
  for (SavedWindow& window : back ? entry.opened : entry.closed) {
    const Window* now = windows().find(window.number);
    if (now == nullptr) continue;
    window = saved(*now);
    going.push_back(window.number);
  }
  std::vector<SavedWindow> coming = back ? entry.closed : entry.opened;
  const std::vector<uint32_t> old_stack =
      going.empty() ? entry.stack : std::exchange(entry.stack, stack);
  *missing += going.size();
  for (const uint32_t number : going) close_window(number, [one_less](bool) { one_less(); });
  relauncher_->start(std::move(coming), old_stack,
                     [result, one_less](const Relaunched& relaunched) {
                       result->failed = relaunched.failed;
                       one_less();
                     });
}

// In the place of the window that it was, for the history, too.
void FsManager::bring_back(const SavedWindow& saved, uint32_t number,
                           const std::vector<uint32_t>& order) {
  arrangement_.history().renumber(saved.number, number);
  spread(arrangement_.apply({.windows = {{number, saved.standing}}, .order = order}, {}));
}

// Where it was in its film, the player was told when it was started.
void FsManager::resume_playback(const SavedWindow& saved, uint32_t number) {
  if (!saved.playback) return;
  const Window& window = *windows().find(number);
  if (saved.playback->rate != 1) send_event(window, "rate", saved.playback->rate);
  if (saved.playback->volume) send_event(window, "volume", *saved.playback->volume);
  if (saved.playback->page > 0) send_event(window, "page", saved.playback->page);
  if (saved.playback->paused) send_event(window, "pause", 0);
}

}  // namespace manager
