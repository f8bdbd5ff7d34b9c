#include "receiver/layout_gate.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"

namespace receiver {

void LayoutGate::manager_connected() {
  managed_ = true;
  from_former_manager_ = true;
}

// If the lost manager had decided on a layout, the early frames carry the decision.
void LayoutGate::manager_lost() {
  managed_ = false;
  show_early_frames();
}

void LayoutGate::announce(sail::Scene layout) {
  if (from_former_manager_) {
    superseded_.reset();
    // A manager that begins again with lower epochs decides about these itself.
    if (pending_ && announced_.epoch < layout.epoch) superseded_ = std::move(announced_);
  }
  announced_ = std::move(layout);
  pending_ = true;
  from_former_manager_ = false;
}

void LayoutGate::go(const sail::Go& go) {
  if (!pending_ || from_former_manager_ || announced_.epoch != go.scene_epoch) return;
  pending_ = false;
  show_layout(announced_, go.at_ns, go.frames, 0);
  show_early_frames();
}

void LayoutGate::show_layout(sail::Scene layout, int64_t at_ns,
                             const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) {
  superseded_.reset();
  shown_at_ns_ = at_ns;
  screen_.show_layout(std::make_shared<const sail::Scene>(std::move(layout)), at_ns, frames,
                      asked_by);
}

// To show a layout ends all streams that the layout does not contain. Another secret: the number
// now belongs to another stream.
bool LayoutGate::shows_superseded(uint64_t epoch) const {
  return superseded_ && epoch <= superseded_->epoch &&
         std::ranges::all_of(announced_.windows, [this](const sail::SceneWindow& window) {
           return std::ranges::any_of(superseded_->windows, [&](const sail::SceneWindow& other) {
             return other.window == window.window && other.secret == window.secret;
           });
         });
}

// A frame of a layout that is not shown yet waits for the layout's `go`, which arrives on another
// connection; so does the frame of a layout whose scene has not arrived. Without a manager, or with
// one that has announced no layout yet, the sender's request proves that the layout was decided,
// and replaces the `go`. A frame of the previous layout is shown only if its presentation time is
// before the layout's presentation time, as if it had arrived before the `go`, or if its sender is
// behind. That sender may have rolled the layout back, because the lost manager informed only
// others that the layout takes effect: then the other receivers show the frame too.
void LayoutGate::show(uint32_t stream, const sail::FrameShow& show) {
  const auto shown_epoch = screen_.epoch_of(stream);
  if (!shown_epoch) return;
  if (show.epoch == *shown_epoch) return screen_.show_frame(stream, show);
  if (show.epoch < *shown_epoch) {
    const bool shown_elsewhere = show.at_ns < shown_at_ns_ || screen_.is_behind(stream);
    return shown_elsewhere ? screen_.show_frame(stream, show) : void();
  }
  // The sender waits until its frames are reported, so they are dropped at once, unless an older
  // frame must be shown first.
  if (show.at_ns == 0 && !early_.contains(stream)) return screen_.skip(stream, show);
  const std::vector<sail::Go::Frame> frames{{stream, show.frame, show.epoch}};
  if (show.at_ns != 0 && shows_superseded(show.epoch)) {
    return show_layout(*superseded_, show.at_ns, frames, stream);
  }
  const bool announced = show.epoch <= announced_.epoch;
  if (announced && !pending_) return;
  if (!announced || (managed_ && !from_former_manager_)) {
    keep_early(stream, show);
  } else {
    pending_ = false;
    show_layout(announced_, show.at_ns, frames, stream);
  }
}

void LayoutGate::keep_early(uint32_t stream, const sail::FrameShow& show) {
  std::deque<sail::FrameShow>& shows = early_[stream];
  if (shows.size() == sail::kMaxFramesInFlight) shows.pop_front();
  shows.push_back(show);
}

void LayoutGate::show_early_frames() {
  for (const auto& [stream, shows] : std::exchange(early_, {})) {
    for (const sail::FrameShow& early : shows) show(stream, early);
  }
}

}  // namespace receiver
