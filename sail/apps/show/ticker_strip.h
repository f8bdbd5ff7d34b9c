// A ticker: the picture of its line, and when which part of the picture is shown.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sail/apps/show/still.h"
#include "sail/core/base/result.h"
#include "sail/core/time/clock.h"

namespace sail {

struct TickerColours {
  uint32_t ink = 0;  // 0xRRGGBB
  uint32_t paper = 0;
};

// The picture of a ticker's line, drawn once; each frame is a part of it. The strip repeats without
// end. One thread draws it; then any thread reads it.
class TickerStrip {
 public:
  // height: of the frames, pixels. A text that needs more than 64 MiB is cut, and ends with "…".
  static Result<TickerStrip> draw(const std::string& text, int height,
                                  const TickerColours& colours);

  int height() const { return picture_.size.height; }
  // The strip repeats after this number of pixels.
  int period() const { return picture_.size.width; }
  // The text reads from right to left, so it moves to the right.
  bool right_to_left() const { return right_to_left_; }
  bool shortened() const { return shortened_; }

  // Fills the frame, which has the strip's height, with the strip after it has moved by this number
  // of pixels. At 0 the text begins at the frame's edge.
  void copy(int64_t moved, Raster& frame) const;

 private:
  TickerStrip(Raster picture, bool right_to_left, bool shortened)
      : picture_(std::move(picture)), right_to_left_(right_to_left), shortened_(shortened) {}

  Raster picture_;
  bool right_to_left_;
  bool shortened_;
};

// When a ticker's frames are shown: at whole multiples of their interval in wall time, so that each
// step has the same length. Pure.
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
