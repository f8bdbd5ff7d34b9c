// The receiver's main thread: paints pending frames, swaps them at their presentation times, and
// takes snapshots. All times are steady.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "receiver/display/display.h"
#include "receiver/display/realtime_priority.h"
#include "receiver/jobs.h"
#include "receiver/paint/composition.h"
#include "receiver/paint/fade.h"
#include "receiver/paint/late_decoder.h"
#include "receiver/swap_schedule.h"
#include "sail/core/base/frame_trace.h"

namespace receiver {

class RenderThread {
 public:
  struct Handlers {
    std::function<void(Swapped)> on_swapped;
    std::function<void(SnapshotTaken)> on_snapshot;
    sail::FrameTrace* trace = nullptr;  // receives the stamps of all frames; must outlive this
  };
  // The display must outlive this object.
  RenderThread(Display& display, Handlers handlers,
               int64_t paint_ahead_ns = SwapSchedule::kPaintAheadNs);

  // Opens the tiles and paints the current contents on them. Returns kIo if the display refuses.
  sail::Result<void> set_tiles(SetTiles job);
  void add(Swap swap) { schedule_.add(std::move(swap)); }
  void add(const TakeSnapshot& snapshot) { schedule_.add(snapshot); }
  // act() shows the overlay as soon as no painted swap is waiting below it.
  void add(const ShowOverlay& overlay) { composition_.set_overlay(*overlay.overlay); }

  // Enables real-time priority for swaps on the calling thread, which must be the one that calls
  // act(). Returns kUnauthorized if the user may not use it; swaps then run at normal priority.
  sail::Result<void> use_realtime_priority() { return realtime_priority_.request(); }
  // Sets the known refresh of the tiles' displays.
  void set_refreshes(std::vector<TileRefresh> refreshes) { refreshes_ = std::move(refreshes); }

  // Does everything that is due. Returns when to call again; kForever: after the next add().
  int64_t act();
  // Paints and shows everything; call it when the canvases were lost.
  void repaint();

 private:
  // Returns the name of the display that shows each tile; empty: unknown.
  std::vector<std::string> display_names();
  // Paints all changes on the canvases and returns them.
  const Changes& paint_changes();
  void set_scene(PlannedSwap& swap);
  // Moves the fade on to this presentation time. Its tiles then change as a whole.
  void move_fade(int64_t at_ns);
  void begin_fade(int64_t at_ns, int64_t duration_ns);
  void fade(const Changes& changes);
  // Shows the fade's next step between swaps, if that delays none of them. until_ns: when the next
  // one needs this thread. Returns when to call again.
  int64_t fade_between_swaps(int64_t until_ns);
  void show_fade(int64_t at_ns);
  void paint(PlannedSwap& swap);
  void present(PlannedSwap& swap);
  // Returns when the last changed tile will display the swap that was just presented.
  int64_t seen_ns(const PlannedSwap& swap, int64_t now_ns) const;
  void snapshot(const TakeSnapshot& request);
  // Adds trace stamps for the frames that the swap shows.
  void note(sail::TraceStage stage, const PlannedSwap& swap, int64_t begin_ns, int64_t end_ns);
  void show_overlay_if_free();
  bool overlay_is_free();

  Display& display_;
  Composition composition_;
  LateDecoder late_decoder_;
  SwapSchedule schedule_;
  Handlers handlers_;
  RealtimePriority realtime_priority_;  // real-time while waiting, normal while painting
  std::vector<sail::TileInfo> tiles_;
  std::vector<TileRefresh> refreshes_;
  Fade fade_;
  std::vector<bool> fading_;         // by tile: the display keeps a copy of what the tile showed
  int64_t fade_rests_until_ns_ = 0;  // no step before this time, so that a slow node has time for
                                     // frames
  bool overlay_missed_ = false;      // a swap was shown while the overlay waited
  // Recent maxima, which decay: one slow frame is forgotten after a second or two.
  int64_t paint_ns_ = 0;  // painting alone
  // From the time at which painting could have begun (`go` or frame_show received) until painted.
  int64_t render_ns_ = 0;
};

}  // namespace receiver
