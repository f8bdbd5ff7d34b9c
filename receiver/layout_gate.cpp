#include "receiver/layout_gate.h"

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
  announced_ = std::move(layout);
  pending_ = true;
  from_former_manager_ = false;
}

void LayoutGate::go(const sail::Go& go) {
  if (!pending_ || from_former_manager_ || announced_.epoch != go.scene_epoch) return;
  show_announced(go.at_ns, go.frames, 0);
  show_early_frames();
}

void LayoutGate::show_announced(int64_t at_ns, const std::vector<sail::Go::Frame>& frames,
                                uint32_t asked_by) {
  pending_ = false;
  shown_at_ns_ = at_ns;
  screen_.show_layout(std::make_shared<const sail::Scene>(announced_), at_ns, frames, asked_by);
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
  const bool announced = show.epoch <= announced_.epoch;
  if (announced && !pending_) return;
  if (!announced || (managed_ && !from_former_manager_)) {
    keep_early(stream, show);
  } else {
    show_announced(show.at_ns, {{stream, show.frame, show.epoch}}, stream);
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
