// What stands on the wall and how people arrange it: the windows, the partitions, and the history
// of what was done to them. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "manager/history.h"
#include "manager/partitions.h"
#include "manager/window_stack.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace manager {

// What a step changed, for telling others.
struct Touched {
  std::vector<uint32_t> windows;
  bool order = false;
  bool partitions = false;
  bool history = false;

  bool layout() const { return !windows.empty() || order; }
  bool nothing() const { return !layout() && !partitions && !history; }
};

class Arrangement {
 public:
  explicit Arrangement(sail::Size wall_size) : wall_size_(wall_size) {}

  sail::Size wall_size() const { return wall_size_; }
  const WindowStack& windows() const { return windows_; }
  const Partitions& partitions() const { return partitions_; }
  const History& history() const { return history_; }
  History& history() { return history_; }

  // As WindowStack's.
  sail::Result<Window*> open(Window window);
  // As WindowStack's; what people have decided of the window stays, but for its place.
  Window* replace(uint32_t number, Window window);
  bool remove(uint32_t number) { return windows_.remove(number); }
  uint32_t reserve_number() { return windows_.reserve_number(); }
  // For what nobody arranges: its figures.
  Window* find(uint32_t number) { return windows_.find(number); }

  // Windows that are not here are passed over. A change that changes nothing is no step.
  Touched change(const LayoutChange& wanted, const Deed& deed, const Author& author);
  // Like change, but no step of the history. before: if not null, gets what has changed, as it was.
  Touched apply(const LayoutChange& wanted, const Author& author, LayoutChange* before = nullptr);
  // The step of the history that would be taken back (back), or done again; null when there is none
  // that would make a difference now.
  const HistoryEntry* next_step(bool back) const;
  // The same, which now counts as taken back or done. Good until the history's next change.
  HistoryEntry* take_step(bool back);
  // All that is named there, as it is now.
  LayoutChange now(const LayoutChange& named) const;

 private:
  bool would_change(const LayoutChange& wanted) const;
  bool matters(const HistoryEntry& entry, bool back) const;
  void find_partition(Window& window) const;

  sail::Size wall_size_;
  WindowStack windows_;
  Partitions partitions_;
  History history_;
};

}  // namespace manager
