#include "receiver/stage.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sail/base/clock.h"

namespace receiver {
namespace {

int64_t fading_peak(int64_t peak, int64_t sample) {
  return std::max(peak - peak / 32, sample);
}

Picture copy(const sail::TileInfo& tile, const Canvas& panel) {
  Picture picture;
  picture.begin.tile = tile.name;
  picture.begin.size = panel.size;
  const size_t row_bytes = static_cast<size_t>(panel.size.width) * 4;
  picture.pixels.resize(row_bytes * static_cast<size_t>(panel.size.height));
  for (int y = 0; y < panel.size.height; ++y) {
    std::memcpy(picture.pixels.data() + static_cast<size_t>(y) * row_bytes,
                panel.target.pixels + y * panel.target.stride, row_bytes);
  }
  return picture;
}

}  // namespace

Stage::Stage(Presenter& presenter, sail::WorkerPool& pool, Handlers handlers)
    : presenter_(presenter), painter_(pool, codecs::detect_cpu()), handlers_(std::move(handlers)) {}

sail::Result<void> Stage::set_tiles(std::vector<sail::TileInfo> tiles) {
  if (auto opened = presenter_.open(tiles); !opened) return opened;
  tiles_ = std::move(tiles);
  repaint();
  return {};
}

void Stage::repaint() {
  std::vector<Canvas> canvases;
  for (size_t i = 0; i < tiles_.size(); ++i) canvases.push_back(presenter_.canvas(i));
  painter_.set_tiles(tiles_, std::move(canvases));
  painter_.paint();
  for (size_t i = 0; i < tiles_.size(); ++i) presenter_.present(i, painter_.damage()[i]);
  // What waits for its swap is on the canvases too, and they were just shown.
  for (PlannedSwap& swap : schedule_.swaps()) swap.damage.clear();
}

int64_t Stage::act() {
  for (;;) {
    const auto step = schedule_.next(sail::steady_now_ns(), paint_ns_);
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
      case SwapSchedule::Action::kWait:
        return step.until_ns;
    }
  }
}

void Stage::paint(PlannedSwap& swap) {
  const int64_t begin_ns = sail::steady_now_ns();
  if (swap.job.scene) painter_.set_scene(*swap.job.scene, swap.released);
  for (std::unique_ptr<Frame>& frame : swap.job.frames) {
    FrameFate fate{.stream = frame->stream(),
                   .session = frame->session(),
                   .key = frame->key(),
                   .assembled_ns = frame->assembled_ns()};
    if (schedule_.overtaken(swap, fate.stream, begin_ns)) {
      fate.cause = sail::DropCause::kSuperseded;
      swap.released.push_back(std::move(frame));
    } else if (!painter_.set_frame(std::move(frame), swap.released)) {
      fate.cause = sail::DropCause::kHidden;
    }
    swap.fates.push_back(fate);
  }
  swap.job.frames.clear();
  painter_.paint();
  swap.damage = painter_.damage();

  const int64_t end_ns = sail::steady_now_ns();
  swap.paint_ns = end_ns - begin_ns;
  paint_ns_ = fading_peak(paint_ns_, swap.paint_ns);
  render_ns_ = fading_peak(render_ns_, schedule_.painted(swap, end_ns));
}

void Stage::present(PlannedSwap& swap) {
  for (size_t i = 0; i < swap.damage.size(); ++i) {
    if (!swap.damage[i].empty()) presenter_.present(i, swap.damage[i]);
  }
  const int64_t now_ns = sail::steady_now_ns();
  for (FrameFate& fate : swap.fates) {
    if (fate.cause == sail::DropCause::kNone) fate.swapped_ns = now_ns;
  }
  handlers_.on_swapped({.fates = std::move(swap.fates),
                        .released = std::move(swap.released),
                        .render_ns = render_ns_,
                        .paint_ns = swap.paint_ns});
  schedule_.shown(swap, now_ns);
}

void Stage::snapshot(const TakeSnapshot& request) {
  SnapshotTaken taken{
      .snapshot = request.snapshot, .taken_ns = sail::steady_now_ns(), .pictures = {}};
  for (size_t i = 0; i < tiles_.size(); ++i) {
    taken.pictures.push_back(copy(tiles_[i], presenter_.panel(i)));
    taken.pictures.back().begin.windows = painter_.windows_on(i);
  }
  schedule_.taken(request, taken.taken_ns);
  handlers_.on_snapshot(std::move(taken));
}

}  // namespace receiver
