#include "receiver/swap_schedule.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace receiver {
namespace {

bool brings(const Swap& swap, uint32_t stream) {
  return std::any_of(swap.frames.begin(), swap.frames.end(),
                     [&](const auto& frame) { return frame && frame->stream() == stream; });
}

// Returns true if `later` may not be painted before `earlier` is shown. The frames of a painted
// swap were moved away, but `ended` lists their streams.
bool conflict(const PlannedSwap& earlier, const PlannedSwap& later) {
  if (earlier.job.scene || later.job.scene) return true;
  return std::any_of(later.job.frames.begin(), later.job.frames.end(), [&](const auto& frame) {
    return brings(earlier.job, frame->stream()) ||
           std::any_of(earlier.ended.begin(), earlier.ended.end(),
                       [&](const EndedFrame& ended) { return ended.stream == frame->stream(); });
  });
}

// Drops frames of the previous layout whose windows the new layout changes.
void leave_out_former(PlannedSwap& swap, const PlannedSwap& layout) {
  const sail::Scene& scene = *layout.job.scene;
  std::erase_if(swap.job.frames, [&](std::unique_ptr<Frame>& frame) {
    const auto window =
        std::ranges::find(scene.windows, frame->stream(), &sail::SceneWindow::window);
    if (window == scene.windows.end() || frame->key().epoch >= window->epoch) return false;
    swap.ended.push_back({.stream = frame->stream(),
                          .session = frame->session(),
                          .key = frame->key(),
                          .assembled_ns = frame->assembled_ns(),
                          .cause = sail::DropCause::kOldEpoch});
    swap.released.push_back(std::move(frame));
    return true;
  });
  // An empty swap must not delay others.
  if (swap.job.frames.empty()) swap.job.at_ns = layout.job.at_ns;
}

}  // namespace

void SwapSchedule::add(Swap swap) {
  PlannedSwap& added = swaps_.emplace_back(PlannedSwap{.job = std::move(swap)});
  if (added.job.scene) put_before_later(added);
  // A swap cannot be shown before one that it conflicts with, whatever its requested time. A
  // snapshot between the two times must not wait for it, because the earlier swap waits for the
  // snapshot.
  for (const PlannedSwap& earlier : swaps_) {
    if (&earlier == &added) break;
    if (earlier.job.at_ns > added.job.at_ns && conflict(earlier, added)) {
      added.job.at_ns = earlier.job.at_ns;
    }
  }
  if (!held_back(added)) added.paintable_ns = added.job.arrived_ns;
}

// Moves swaps with presentation times after the layout behind it, even if they arrived first.
void SwapSchedule::put_before_later(const PlannedSwap& layout) {
  const auto itself = std::prev(swaps_.end());
  auto former = itself;
  while (former != swaps_.begin() && !std::prev(former)->job.scene) --former;
  while (former != itself) {
    const auto swap = former++;
    if (swap->painted || swap->job.at_ns <= layout.job.at_ns) continue;
    if (!layout.job.keeps_former) leave_out_former(*swap, layout);
    swaps_.splice(swaps_.end(), swaps_, swap);
  }
}

bool SwapSchedule::held_back(const PlannedSwap& swap) const {
  for (const PlannedSwap& earlier : swaps_) {
    if (&earlier == &swap) break;
    if (conflict(earlier, swap)) return true;
  }
  return std::any_of(snapshots_.begin(), snapshots_.end(),
                     [&](const TakeSnapshot& snapshot) { return snapshot.at_ns < swap.job.at_ns; });
}

PlannedSwap* SwapSchedule::first_to_present() {
  PlannedSwap* first = nullptr;
  for (PlannedSwap& swap : swaps_) {
    if (swap.painted && (first == nullptr || swap.job.at_ns < first->job.at_ns)) first = &swap;
  }
  return first;
}

bool SwapSchedule::all_shown_until(int64_t at_ns) const {
  return std::none_of(swaps_.begin(), swaps_.end(),
                      [&](const PlannedSwap& swap) { return swap.job.at_ns <= at_ns; });
}

SwapSchedule::Step SwapSchedule::next(int64_t now_ns, int64_t paint_ns, bool may_paint) {
  int64_t until_ns = kForever;
  if (PlannedSwap* swap = first_to_present()) {
    until_ns = swap->job.at_ns;
    if (until_ns <= now_ns) return {.action = Action::kPresent, .swap = swap};
  }
  const bool time_to_paint = may_paint && until_ns - now_ns >= paint_ns;
  for (const TakeSnapshot& snapshot : snapshots_) {
    const int64_t at_most_ns = snapshot.at_ns + kSnapshotTimeoutNs;
    if (snapshot.at_ns > now_ns) {
      until_ns = std::min(until_ns, snapshot.at_ns);
    } else if (all_shown_until(snapshot.at_ns) || now_ns >= at_most_ns) {
      return {.action = Action::kSnapshot, .snapshot = snapshot};
    } else {
      until_ns = std::min(until_ns, at_most_ns);
    }
  }
  if (time_to_paint) {
    for (PlannedSwap& swap : swaps_) {
      if (swap.painted || held_back(swap)) continue;
      const int64_t paint_at_ns = swap.job.at_ns - paint_ahead_ns_;
      if (paint_at_ns <= now_ns) return {.action = Action::kPaint, .swap = &swap};
      until_ns = std::min(until_ns, paint_at_ns);
    }
  }
  return {.action = Action::kWait, .until_ns = until_ns};
}

int64_t SwapSchedule::painted(PlannedSwap& swap, int64_t now_ns) {
  swap.painted = true;
  return now_ns - swap.paintable_ns;
}

void SwapSchedule::shown(const PlannedSwap& swap, int64_t now_ns) {
  swaps_.remove_if([&](const PlannedSwap& entry) { return &entry == &swap; });
  let_go(now_ns);
}

void SwapSchedule::taken(const TakeSnapshot& snapshot, int64_t now_ns) {
  snapshots_.remove_if(
      [&](const TakeSnapshot& entry) { return entry.snapshot == snapshot.snapshot; });
  let_go(now_ns);
}

// A swap or snapshot was removed: marks the swaps that can be painted now.
void SwapSchedule::let_go(int64_t now_ns) {
  for (PlannedSwap& swap : swaps_) {
    if (swap.paintable_ns == 0 && !held_back(swap)) swap.paintable_ns = now_ns;
  }
}

bool SwapSchedule::overtaken(const PlannedSwap& swap, uint32_t stream, int64_t now_ns) const {
  const auto self = std::find_if(swaps_.begin(), swaps_.end(),
                                 [&](const PlannedSwap& entry) { return &entry == &swap; });
  return std::any_of(self == swaps_.end() ? self : std::next(self), swaps_.end(),
                     [&](const PlannedSwap& later) {
                       return later.job.at_ns <= now_ns && brings(later.job, stream);
                     });
}

}  // namespace receiver
