#include "manager/sessions/undo_steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"

namespace manager {

UndoSteps::UndoSteps(Desk& desk, const WallArchive& archive, WindowExchange& exchange,
                     RestoreSource restore_source)
    : desk_(desk),
      archive_(archive),
      exchange_(exchange),
      restore_source_(std::move(restore_source)) {}

void UndoSteps::take_step(bool back, const Author& author, StepTaken done) {
  if (exchange_.in_progress()) {
    done(sail::fail(sail::ErrorCode::kConflict,
                    "an earlier step is not complete: its windows are still opening or closing"));
    return;
  }
  std::optional<StepReport> report;
  std::vector<uint32_t> going;
  std::vector<SavedWindow> coming;
  std::vector<uint32_t> stack;
  std::optional<RemovedSource> removed;
  desk_.change([&](Arrangement& arrangement) {
    HistoryEntry* entry =
        author.only_own ? arrangement.take_own_step(back, author) : arrangement.take_step(back);
    if (entry == nullptr) return;
    report = {entry->author.name, entry->what};
    if (back) removed = std::exchange(entry->removed, std::nullopt);
    arrangement.apply(back ? entry->before : entry->after, author);
    for (SavedWindow& window : back ? entry->opened : entry->closed) {
      const Window* now = desk_.windows().find(window.number);
      if (now == nullptr) continue;
      window = archive_.state_of(*now);
      going.push_back(window.number);
    }
    coming = back ? entry->closed : entry->opened;
    stack = entry->stack;
    if (!going.empty()) entry->stack = desk_.windows().order();
  });
  if (!report) {
    done(sail::fail(
        sail::ErrorCode::kNotFound,
        fmt::format("there is nothing {}{}", back ? "to undo" : "to redo",
                    author.only_own ? ": you can undo and redo only your own actions" : "")));
    return;
  }
  if (removed) {
    restore_source_(*removed, [report = *report, done](const sail::Result<void>& restored) {
      done(restored.map([&] { return report; }));
    });
    return;
  }
  exchange_.run(going, std::move(coming), std::move(stack),
                [report = *report, done = std::move(done)](const RestartResult& result) mutable {
                  report.failed = result.failed;
                  done(report);
                });
}

void UndoSteps::close(const std::vector<uint32_t>& numbers, const Author& author,
                      Desk::Closed done) {
  HistoryEntry entry{.author = author};
  entry.stack = desk_.windows().order();
  for (const uint32_t number : numbers) {
    const Window& window = *desk_.windows().find(number);
    // A window that already closes, or that comes or goes with a scene, belongs to another step.
    // A curtain belongs to none, as blanking is not in the history.
    if (desk_.closes(number) || window.unsaved || window.is_curtain()) continue;
    entry.closed.push_back(archive_.state_of(window));
  }
  desk_.close(numbers,
              [this, entry = std::move(entry), done = std::move(done)](const auto& forced) {
                record_closed(entry);
                done(forced);
              });
}

void UndoSteps::record_closed(HistoryEntry entry) {
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

void UndoSteps::record_opened(uint32_t number, const Author& author, const LayoutChange& room) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.set_author(number, author);
    const Window& window = *desk_.windows().find(number);
    HistoryEntry entry{.author = author};
    entry.what = fmt::format("opened '{}'", window.title);
    entry.opened = {archive_.state_of(window)};
    entry.stack = desk_.windows().order();
    entry.before = arrangement.apply(room, author);
    entry.after = arrangement.now(entry.before);
    arrangement.history().add(std::move(entry));
  });
}

void UndoSteps::replace(uint32_t former, uint32_t number, const Author& author) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.set_author(number, author);
    const Window& old = *desk_.windows().find(former);
    HistoryEntry entry{.author = author};
    entry.what =
        fmt::format("replaced '{}' with '{}'", old.title, desk_.windows().find(number)->title);
    entry.closed = {archive_.state_of(old)};
    entry.opened = {archive_.state_of(*desk_.windows().find(number))};
    std::vector<uint32_t> order = desk_.windows().order();
    std::erase(order, number);
    order.insert(std::ranges::find(order, former) + 1, number);
    LayoutChange change{.order = order};
    if (!old.decorates()) {
      WindowPlacement& placement = change.windows[number] = old.placement();
      // Rotation, crop and stereo were chosen for the former picture.
      placement.look = desk_.windows().find(number)->look;
      placement.look->opacity = old.look.opacity;
    }
    const std::string group = old.group;
    arrangement.set_cover(number, {.blank = old.cover.blank});
    arrangement.apply(change, author);
    entry.stack = std::move(order);
    arrangement.history().add(std::move(entry));
    if (desk_.windows().find(number)->group.empty()) exchange_.join(number, group);
  });
  desk_.close({former}, [](const auto& /*forced*/) {});
}

}  // namespace manager
