// Timing of a stream: the interval between frames, the delay from submission until receivers must
// have a frame ready, and the number of frames in flight. Pure; times in ns.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/client/transport/frame_transport.h"

namespace sail {

class StreamPace {
 public:
  // fps: nominal; 0: unknown. delay_ms: requested by the application; -1: chosen from the links.
  StreamPace(double fps, int delay_ms);

  // Adds a submitted frame. Numbers increase; missing numbers are frames that were turned away.
  void add_frame(uint64_t number, int64_t submitted_ns);
  // Call once per frame with the worst path delays of all links; empty: no link retransmits.
  void adapt(int64_t now_ns, const std::optional<FrameTransport::PathDelays>& delays);

  int64_t interval_ns() const { return interval_ns_; }
  int64_t delay_ns() const { return delay_ns_; }
  // Number of unreported frames to allow, so that sending does not wait for reports.
  int frames_in_flight() const;

 private:
  // Calm links need less reserve. Each trouble that ends a calm doubles the time until the next; a
  // new link, as when a window comes to another tile, does not.
  void update_calm(int64_t now_ns, const FrameTransport::PathDelays& delays);

  int delay_ms_;
  int64_t interval_ns_;
  uint64_t last_frame_ = 0;
  int64_t last_submitted_ns_ = 0;
  int64_t delay_ns_ = 0;
  int64_t adapted_at_ns_ = 0;
  int64_t round_trip_ns_ = 0;
  int64_t trouble_ns_ = 0;     // last trouble of any link
  int64_t calm_after_ns_ = 0;  // calm begins after this time without trouble
  bool calm_ = false;
};

}  // namespace sail
