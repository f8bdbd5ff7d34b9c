// The undo history of the wall, shared by all clients. An entry stores only what it changed, so
// undoing it leaves everything else alone. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/drawing.h"
#include "manager/wall/partitions.h"
#include "manager/wall/step.h"
#include "manager/wall/window_stack.h"

namespace manager {

// A change to the wall. What it does not name stays as it is.
struct LayoutChange {
  std::map<uint32_t, WindowPlacement> windows{};
  std::optional<std::vector<uint32_t>> order{};  // Bottom to top, see WindowStack::reorder().
  std::optional<Partitions> partitions{};
  std::optional<Drawing> drawing{};  // On the wall.

  bool empty() const { return windows.empty() && !order && !partitions && !drawing; }
};

// The description of a step: "moved 'Film'", "moved 3 windows", or just `verb`.
struct UndoLabel {
  std::string verb;
  std::string rest{};  // Follows the windows: " into tile 'r'".
  bool names_windows = true;
  std::string gesture{};  // Consecutive steps of a client with one gesture are merged.
};

struct HistoryEntry {
  uint64_t number = 0;  // From 1.
  bool note = false;    // Not a step: an event that cannot be undone.
  Author author{};
  std::string gesture{};
  std::string what{};
  int64_t at_s = 0;  // Seconds since 1970; 0: saved by an older version.
  LayoutChange before{};
  LayoutChange after{};
  std::vector<SavedWindow> closed{};  // Windows closed by this step.
  std::vector<SavedWindow> opened{};  // Windows opened by this step.
  // Source removed by this step. Undo restores it; redo does not remove it again.
  std::optional<RemovedSource> removed{};
  // Stacking order when these windows were last open, bottom to top.
  std::vector<uint32_t> stack{};
};

class History {
 public:
  static constexpr size_t kMostEntries = 200;
  static constexpr size_t kMostBytes = 16 << 20;  // Approximate.
  static constexpr size_t kMostNotes = 20;

  // Records a step. `before` and `after` name the same objects. title: the title of one of its
  // windows. Steps that were undone can no longer be redone. Returns false if the step was merged
  // into an entry of the same gesture and clients need no update of the history.
  bool record(const Author& author, const UndoLabel& undo_label, const std::string& title,
              LayoutChange before, LayoutChange after);
  // Adds a step with other effects, such as closed windows. Sets its number and time.
  void add(HistoryEntry entry);
  // Adds a note. Keeps only the newest kMostNotes notes. Undone steps can still be redone.
  void note(const Author& author, std::string what);

  // Whether a step would make a difference now.
  using Predicate = std::function<bool(const HistoryEntry&)>;
  // Returns the next step that matters to undo (back) or redo; null: none. take() marks it, and the
  // steps that it skips, as undone or redone. Valid until the next call.
  const HistoryEntry* next(bool back, const Predicate& matters) const;
  HistoryEntry* take(bool back, const Predicate& matters);
  // Like take(), for a step out of order. The steps that it skips keep their state. The step moves
  // behind them, and it and all later entries get new numbers.
  HistoryEntry* take_alone(bool back, const Predicate& matters);
  // Drops the steps after this number, undone ones as well. Notes stay.
  void drop_after(uint64_t number);
  // A window gets another number.
  void renumber(uint32_t old_number, uint32_t new_number);
  // A window is gone and no step can restore it: drops the steps about this window alone. Returns
  // false if no step mentioned it.
  bool forget(uint32_t number);
  // Replaces this history by an earlier manager's. Its first `done` entries are not undone.
  void adopt(std::vector<HistoryEntry> entries, size_t done);

  // Oldest first. Entries from index done() on are undone steps, or notes.
  const std::deque<HistoryEntry>& entries() const { return entries_; }
  size_t done() const { return done_; }
  // Number of the newest entry; 0: none.
  uint64_t newest() const { return last_number_; }
  // Number of the newest entry that is not undone; 0: none.
  uint64_t done_up_to() const { return done_ == 0 ? 0 : entries_[done_ - 1].number; }
  // Clients have the entries up to this number. done_up_to() tells them which are undone.
  uint64_t reported_up_to() const { return reported_up_to_; }
  // Clients have all entries.
  void mark_reported() { reported_up_to_ = last_number_; }

 private:
  // Returns the client's newest entry if it has this gesture; null: none.
  HistoryEntry* gesture_of(const Author& author, const std::string& gesture);
  std::optional<size_t> find(bool back, const Predicate& matters) const;
  template <typename IsRemoved>
  void remove_from(size_t first, const IsRemoved& is_removed);
  void keep_bounds();

  std::deque<HistoryEntry> entries_;
  size_t done_ = 0;
  size_t bytes_ = 0;  // of all entries, or more, because entries were dropped or became smaller
  uint64_t last_number_ = 0;
  uint64_t reported_up_to_ = 0;
};

}  // namespace manager
