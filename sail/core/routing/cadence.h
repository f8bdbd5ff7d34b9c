// Frame pacing: decides which display refresh shows a frame. Pure; all times are of one clock.
//
// A display shows the picture that was swapped in before its refresh begins. A swap time therefore
// selects the same refresh on all displays if no display begins one at or near that time. Such
// times lie in the largest gap that the displays' refreshes leave in a period. The span from the
// middle of that gap to the next one is a *slot*: in each slot every display begins one refresh.
//
// Frames are assigned to slots by a separate timeline: the wanted times without their jitter. The
// pattern is the steadiest possible (24 frames/s on 60 Hz: 2, 3, 2, 3 refreshes), since the
// timeline does not depend on what was shown: a late frame does not affect later ones.
#pragma once

#include <cstdint>
#include <span>

#include "sail/core/wire/data/data_messages.h"

namespace sail {

// Combines the refreshes of several displays. Displays with unknown refresh are ignored. The result
// is unknown if the rates differ by more than the tolerance for equal rates.
Refresh together(std::span<const Refresh> refreshes);

// When a display, or the first of several, begins its next refresh; now_ns if that is unknown.
int64_t next_refresh_ns(const Refresh& refresh, int64_t now_ns);

class Cadence {
 public:
  // Tolerated deviation of the wanted times from an even rate.
  static constexpr int64_t kJitterNs = 2'000'000;

  // interval_ns: frame interval given by the application; 0: unknown.
  explicit Cadence(double interval_ns = 0) : interval_ns_(interval_ns) {}

  // Returns when to swap the frame with presentation time present_ns (0: as soon as possible) on
  // displays with that refresh, all of which can show it from soonest_ns on. Frames come in order.
  int64_t place(int64_t present_ns, int64_t soonest_ns, const Refresh& refresh);

 private:
  double interval_ns_;
  bool begun_ = false;
  int64_t wanted_ns_ = 0;  // wanted time of the last frame
  int64_t slot_ns_ = 0;    // start of its slot
  double offset_ns_ = 0;   // position of the timeline in that slot
};

}  // namespace sail
