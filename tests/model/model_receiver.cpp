#include "tests/model/model_receiver.h"

#include <algorithm>
#include <utility>

namespace model {
namespace {

using receiver::DroppedFrame;
using receiver::FrameKey;

const sail::SceneWindow* window_of(const sail::Scene& scene, uint32_t stream) {
  const auto it = std::ranges::find(scene.windows, stream, &sail::SceneWindow::window);
  return it == scene.windows.end() ? nullptr : &*it;
}

std::unique_ptr<receiver::Frame> frame_of(uint32_t stream, const FrameKey& key) {
  static const sail::BlockGrid grid({64, 64}, {64, 64});
  static const auto rows =
      std::make_shared<sail::BlockRowPools>(grid, [](int, int) { return size_t{1}; });
  auto frame = std::make_unique<receiver::Frame>(
      receiver::FrameSource{.stream = stream, .session = 1, .codec = {}, .grid = grid}, rows);
  frame->begin(key, 0);
  return frame;
}

}  // namespace

void ModelReceiver::open(uint32_t stream) {
  const bool shown = layout_ != nullptr && window_of(*layout_, stream) != nullptr;
  if (!shown && window_of(gate_.announced(), stream) == nullptr) {
    waiting_.insert(stream);
    return;
  }
  // A new connection: what the former one brought is lost.
  std::vector<DroppedFrame> lost;
  streams_[stream].drop_all(lost);
  handlers_.accept(stream);
}

void ModelReceiver::frame(uint32_t stream, const FrameKey& key) {
  auto added = streams_[stream].add(frame_of(stream, key));
  if (added.ready) handlers_.ready(stream, key);
  if (added.dropped.frame) {
    std::vector<DroppedFrame> dropped;
    dropped.push_back(std::move(added.dropped));
    drop(stream, dropped);
  }
  if (!added.due) return;
  receiver::Swap swap{.at_ns = now_ns_, .arrived_ns = now_ns_, .scene = {}, .frames = {}};
  swap.frames.push_back(std::move(added.due));
  schedule_.add(std::move(swap));
}

void ModelReceiver::drop(uint32_t stream, std::vector<DroppedFrame>& dropped) {
  for (const DroppedFrame& one : dropped) {
    handlers_.report(stream, {.frame = one.frame->key().number,
                              .epoch = one.frame->key().epoch,
                              .outcome = sail::FrameOutcome::kDropped,
                              .cause = one.cause});
  }
  dropped.clear();
}

// --- the manager --------------------------------------------------------------------------------

void ModelReceiver::announce(const sail::Scene& scene) {
  for (const sail::SceneWindow& window : scene.windows) {
    streams_.try_emplace(window.window);
    if (waiting_.erase(window.window) != 0) handlers_.accept(window.window);
  }
  gate_.announce(scene);
}

uint64_t ModelReceiver::newest_epoch() const {
  return layout_ == nullptr ? 0 : std::max(layout_->epoch, gate_.announced().epoch);
}

std::vector<uint32_t> ModelReceiver::shown_streams() const {
  std::vector<uint32_t> streams;
  if (layout_ == nullptr) return streams;
  for (const sail::SceneWindow& window : layout_->windows) streams.push_back(window.window);
  return streams;
}

// --- the gate's decisions, as Presenter carries them out
// ------------------------------------------

std::optional<uint64_t> ModelReceiver::epoch_of(uint32_t stream) const {
  const auto known = streams_.find(stream);
  if (known == streams_.end()) return std::nullopt;
  return known->second.epoch();
}

bool ModelReceiver::is_behind(uint32_t stream) const {
  const auto known = streams_.find(stream);
  return known != streams_.end() && known->second.is_behind();
}

void ModelReceiver::show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                                const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) {
  layout_ = std::move(layout);
  std::vector<DroppedFrame> dropped;
  for (const sail::SceneWindow& window : layout_->windows) {
    const bool known = asked_by == 0 || asked_by == window.window;
    streams_[window.window].begin_epoch(window.epoch, known, dropped);
    drop(window.window, dropped);
  }
  receiver::Swap swap{.at_ns = at_ns,
                      .arrived_ns = now_ns_,
                      .scene = layout_,
                      .frames = {},
                      .keeps_former = asked_by != 0};
  for (const sail::Go::Frame& named : frames) {
    auto frame = streams_[named.stream].show({named.epoch, named.frame}, dropped);
    drop(named.stream, dropped);
    if (frame) swap.frames.push_back(std::move(frame));
  }
  schedule_.add(std::move(swap));
}

void ModelReceiver::show_frame(uint32_t stream, const sail::FrameShow& show) {
  std::vector<DroppedFrame> dropped;
  const FrameKey key{show.epoch, show.frame};
  if (show.at_ns == 0) {
    streams_[stream].drop(key, dropped);
    return drop(stream, dropped);
  }
  auto frame = streams_[stream].show(key, dropped);
  drop(stream, dropped);
  if (!frame) return;
  receiver::Swap swap{.at_ns = show.at_ns, .arrived_ns = now_ns_, .scene = {}, .frames = {}};
  swap.frames.push_back(std::move(frame));
  schedule_.add(std::move(swap));
}

void ModelReceiver::skip(uint32_t stream, const sail::FrameShow& show) {
  std::vector<DroppedFrame> dropped;
  streams_[stream].skip({show.epoch, show.frame}, dropped);
  drop(stream, dropped);
}

// --- the tile, as RenderThread and Composition show it
// ----------------------------------------------

std::optional<int64_t> ModelReceiver::next_ns() {
  std::optional<int64_t> next;
  for (const receiver::PlannedSwap& swap : schedule_.swaps()) {
    next = std::min(next.value_or(swap.job.at_ns), swap.job.at_ns);
  }
  return next;
}

void ModelReceiver::present() {
  for (;;) {
    const auto step = schedule_.next(now_ns_, 0);
    if (step.action == receiver::SwapSchedule::Action::kPaint) {
      paint(*step.swap);
    } else if (step.action == receiver::SwapSchedule::Action::kPresent) {
      swap(*step.swap);
    } else {
      return;
    }
  }
}

void ModelReceiver::paint(receiver::PlannedSwap& swap) {
  for (std::unique_ptr<receiver::Frame>& frame : swap.job.frames) {
    const bool overtaken = schedule_.overtaken(swap, frame->stream(), now_ns_);
    swap.ended.push_back(
        {.stream = frame->stream(),
         .key = frame->key(),
         .cause = overtaken ? sail::DropCause::kSuperseded : sail::DropCause::kNone});
  }
  swap.job.frames.clear();
  schedule_.painted(swap, now_ns_);
}

void ModelReceiver::swap(receiver::PlannedSwap& swap) {
  if (swap.job.scene) lay_out(*swap.job.scene);
  for (receiver::EndedFrame& ended : swap.ended) {
    if (ended.cause != sail::DropCause::kNone) continue;
    if (!set_frame(ended.stream, ended.key)) ended.cause = sail::DropCause::kHidden;
  }
  if (swap.job.scene && layout_ && swap.job.scene->epoch == layout_->epoch) {
    std::vector<DroppedFrame> dropped;
    for (auto& [number, frames] : streams_) {
      frames.end_former_epoch(dropped);
      drop(number, dropped);
    }
  }
  for (const receiver::EndedFrame& ended : swap.ended) report(ended);
  schedule_.shown(swap, now_ns_);
}

void ModelReceiver::report(const receiver::EndedFrame& ended) {
  const bool shown = ended.cause == sail::DropCause::kNone;
  handlers_.report(ended.stream,
                   {.frame = ended.key.number,
                    .epoch = ended.key.epoch,
                    .outcome = shown ? sail::FrameOutcome::kShown : sail::FrameOutcome::kDropped,
                    .cause = shown && ended.key.epoch < epoch_of(ended.stream).value_or(0)
                                 ? sail::DropCause::kOldEpoch
                                 : ended.cause,
                    .swapped_ns = shown ? now_ns_ : 0});
}

sail::Rect ModelReceiver::visible(const sail::SceneWindow& window) const {
  sail::Rect part = sail::intersect(window.wall_rect, tile_);
  part.x -= window.wall_rect.x;
  part.y -= window.wall_rect.y;
  return part;
}

void ModelReceiver::lay_out(const sail::Scene& scene) {
  shown_ = scene;
  std::erase_if(seen_, [&](const auto& one) { return window_of(scene, one.first) == nullptr; });
  for (auto& [stream, seen] : seen_) {
    const sail::SceneWindow& window = *window_of(scene, stream);
    const sail::Rect part = visible(window);
    const bool fresh = seen.key.epoch >= window.epoch;
    seen.columns = fresh ? part : sail::intersect(seen.columns, part);
  }
}

bool ModelReceiver::set_frame(uint32_t stream, const FrameKey& key) {
  const sail::SceneWindow* window = window_of(shown_, stream);
  if (window == nullptr) return false;
  Seen& seen = seen_[stream];
  seen.key = key;
  if (key.epoch >= window->epoch) seen.columns = visible(*window);
  return !visible(*window).empty();
}

std::optional<uint64_t> ModelReceiver::seen(uint32_t stream) const {
  const auto it = seen_.find(stream);
  if (it == seen_.end() || it->second.columns.empty()) return std::nullopt;
  return it->second.key.number;
}

}  // namespace model
