// What happens on the main thread: paints what is due, swaps it at its instant, takes snapshots.
// All times steady.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "receiver/composition.h"
#include "receiver/display.h"
#include "receiver/jobs.h"
#include "receiver/missing_parts.h"
#include "receiver/precedence.h"
#include "receiver/swap_schedule.h"
#include "sail/base/frame_trace.h"

namespace receiver {

class Stage {
 public:
  struct Handlers {
    std::function<void(Swapped)> on_swapped;
    std::function<void(SnapshotTaken)> on_snapshot;
    sail::FrameTrace* trace = nullptr;  // of all frames; outlives this
  };
  // The display must outlive this.
  Stage(Display& display, Handlers handlers, int64_t paint_ahead_ns = SwapSchedule::kPaintAheadNs);

  // Opens the tiles and paints on them what was shown before. kIo when the display refuses.
  sail::Result<void> set_tiles(std::vector<sail::TileInfo> tiles);
  void add(Swap swap) { schedule_.add(std::move(swap)); }
  void add(const TakeSnapshot& snapshot) { schedule_.add(snapshot); }
  // Shown by act() as soon as no picture that waits for its instant is beneath it.
  void add(const ShowOverlay& overlay) { composition_.set_overlay(*overlay.overlay); }

  // From now on, on the thread that acts, swaps go before other programs: kUnauthorized when this
  // user may not, and they go with them.
  sail::Result<void> go_first() { return precedence_.ask(); }
  // What is known of the tiles' displays by now.
  void set_refreshes(std::vector<TileRefresh> refreshes) { refreshes_ = std::move(refreshes); }

  // Does all that is due; returns when there is something to do again, SwapSchedule::kForever when
  // that takes another add().
  int64_t act();
  // Paints and shows everything: the canvases were lost.
  void repaint();

 private:
  // What has changed, on the canvases.
  const Changes& paint_changes();
  void paint(PlannedSwap& swap);
  void present(PlannedSwap& swap);
  // When the last of the tiles that it changed shows the swap that was presented just now.
  int64_t seen_ns(const PlannedSwap& swap, int64_t now_ns) const;
  void snapshot(const TakeSnapshot& request);
  // Of the frames that the swap shows.
  void note(sail::TraceStage stage, const PlannedSwap& swap, int64_t begin_ns, int64_t end_ns);
  void show_overlay_if_free();
  bool overlay_is_free();

  Display& display_;
  Composition composition_;
  MissingParts missing_;
  SwapSchedule schedule_;
  Handlers handlers_;
  Precedence precedence_;  // while it waits, and until it paints
  std::vector<sail::TileInfo> tiles_;
  std::vector<TileRefresh> refreshes_;
  bool overlay_missed_ = false;  // a swap was shown while it waited
  // The slowest lately; both fade, so that one slow frame is forgotten within a second or two.
  int64_t paint_ns_ = 0;   // painting alone
  int64_t render_ns_ = 0;  // from when the swap could have been painted
};

}  // namespace receiver
