// Finds out that receivers cannot decode a carried stream in time. Pure; one thread.
#pragma once

#include <cstdint>

#include "sail/sail.h"

namespace sail {

class CarriedWatch {
 public:
  // stats: of the present stream; call restart() before those of a new stream. now_ns: steady time.
  // Call at least once a second. Returns true if most frames came too late, but not all, in three
  // periods of 2 s without a good one between them, while the links had room. Without a frame on
  // all tiles, a receiver is stopped or cut off, or its decoder hangs.
  bool too_slow(const sail_stream_stats& stats, int64_t now_ns);
  void take(const sail_link_stats& link, int64_t now_ns);
  void restart() { *this = {}; }

 private:
  int64_t since_ns_ = 0;        // start of the present period; 0: none
  sail_stream_stats before_{};  // by then
  int64_t link_busy_ns_ = 0;    // last time at which a link had no room
  int bad_periods_ = 0;
};

}  // namespace sail
