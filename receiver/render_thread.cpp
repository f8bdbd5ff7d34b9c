#include "receiver/render_thread.h"

#include <algorithm>
#include <utility>

#include "receiver/frame/frame.h"
#include "receiver/paint/line_layout.h"
#include "sail/core/routing/cadence.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

int64_t fading_peak(int64_t peak, int64_t sample) {
  return std::max(peak - peak / 32, sample);
}

}  // namespace

RenderThread::RenderThread(Display& display, Handlers handlers, int64_t paint_ahead_ns)
    : display_(display), schedule_(paint_ahead_ns), handlers_(std::move(handlers)) {}

sail::Result<void> RenderThread::set_tiles(SetTiles job) {
  if (auto opened = display_.open(job.tiles); !opened) return opened;
  composition_.set_tiles(job.tiles, {.name = std::move(job.node), .wall = job.wall_size});
  tiles_ = std::move(job.tiles);
  fade_.end();
  repaint();
  // Load the fonts now, not while streams are playing.
  LineLayout::load_fonts();
  return {};
}

std::vector<std::string> RenderThread::display_names() {
  const sail::DisplayStats stats = display_.stats();
  std::vector<std::string> names;
  for (const sail::TileInfo& tile : tiles_) {
    const auto window =
        std::ranges::find(stats.windows, tile.name, &sail::DisplayStats::Window::tile);
    names.push_back(window == stats.windows.end() ? "" : window->display);
  }
  return names;
}

void RenderThread::repaint() {
  composition_.set_displays(display_names());
  composition_.set_all_changed();
  composition_.show_overlay();
  fade_.cut();
  move_fade(0);
  const Changes& changes = paint_changes();
  for (size_t i = 0; i < tiles_.size(); ++i) display_.present(i, changes.tiles[i].damage);
  // Swaps that are painted but wait for their time are on the canvases too; they were just shown.
  for (PlannedSwap& swap : schedule_.swaps()) swap.damage.clear();
}

int64_t RenderThread::act() {
  for (;;) {
    show_overlay_if_free();
    const auto step = schedule_.next(sail::steady_now_ns(), paint_ns_, !overlay_missed_);
    switch (step.action) {
      case SwapSchedule::Action::kPaint:
        paint(*step.swap);
        break;
      case SwapSchedule::Action::kPresent:
        present(*step.swap);
        break;
      case SwapSchedule::Action::kSnapshot:
        snapshot(step.snapshot);
        break;
      case SwapSchedule::Action::kWait: {
        const int64_t until_ns = fade_between_swaps(step.until_ns);
        realtime_priority_.take();
        return until_ns;
      }
    }
  }
}

// Overlays are shown without a swap. If a changed overlay is above a painted swap that waits for
// its time, showing it would reveal that swap early, so the overlay waits. Once a swap is shown
// while an overlay waits, no more painting starts until the overlay is shown.
void RenderThread::show_overlay_if_free() {
  if (composition_.overlay_waits()) {
    if (!overlay_is_free()) return;
    composition_.show_overlay();
    const Changes& changes = paint_changes();
    for (size_t i = 0; i < tiles_.size(); ++i) {
      if (!changes.tiles[i].damage.empty()) display_.present(i, changes.tiles[i].damage);
    }
  }
  overlay_missed_ = false;
}

bool RenderThread::overlay_is_free() {
  const auto meets = [](const std::vector<sail::Rect>& a, const std::vector<sail::Rect>& b) {
    return std::any_of(a.begin(), a.end(), [&b](const sail::Rect& rect) {
      return std::any_of(b.begin(), b.end(), [&rect](const sail::Rect& other) {
        return !sail::intersect(rect, other).empty();
      });
    });
  };
  for (const PlannedSwap& swap : schedule_.swaps()) {
    for (size_t i = 0; i < swap.damage.size(); ++i) {
      if (meets(composition_.overlay_damage(i), swap.damage[i])) return false;
    }
  }
  return true;
}

const Changes& RenderThread::paint_changes() {
  realtime_priority_.leave();
  const Changes& changes = composition_.take_changes();
  late_decoder_.decode(changes);
  display_.paint(changes);
  if (fade_.on()) fade(changes);
  return changes;
}

// --- fades

// A later layout with other places ends the fade, on all tiles of the wall: it may hide what was
// shown before.
void RenderThread::set_scene(PlannedSwap& swap) {
  const SceneChange change = composition_.set_scene(*swap.job.scene, swap.released);
  if (change == SceneChange::kNone) return;
  if (swap.job.fade_ns > 0) {
    begin_fade(swap.job.at_ns, swap.job.fade_ns);
  } else if (change == SceneChange::kLayout) {
    fade_.cut();
  }
}

// Layouts wait for earlier swaps, so no painted swap waits now: the canvases have what is shown,
// which may be a mixture of earlier layouts, and the display keeps copies of that.
void RenderThread::begin_fade(int64_t at_ns, int64_t duration_ns) {
  if (!fade_.on()) fading_.assign(tiles_.size(), false);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (!fading_[i] && !composition_.scene_changed(i)) continue;
    fading_[i] = display_.keep(i);
  }
  if (std::ranges::find(fading_, true) == fading_.end()) return fade_.end();
  fade_.begin(at_ns, duration_ns);
  composition_.set_all_changed();
}

void RenderThread::move_fade(int64_t at_ns) {
  if (!fade_.on() || !fade_.move_to(at_ns)) return;
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (fading_[i]) composition_.set_damaged(i);
  }
}

void RenderThread::fade(const Changes& changes) {
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (fading_[i]) display_.fade(i, fade_.weight(), changes.tiles[i].damage);
  }
  if (fade_.over()) fade_.end();
}

int64_t RenderThread::fade_between_swaps(int64_t until_ns) {
  if (!fade_.on()) return until_ns;
  // A painted swap must not be shown early, and shows a step of the fade itself.
  if (std::ranges::any_of(schedule_.swaps(), &PlannedSwap::painted)) return until_ns;
  const int64_t now_ns = sail::steady_now_ns();
  const int64_t due_ns = std::max(fade_.next_ns(), fade_rests_until_ns_);
  if (now_ns < due_ns) return std::min(until_ns, due_ns);
  if (until_ns - now_ns < paint_ns_) return until_ns;
  show_fade(now_ns);
  const int64_t done_ns = sail::steady_now_ns();
  fade_rests_until_ns_ = done_ns + (done_ns - now_ns);
  return done_ns;
}

void RenderThread::show_fade(int64_t at_ns) {
  const int64_t begin_ns = sail::steady_now_ns();
  move_fade(at_ns);
  const Changes& changes = paint_changes();
  const int64_t paint_ns = sail::steady_now_ns() - begin_ns;
  paint_ns_ = fading_peak(paint_ns_, paint_ns);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (!changes.tiles[i].damage.empty()) display_.present(i, changes.tiles[i].damage);
  }
  handlers_.on_swapped({.ended = {},
                        .released = {},
                        .render_ns = render_ns_,
                        .paint_ns = paint_ns,
                        .fading = fade_.on()});
}

// --- swaps

void RenderThread::paint(PlannedSwap& swap) {
  const int64_t begin_ns = sail::steady_now_ns();
  if (swap.job.scene) set_scene(swap);
  for (std::unique_ptr<Frame>& frame : swap.job.frames) {
    EndedFrame ended{.stream = frame->stream(),
                     .session = frame->session(),
                     .key = frame->key(),
                     .assembled_ns = frame->assembled_ns()};
    if (schedule_.overtaken(swap, ended.stream, begin_ns)) {
      ended.cause = sail::DropCause::kSuperseded;
      swap.released.push_back(std::move(frame));
    } else {
      ended.cause = composition_.set_frame(std::move(frame), swap.released);
    }
    swap.ended.push_back(ended);
  }
  swap.job.frames.clear();
  move_fade(swap.job.at_ns);
  const Changes& changes = paint_changes();
  for (const TileChanges& tile : changes.tiles) swap.damage.push_back(tile.damage);

  const int64_t end_ns = sail::steady_now_ns();
  swap.paint_ns = end_ns - begin_ns;
  note(sail::TraceStage::kPaint, swap, begin_ns, end_ns);
  paint_ns_ = fading_peak(paint_ns_, swap.paint_ns);
  render_ns_ = fading_peak(render_ns_, schedule_.painted(swap, end_ns));
}

void RenderThread::note(sail::TraceStage stage, const PlannedSwap& swap, int64_t begin_ns,
                        int64_t end_ns) {
  if (handlers_.trace == nullptr || !handlers_.trace->on()) return;
  for (const EndedFrame& ended : swap.ended) {
    if (ended.cause != sail::DropCause::kNone) continue;
    handlers_.trace->add({.stage = stage,
                          .lane = kMainLane,
                          .stream = ended.stream,
                          .frame = ended.key.number,
                          .begin_ns = begin_ns,
                          .end_ns = end_ns});
  }
}

void RenderThread::present(PlannedSwap& swap) {
  const int64_t begin_ns = sail::steady_now_ns();
  for (size_t i = 0; i < swap.damage.size(); ++i) {
    if (!swap.damage[i].empty()) display_.present(i, swap.damage[i]);
  }
  const int64_t now_ns = sail::steady_now_ns();
  note(sail::TraceStage::kSwap, swap, begin_ns, now_ns);
  note(sail::TraceStage::kShow, swap, swap.job.arrived_ns, now_ns);
  const int64_t seen_ns = this->seen_ns(swap, now_ns);
  for (EndedFrame& ended : swap.ended) {
    if (ended.cause == sail::DropCause::kNone) ended.swapped_ns = seen_ns;
  }
  handlers_.on_swapped({.ended = std::move(swap.ended),
                        .released = std::move(swap.released),
                        .scene_epoch = swap.job.scene ? swap.job.scene->epoch : 0,
                        .render_ns = render_ns_,
                        .paint_ns = swap.paint_ns,
                        .fading = fade_.on()});
  schedule_.shown(swap, now_ns);
  overlay_missed_ = composition_.overlay_waits();
}

int64_t RenderThread::seen_ns(const PlannedSwap& swap, int64_t now_ns) const {
  int64_t seen_ns = now_ns;
  for (size_t i = 0; i < std::min(swap.damage.size(), refreshes_.size()); ++i) {
    if (swap.damage[i].empty() || !refreshes_[i].phase_known()) continue;
    seen_ns = std::max(seen_ns, sail::next_refresh_ns(refreshes_[i].refresh, now_ns));
  }
  return seen_ns;
}

// During a fade, all tiles show the step of the snapshot's time.
void RenderThread::snapshot(const TakeSnapshot& request) {
  realtime_priority_.leave();
  const bool free = std::ranges::none_of(schedule_.swaps(), &PlannedSwap::painted);
  if (fade_.on() && free) show_fade(request.at_ns);
  SnapshotTaken taken{
      .snapshot = request.snapshot, .taken_ns = sail::steady_now_ns(), .pictures = {}};
  for (size_t i = 0; i < tiles_.size(); ++i) {
    TileImage& picture = taken.pictures.emplace_back(display_.picture(i));
    picture.begin.tile = tiles_[i].name;
    picture.begin.windows = composition_.windows_on(i);
  }
  schedule_.taken(request, taken.taken_ns);
  handlers_.on_snapshot(std::move(taken));
}

}  // namespace receiver
