// When a ticker's frames are shown: at whole multiples of their interval in wall time, so that each
// step has the same length. Pure.
#pragma once

#include <cstdint>

#include "sail/core/time/clock.h"

namespace sail {

class TickerPace {
 public:
  // speed: pixels a second, a multiple of kTickerSpeedStep.
  explicit TickerPace(int speed)
      : fps_(speed % kManyFps == 0 ? kManyFps : kFewFps), speed_(speed) {}

  int fps() const { return fps_; }
  // Pixels from one frame to the next.
  int step() const { return speed_ / fps_; }

  // How long before its presentation time a frame is submitted: for encoding and transport.
  int64_t ahead_ns() const { return 2 * kSecondNs / fps_; }

  // The last frame that is not due after this wall time.
  int64_t frame_at(int64_t wall_ns) const {
    return wall_ns / kSecondNs * fps_ + wall_ns % kSecondNs * fps_ / kSecondNs;
  }
  // Rounded up, so that frame_at() of it is the frame.
  int64_t present_ns(int64_t frame) const {
    return frame / fps_ * kSecondNs + (frame % fps_ * kSecondNs + fps_ - 1) / fps_;
  }

 private:
  static constexpr int kManyFps = 60;
  static constexpr int kFewFps = 30;

  int fps_;
  int speed_;
};

}  // namespace sail
