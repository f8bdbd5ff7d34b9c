// Which refresh of the displays shows which frame. Pure; all times of one clock.
//
// A display shows what was swapped when it begins its next picture. So an instant decides for all
// displays alike which refresh of theirs that is when it is one at which none of them begins a
// picture, nor soon before or after. The largest gap that their beginnings leave in a period is
// where such instants are. From its middle to the next one is a *slot*: in each, every display
// begins one picture.
//
// Frames go to slots by a line of their own: the times at which they are wanted, without their
// jitter. The slots that come out of it are the steadiest pattern there is (24 frames a second on
// 60 Hz: 2, 3, 2, 3), since the line knows nothing of what was shown: a frame that came late
// changes nothing for those after it.
#pragma once

#include <cstdint>
#include <span>

#include "sail/wire/data_messages.h"

namespace sail {

// All of these displays together. Those whose refresh is not known do not count; it is not known of
// all when they differ by more than displays of one rate do.
Refresh together(std::span<const Refresh> refreshes);

// When a display, or the first of several, begins its next picture; at once where nobody knows.
int64_t next_refresh_ns(const Refresh& refresh, int64_t now_ns);

class Cadence {
 public:
  // Frames are wanted by so much sooner or later than evenly, and nothing comes of it.
  static constexpr int64_t kJitterNs = 2'000'000;

  // interval_ns: of the frames, as the application says; 0: unknown.
  explicit Cadence(double interval_ns = 0) : interval_ns_(interval_ns) {}

  // When to swap the frame that is to be seen at present_ns, 0: as soon as it can, by displays of
  // that refresh, all of which can show it from soonest_ns on. Each frame once, in order.
  int64_t place(int64_t present_ns, int64_t soonest_ns, const Refresh& refresh);

 private:
  double interval_ns_;
  bool begun_ = false;
  int64_t wanted_ns_ = 0;  // the last frame was
  int64_t slot_ns_ = 0;    // the beginning of its slot
  double offset_ns_ = 0;   // of the line in that
};

}  // namespace sail
