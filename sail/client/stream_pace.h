// The rhythm of a stream: how far its frames are apart, how long after their submission receivers
// are to have them ready, and how many are on their way at a time. Pure; times in ns.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/client/frame_carrier.h"

namespace sail {

class StreamPace {
 public:
  // fps: nominal, 0: unknown. delay_ms: as the application wants it; -1: by the links.
  StreamPace(double fps, int delay_ms);

  // A frame was submitted. Numbers grow; those between were turned away.
  void add_frame(uint64_t number, int64_t submitted_ns);
  // Once a frame, with the way on which mending takes longest; none: nothing is ever mended.
  void adapt(int64_t now_ns, const std::optional<FrameCarrier::Way>& way);

  int64_t interval_ns() const { return interval_ns_; }
  int64_t delay_ns() const { return delay_ns_; }
  // Begun and not reported, so that none waits for reports only.
  int frames_in_flight() const;

 private:
  const int delay_ms_;
  int64_t interval_ns_;
  uint64_t last_frame_ = 0;
  int64_t last_submitted_ns_ = 0;
  int64_t delay_ns_ = 0;
  int64_t adapted_at_ns_ = 0;
  int64_t round_trip_ns_ = 0;
};

}  // namespace sail
