// Schedules painting, swaps and snapshots. Pure: time is an argument.
//
// Painted areas of two opaque windows never overlap, and a swap shows only the areas that it
// painted. Therefore several swaps can be painted and wait for their presentation times, unless
// they paint the same window or one changes the layout; such swaps keep their order. Every swap
// paints tiles with a blended window as a whole, and each step of a fade changes whole tiles, so on
// these tiles a frame may appear with the swap before its own. Frames of the previous layout are
// not shown after a layout change, even if they were requested first, because other nodes do the
// same; but they are if a sender asked for the layout, because other nodes may not know it. A
// snapshot delays the painting of swaps that are due after it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "receiver/jobs.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/limits.h"

namespace receiver {

struct PlannedSwap {
  Swap job;
  bool painted = false;
  int64_t paintable_ns = 0;  // since when painting was possible; 0: not yet

  // Filled in by RenderThread when it paints.
  std::vector<EndedFrame> ended{};
  std::vector<std::unique_ptr<Frame>> released{};
  std::vector<std::vector<sail::Rect>> damage{};  // one entry per tile
  int64_t paint_ns = 0;                           // duration of painting
};

class SwapSchedule {
 public:
  // Swaps are not painted earlier than this before their presentation time, because a layout with
  // an earlier time may still arrive.
  static constexpr int64_t kPaintAheadNs = sail::kMaxLeadNs + sail::kMessageLeadNs;
  explicit SwapSchedule(int64_t paint_ahead_ns = kPaintAheadNs) : paint_ahead_ns_(paint_ahead_ns) {}

  void add(Swap swap);
  void add(const TakeSnapshot& snapshot) { snapshots_.push_back(snapshot); }

  enum class Action { kPaint, kPresent, kSnapshot, kWait };
  struct Step {
    Action action = Action::kWait;
    PlannedSwap* swap = nullptr;  // kPaint, kPresent: valid until shown()
    TakeSnapshot snapshot{};      // set for kSnapshot
    int64_t until_ns = 0;         // kWait; kForever if nothing is pending
  };
  static constexpr int64_t kForever = INT64_MAX;
  // Timeout of a snapshot that waits for swaps due before it. It is then taken without them,
  // because later swaps wait for the snapshot.
  static constexpr int64_t kSnapshotTimeoutNs = 1'000'000'000;
  // Returns the next step. paint_ns: duration of painting; painting does not start if it would make
  // a painted swap late. may_paint: if false, nothing is painted; a painted swap must then be
  // waiting.
  Step next(int64_t now_ns, int64_t paint_ns, bool may_paint = true);

  // Marks the swap as painted. Returns the time since painting was possible. Time during which an
  // earlier swap held it back does not count; otherwise the manager's lead time would feed back on
  // itself.
  int64_t painted(PlannedSwap& swap, int64_t now_ns);
  // Removes a swap that was shown, and a snapshot that was taken.
  void shown(const PlannedSwap& swap, int64_t now_ns);
  void taken(const TakeSnapshot& snapshot, int64_t now_ns);

  // Returns true if a later swap that is already due contains a frame of this stream too.
  bool overtaken(const PlannedSwap& swap, uint32_t stream, int64_t now_ns) const;
  // Returns all pending swaps, oldest first.
  std::list<PlannedSwap>& swaps() { return swaps_; }

 private:
  void put_before_later(const PlannedSwap& layout);
  bool held_back(const PlannedSwap& swap) const;
  PlannedSwap* first_to_present();
  bool all_shown_until(int64_t at_ns) const;
  void let_go(int64_t now_ns);

  const int64_t paint_ahead_ns_;
  std::list<PlannedSwap> swaps_;  // by arrival, but swaps due after a layout follow it
  std::list<TakeSnapshot> snapshots_;
};

}  // namespace receiver
