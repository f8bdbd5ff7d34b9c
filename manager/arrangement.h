// What stands on the wall and how people arrange it: the windows, the partitions, and the history
// of what was done to them. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "manager/history.h"
#include "manager/partitions.h"
#include "manager/window_stack.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace manager {

// What changes touched, for telling others.
struct Touched {
  std::vector<uint32_t> windows;  // opened or changed
  std::vector<uint32_t> streams;  // those of them that show another stream, or their first
  std::vector<uint32_t> removed;
  bool order = false;
  bool partitions = false;
  bool history = false;
  bool layout = false;  // tiles show other windows, or the same elsewhere

  bool operator==(const Touched&) const = default;
  bool nothing() const { return *this == Touched{}; }
};

class Arrangement {
 public:
  explicit Arrangement(sail::Size wall_size) : wall_size_(wall_size) {}

  sail::Size wall_size() const { return wall_size_; }
  const WindowStack& windows() const { return windows_; }
  const Partitions& partitions() const { return partitions_; }
  const History& history() const { return history_; }
  // To change it.
  History& history();

  // As WindowStack's.
  sail::Result<const Window*> open(Window window);
  // As WindowStack's; what people have decided of the window stays, but for its place.
  const Window& replace(uint32_t number, Window window);
  void remove(uint32_t number);
  // The same for one that nobody closed: the history tells of it, and knows that no step brings it
  // back.
  void lose(uint32_t number);
  uint32_t reserve_number() { return windows_.reserve_number(); }
  void skip_number(uint32_t number) { windows_.skip_number(number); }
  // The application of that stream of it is there again, as another peer.
  void set_owner(uint32_t number, uint32_t stream, uint64_t owner);
  // As WindowStack's.
  void replace_part(uint32_t number, size_t rank, WindowPart part);
  // Of a window of parts: that application's are gone since then, seconds since 1970.
  void lose_parts(uint32_t number, uint64_t owner, int64_t since_s);
  // It is silent, or is no more. False: it is so already.
  bool set_silent(uint32_t number, size_t rank, bool silent, int64_t since_s);
  // Its application is gone, and the window stays.
  void set_lost(uint32_t number, LostProgram lost);
  // For what nobody arranges, and nobody is told of as a change: its figures.
  Window* find(uint32_t number) { return windows_.find(number); }
  void set_playback(uint32_t number, const sail::Playback& playback);
  // That it is a member of; empty: of none.
  void set_group(uint32_t number, const std::string& name);
  void set_author(uint32_t number, const Author& author);

  // Windows that are not here are passed over. False: it changes nothing, and is no step.
  bool change(const LayoutChange& wanted, const Deed& deed, const Author& author);
  // Like change, but no step of the history: what has changed, as it was.
  LayoutChange apply(const LayoutChange& wanted, const Author& author);
  // The step of the history that would be taken back (back), or done again; null when there is none
  // that would make a difference now.
  const HistoryEntry* next_step(bool back) const;
  // The same, which now counts as taken back or done. Good until the history's next change.
  HistoryEntry* take_step(bool back);
  // The same of the author's steps that are about the author's windows only. Others' steps stay.
  HistoryEntry* take_own_step(bool back, const Author& author);
  // Time passes, by kHoldTicks at most until nobody holds a window that its client no longer moves.
  static constexpr int kHoldTicks = 40;
  bool anything_held() const { return !holds_.empty(); }
  void tick_holds();
  // All that is named there, as it is now.
  LayoutChange now(const LayoutChange& named) const;
  // All clients know the history as it is.
  void mark_history_told() { history_.mark_told(); }

  // By all of these since the last call.
  Touched take_touched() { return std::exchange(touched_, {}); }

 private:
  bool would_change(const LayoutChange& wanted, bool with_order) const;
  // with_order: the order of the stack counts.
  bool matters(const HistoryEntry& entry, bool back, bool with_order = true) const;
  bool is_about(const HistoryEntry& entry, const std::string& opener) const;
  void hold(uint32_t number, const Author& author);
  void release(uint32_t number);
  // It does something else.
  void release_all_of(uint64_t client);
  void find_partition(Window& window) const;
  void find_partitions();

  sail::Size wall_size_;
  WindowStack windows_;
  Partitions partitions_;
  History history_;
  Touched touched_;
  std::map<uint32_t, int> holds_;  // windows that are held: ticks until they are not
};

}  // namespace manager
