#include "receiver/presenter.h"

#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {

Presenter::Presenter(DataPlane& data, std::function<void(Job)> jobs,
                     std::function<int64_t(int64_t)> to_steady_ns)
    : data_(data), jobs_(std::move(jobs)), to_steady_ns_(std::move(to_steady_ns)) {}

// A display that the CPU paints keeps the former pixels and paints the new ones elsewhere.
void Presenter::set_tiles(const std::vector<sail::TileInfo>& tiles) {
  fade_bytes_ = 0;
  for (const sail::TileInfo& tile : tiles) {
    fade_bytes_ += 2 * static_cast<size_t>(tile.resolution.width) *
                   static_cast<size_t>(tile.resolution.height) * kBytesPerPixel;
  }
}

std::optional<uint64_t> Presenter::epoch_of(uint32_t stream) const {
  return data_.frames().epoch_of(stream);
}

bool Presenter::is_behind(uint32_t stream) const {
  return data_.frames().is_behind(stream);
}

void Presenter::show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                            const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) {
  layout_ = std::move(layout);
  layout_lost_ = false;
  data_.commit(*layout_, asked_by);
  Swap swap{.at_ns = to_steady_ns_(at_ns),
            .arrived_ns = sail::steady_now_ns(),
            .scene = layout_,
            .frames = {},
            .keeps_former = asked_by != 0};
  if (layout_->fade_ms > 0 && data_.reserve_fade(fade_bytes_)) {
    swap.fade_ns = int64_t{layout_->fade_ms} * 1'000'000;
    fade_epoch_ = layout_->epoch;
  }
  for (const sail::Go::Frame& named : frames) {
    if (auto frame = data_.frames().take(named.stream, {named.epoch, named.frame})) {
      swap.frames.push_back(std::move(frame));
    }
  }
  jobs_(std::move(swap));
}

void Presenter::show_frame(uint32_t stream, const sail::FrameShow& show) {
  if (show.at_ns == 0) return data_.frames().drop_frames(stream, {show.epoch, show.frame});
  Swap swap{.at_ns = to_steady_ns_(show.at_ns),
            .arrived_ns = sail::steady_now_ns(),
            .scene = {},
            .frames = {}};
  if (auto frame = data_.frames().take(stream, {show.epoch, show.frame})) {
    swap.frames.push_back(std::move(frame));
  }
  if (std::exchange(layout_lost_, false)) swap.scene = layout_;
  if (swap.scene || !swap.frames.empty()) jobs_(std::move(swap));
}

void Presenter::skip(uint32_t stream, const sail::FrameShow& show) {
  data_.frames().skip_frames(stream, {show.epoch, show.frame});
}

void Presenter::show_late(std::unique_ptr<Frame> frame) {
  const int64_t now_ns = sail::steady_now_ns();
  Swap swap{.at_ns = now_ns, .arrived_ns = now_ns, .scene = {}, .frames = {}};
  swap.frames.push_back(std::move(frame));
  jobs_(std::move(swap));
}

void Presenter::on_swapped(Swapped swapped) {
  StreamFrames& frames = data_.frames();
  frames.set_render_ns(swapped.render_ns);
  if (layout_ && swapped.scene_epoch == layout_->epoch) frames.end_former_epochs();
  if (fade_epoch_ != 0 && swapped.scene_epoch == fade_epoch_) {
    fade_epoch_ = 0;
    fades_ += swapped.fading ? 1 : 0;
  }
  if (fade_epoch_ == 0 && !swapped.fading) data_.end_fade();
  // Release the buffers first, because the reports let the sender send new frames.
  for (auto& frame : swapped.released) frames.recycle(std::move(frame));
  for (const EndedFrame& ended : swapped.ended) frames.report(ended);
}

void Presenter::on_lost(Swap swap) {
  if (swap.scene) layout_lost_ = true;
  if (swap.fade_ns > 0) fade_epoch_ = 0;
  for (auto& frame : swap.frames) {
    data_.frames().report({.stream = frame->stream(),
                           .session = frame->session(),
                           .key = frame->key(),
                           .assembled_ns = frame->assembled_ns(),
                           .cause = sail::DropCause::kSuperseded});
    data_.frames().recycle(std::move(frame));
  }
}

}  // namespace receiver
