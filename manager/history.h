// What was done to the wall, by whom, and how to take it back: one history that all clients share.
// An entry holds only what it changed, so taking it back leaves alone what it did not touch. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/author.h"
#include "manager/partitions.h"
#include "manager/saved_window.h"
#include "manager/sources.h"
#include "manager/window_stack.h"

namespace manager {

// What is to change on the wall; what is not named stays.
struct LayoutChange {
  std::map<uint32_t, Standing> windows{};
  std::optional<std::vector<uint32_t>> order{};  // bottom to top, see WindowStack::reorder
  std::optional<Partitions> partitions{};

  bool empty() const { return windows.empty() && !order && !partitions; }
};

// A sentence about a step: "moved 'Film'", "moved 3 windows", or `verb` alone.
struct Deed {
  std::string verb;
  std::string rest{};  // follows the windows: " into tile 'r'"
  bool names_windows = true;
  std::string gesture{};  // a client's consecutive steps with the same one are one step
};

struct HistoryEntry {
  uint64_t number = 0;  // from 1
  bool note = false;    // tells of what nobody can take back: no step
  Author author{};
  std::string gesture{};
  std::string what{};
  int64_t at_s = 0;  // when, seconds since 1970; 0: an older manager kept it
  LayoutChange before{};
  LayoutChange after{};
  std::vector<SavedWindow> closed{};       // gone by this
  std::vector<SavedWindow> opened{};       // come by this
  std::optional<RemovedSource> removed{};  // from the list by this, which is undone but not redone
  std::vector<uint32_t> stack{};  // in which those stood, bottom to top, when they were there last
};

class History {
 public:
  static constexpr size_t kMostEntries = 200;
  static constexpr size_t kMostBytes = 16 << 20;  // about
  static constexpr size_t kMostNotes = 20;

  // A step of which `before` and `after` name the same things. title: of one of its windows. What
  // was undone before can't be done again from now on. False: it became part of an entry of the
  // same gesture, and nothing changes of what clients are told of the history.
  bool record(const Author& author, const Deed& deed, const std::string& title, LayoutChange before,
              LayoutChange after);
  // One that changed more than that; its number is given here.
  void add(HistoryEntry entry);
  // Only the newest kMostNotes are kept. What was undone can still be done again.
  void note(const Author& author, std::string what);

  // Whether a step would make a difference now.
  using Matters = std::function<bool(const HistoryEntry&)>;
  // The newest step that is not undone (back), or the oldest that is, and that matters; null when
  // there is none. Taken, it and those passed over count as undone, or done. Good until the next
  // call.
  const HistoryEntry* next(bool back, const Matters& matters) const;
  HistoryEntry* take(bool back, const Matters& matters);
  // The same for a step out of turn: those passed over stay done, or undone. It moves behind them,
  // and it and all behind it have new numbers.
  HistoryEntry* take_alone(bool back, const Matters& matters);
  // A window has another number from now on.
  void renumber(uint32_t old_number, uint32_t new_number);
  // A window is gone that no step brings back: so are the steps that were about it alone. False: no
  // step knew of it.
  bool forget(uint32_t number);
  // What a former manager kept, instead of this; the first `done` of it are not undone.
  void adopt(std::vector<HistoryEntry> entries, size_t done);

  // Oldest first; those from done() on are undone, or notes.
  const std::deque<HistoryEntry>& entries() const { return entries_; }
  size_t done() const { return done_; }
  // The number of the newest entry that is not undone; 0: there is none.
  uint64_t done_up_to() const { return done_ == 0 ? 0 : entries_[done_ - 1].number; }
  // The entries up to this number are those that clients know, but for what is undone of them.
  uint64_t told_up_to() const { return told_up_to_; }
  // Clients know all entries.
  void mark_told() { told_up_to_ = last_number_; }

 private:
  // Of a gesture that goes on, whatever other clients did meanwhile; null: a new one.
  HistoryEntry* gesture_of(const Author& author, const std::string& gesture);
  std::optional<size_t> find(bool back, const Matters& matters) const;
  template <typename Goes>
  void remove_from(size_t first, const Goes& goes);
  void keep_bounds();

  std::deque<HistoryEntry> entries_;
  size_t done_ = 0;
  uint64_t last_number_ = 0;
  uint64_t told_up_to_ = 0;
};

}  // namespace manager
