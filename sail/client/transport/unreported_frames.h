// Frames that were sent to a receiver and not reported yet, and since when the receiver owes an
// answer about each: first frame_ready, and once the frame's presentation time was sent,
// frame_report. In between the receiver waits for the decision to show the frame, which may depend
// on other receivers, on a group's coordinator and on the manager. That wait is not the receiver's
// fault, however long it is. Pure; times are steady ns. No allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

class UnreportedFrames {
 public:
  static constexpr int64_t kNothingOwed = INT64_MAX;
  struct Frame {
    FrameName name;
    int64_t begun_ns = 0;
    int64_t owed_since_ns = kNothingOwed;
  };

  // At most kMaxFramesInFlight.
  size_t count() const { return count_; }
  // Oldest first.
  std::span<const Frame> frames() const { return {frames_.data(), count_}; }
  bool has(const FrameName& name) const {
    return std::ranges::any_of(frames(), [&](const Frame& frame) { return frame.name == name; });
  }
  // The earliest time since which an answer is owed; kNothingOwed: none is.
  int64_t owed_since_ns() const {
    int64_t since_ns = kNothingOwed;
    for (const Frame& frame : frames()) since_ns = std::min(since_ns, frame.owed_since_ns);
    return since_ns;
  }

  void clear() { count_ = 0; }
  // The frame is sent from now on. Requires count() < kMaxFramesInFlight.
  void begin(const FrameName& name, int64_t now_ns) {
    frames_[count_++] = {.name = name, .begun_ns = now_ns, .owed_since_ns = now_ns};
  }
  // The receiver has the frame. Its presentation time comes later.
  void ready(const FrameName& name) {
    for (Frame& frame : sent()) {
      if (frame.name == name) frame.owed_since_ns = kNothingOwed;
    }
  }
  // The presentation time was sent; the frame is due at due_ns. The receiver shows this frame and
  // drops older ones, also those of earlier maps. If the frame is dropped because its layout was
  // abandoned, frames of earlier maps are decided soon, or never (SwapPlan::revert): a link that
  // stays full of them is to be closed.
  void show(const FrameShow& show, int64_t due_ns) {
    for (Frame& frame : sent()) {
      const bool same_map = frame.name.epoch == show.epoch && frame.name.frame <= show.frame;
      const bool earlier_map = frame.name.epoch < show.epoch;
      if (same_map || earlier_map) frame.owed_since_ns = std::min(frame.owed_since_ns, due_ns);
    }
  }
  // The frame was reported. Returns it; empty: it was not sent, or was reported before.
  std::optional<Frame> take(const FrameName& name) {
    for (size_t i = 0; i < count_; ++i) {
      if (frames_[i].name != name) continue;
      const Frame taken = frames_[i];
      std::copy(frames_.begin() + static_cast<ptrdiff_t>(i) + 1,
                frames_.begin() + static_cast<ptrdiff_t>(count_--),
                frames_.begin() + static_cast<ptrdiff_t>(i));
      return taken;
    }
    return std::nullopt;
  }

 private:
  std::span<Frame> sent() { return {frames_.data(), count_}; }

  std::array<Frame, kMaxFramesInFlight> frames_{};
  size_t count_ = 0;
};

}  // namespace sail
