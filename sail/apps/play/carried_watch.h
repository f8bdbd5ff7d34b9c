// Finds out that receivers cannot decode a carried stream in time. Pure; one thread.
#pragma once

#include <cstdint>

#include "sail/sail.h"

namespace sail {

class CarriedWatch {
 public:
  // stats: of the stream now; from a new stream on, call restart() first. now_ns: steady time. Call
  // at least once a second. Returns true if receivers did not show most of the frames for 4 s,
  // although the links had room.
  bool too_slow(const sail_stream_stats& stats, int64_t now_ns);
  void take(const sail_link_stats& link, int64_t now_ns);
  void restart() { *this = {}; }

 private:
  int64_t since_ns_ = 0;      // start of the present second; 0: none
  uint64_t submitted_ = 0;    // by then
  uint64_t late_ = 0;         // by then
  int64_t link_busy_ns_ = 0;  // last time at which a link had no room
  int bad_seconds_ = 0;       // in a row
};

}  // namespace sail
