// The wall's windows and partitions, and the undo history of changes to them. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "manager/wall/history.h"
#include "manager/wall/partitions.h"
#include "manager/wall/tile_gaps.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/receiver_messages.h"

namespace manager {

// The parts of the state that changes have touched, for notifications.
struct Touched {
  std::vector<uint32_t> windows;  // Opened or changed.
  std::vector<uint32_t> streams;  // Windows whose stream is new, was replaced, or has a new owner.
  std::vector<uint32_t> removed;
  bool order = false;
  bool partitions = false;
  bool drawing = false;  // The drawing on the wall changed.
  bool history = false;
  bool switches = false;
  bool layout = false;  // Receivers need a new scene.
  int fade_ms = 0;      // Duration of the fade to that scene; 0: a cut.

  bool operator==(const Touched&) const = default;
  bool nothing() const { return *this == Touched{}; }
};

class Arrangement {
 public:
  explicit Arrangement(sail::Size wall_size, TileGaps gaps = {})
      : wall_size_(wall_size), gaps_(std::move(gaps)) {}

  sail::Size wall_size() const { return wall_size_; }
  const WindowStack& windows() const { return windows_; }
  const Partitions& partitions() const { return partitions_; }
  // The strokes on the wall.
  const Drawing& drawing() const { return drawing_; }
  const History& history() const { return history_; }
  const WallSwitches& switches() const { return switches_; }
  void set(const WallSwitches& switches);
  // Returns the window's volume times the master volume, 0 to 1.
  double chosen_volume(const Window& window) const {
    return window.sound.audible() * switches_.sound.audible();
  }
  // Whether the window is silent because it is hidden, blanked, or frozen without sound. A window
  // in a blanked area is blanked if all of it is in the area.
  bool silenced(const Window& window) const;
  double audible_volume(const Window& window) const {
    return silenced(window) ? 0 : chosen_volume(window);
  }
  // Whether the wall, area or window that the curtain covers is blank.
  bool is_blank(const Decoration& curtain) const;
  // What people have blanked, apart from windows that are black without a text.
  std::vector<sail::SceneBlank> blanks() const;
  // Returns the history for modification and marks it as changed.
  History& history();

  // See WindowStack::open().
  sail::Result<const Window*> open(Window window);
  // See WindowStack::replace(). People's settings of the window stay: the new picture is fitted
  // into the window's place.
  const Window& replace(uint32_t number, Window window);
  void remove(uint32_t number);
  // Like remove(), for a window that nobody closed. Drops the undo steps about this window and
  // notes in the history that it left the wall.
  void lose(uint32_t number);
  uint32_t reserve_number() { return windows_.reserve_number(); }
  void skip_number(uint32_t number) { windows_.skip_number(number); }
  // The stream's application has reconnected as the peer `owner`.
  void set_owner(uint32_t number, uint32_t stream, uint64_t owner);
  // See WindowStack::replace_part().
  void replace_part(uint32_t number, size_t rank, WindowPart part);
  // Marks the parts of a window that belong to `owner` as gone. since_s: seconds since 1970.
  void lose_parts(uint32_t number, uint64_t owner, int64_t since_s);
  // Sets whether a rank delivers no frames. Returns false if the rank has this state already.
  bool set_silent(uint32_t number, size_t rank, bool silent, int64_t since_s);
  // Marks the application as lost; the window stays.
  void set_lost(uint32_t number, LostProgram lost);
  // Returns a window to update its statistics, which is not reported as a change; null: none.
  Window* find(uint32_t number) { return windows_.find(number); }
  void set_playback(uint32_t number, const sail::Playback& playback);
  // An empty name removes the window from its group.
  void set_group(uint32_t number, const std::string& name);
  void set_author(uint32_t number, const Author& author);
  void set_cover(uint32_t number, const WindowCover& cover);
  // Does nothing if the window is gone.
  void set_driver(uint32_t number, std::optional<Driver> driver);
  // Does nothing if the window is gone.
  void set_unsaved(uint32_t number, bool unsaved);

  // Applies a change as one undo step. Skips windows that do not exist. Returns false, without a
  // step, if nothing changes.
  bool change(const LayoutChange& wanted, const UndoLabel& undo_label, const Author& author);
  // Like change(), without an undo step. Returns the former state of everything that changed.
  LayoutChange apply(const LayoutChange& wanted, const Author& author);
  // Returns the next step to undo (back) or redo; null if no step would make a difference now.
  const HistoryEntry* next_step(bool back) const;
  // Returns the step that take_own_step() or, if the author may change all windows, take_step()
  // would take.
  const HistoryEntry* next_step(bool back, const Author& author) const;
  // Returns the same step and marks it as undone or redone. Valid until the history's next change.
  HistoryEntry* take_step(bool back);
  // Like take_step(), for the author's steps about the author's windows. Others' steps stay.
  HistoryEntry* take_own_step(bool back, const Author& author);
  // Call regularly. Releases a held window kHoldTicks calls after its client last moved it.
  static constexpr int kHoldTicks = 40;
  bool anything_held() const { return !holds_.empty(); }
  void tick_holds();
  // Returns the current state of everything that `named` mentions.
  LayoutChange now(const LayoutChange& named) const;
  // All clients have received the current history.
  void mark_history_reported() { history_.mark_reported(); }

  // Returns the changes since the last call and clears them.
  Touched take_touched() { return std::exchange(touched_, {}); }

 private:
  bool would_change(const LayoutChange& wanted, bool with_order) const;
  // with_order: the stacking order counts.
  bool matters(const HistoryEntry& entry, bool back, bool with_order = true) const;
  // Whether a step is the author's, about the author's windows, and would make a difference.
  History::Predicate own_steps(bool back, const Author& author) const;
  bool is_about(const HistoryEntry& entry, bool back, const std::string& opener) const;
  void hold(uint32_t number, const Author& author);
  void release(uint32_t number);
  // Releases all windows that the client holds, because it now does something else.
  void release_all_of(uint64_t client);
  // Adjusts the placement to the picture's current shape, which may differ from the stored one.
  WindowPlacement fitted(const Window& window, WindowPlacement placement) const;
  // Adds the decorations of partitions that have changed since `former`, except those named.
  void add_followers(const Partitions& former,
                     std::map<uint32_t, WindowPlacement>& placements) const;
  void find_partition(Window& window) const;
  void find_partitions();
  // Puts the curtains of windows over their windows. Not a change that is recorded.
  void move_curtains();

  sail::Size wall_size_;
  TileGaps gaps_;
  WindowStack windows_;
  Partitions partitions_;
  Drawing drawing_;
  History history_;
  WallSwitches switches_;
  Touched touched_;
  std::map<uint32_t, int> holds_;  // Ticks until release, by held window.
};

}  // namespace manager
