// When to paint, when to swap, when to take a snapshot. Pure: time is an argument.
//
// What is painted of two opaque windows never overlaps, and a swap shows only the rectangles that
// it painted. So several swaps may be painted and wait for their instants at the same time, unless
// they paint the same window or one of them changes the layout: those keep their order. A tile with
// a blended window is painted whole by every swap, so a frame may be seen there with the swap
// before its own. What a layout changes is not shown after it by frames of the layout before,
// though these may have been told first: elsewhere the layout was. Snapshots hold back the painting
// of what is to be shown after their instant.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "receiver/jobs.h"
#include "sail/base/geometry.h"
#include "sail/wire/limits.h"

namespace receiver {

struct PlannedSwap {
  Swap job;
  bool painted = false;
  int64_t paintable_ns = 0;  // since when it could have been painted; 0: not yet

  // Notes of who paints it.
  std::vector<EndedFrame> ended{};
  std::vector<std::unique_ptr<Frame>> released{};
  std::vector<std::vector<sail::Rect>> damage{};  // of each tile
  int64_t paint_ns = 0;                           // how long it took
};

class SwapSchedule {
 public:
  // Sooner before its instant nothing is painted: a layout that is to be shown before it may still
  // come.
  static constexpr int64_t kPaintAheadNs = sail::kMaxLeadNs + sail::kMessageLeadNs;
  explicit SwapSchedule(int64_t paint_ahead_ns = kPaintAheadNs) : paint_ahead_ns_(paint_ahead_ns) {}

  void add(Swap swap);
  void add(const TakeSnapshot& snapshot) { snapshots_.push_back(snapshot); }

  enum class Action { kPaint, kPresent, kSnapshot, kWait };
  struct Step {
    Action action = Action::kWait;
    PlannedSwap* swap = nullptr;  // kPaint, kPresent: good until shown()
    TakeSnapshot snapshot{};      // kSnapshot
    int64_t until_ns = 0;         // kWait; kForever when nothing is to come
  };
  static constexpr int64_t kForever = INT64_MAX;
  // A snapshot that has waited so long for swaps that were due before it is taken without them:
  // those after it wait for it.
  static constexpr int64_t kSnapshotPatienceNs = 1'000'000'000;
  // paint_ns: how long painting takes; it is not begun when that would make a painted swap late.
  // may_paint: whether any may be painted; when not, one that is painted must be waiting.
  Step next(int64_t now_ns, int64_t paint_ns, bool may_paint = true);

  // The swap is painted. How long that took, counted from when it could have begun: the time for
  // which an earlier swap held it back does not count, or the lead that the manager gives would
  // feed itself.
  int64_t painted(PlannedSwap& swap, int64_t now_ns);
  // The swap is shown, the snapshot is taken: forgets it.
  void shown(const PlannedSwap& swap, int64_t now_ns);
  void taken(const TakeSnapshot& snapshot, int64_t now_ns);

  // A later swap that is already due brings a frame of this stream too.
  bool overtaken(const PlannedSwap& swap, uint32_t stream, int64_t now_ns) const;
  // All that wait, oldest first.
  std::list<PlannedSwap>& swaps() { return swaps_; }

 private:
  void put_before_later(const PlannedSwap& layout);
  bool held_back(const PlannedSwap& swap) const;
  PlannedSwap* first_to_present();
  bool all_shown_until(int64_t at_ns) const;
  void let_go(int64_t now_ns);

  const int64_t paint_ahead_ns_;
  std::list<PlannedSwap> swaps_;  // in the order in which they came, but for layouts
  std::list<TakeSnapshot> snapshots_;
};

}  // namespace receiver
