// One direction of a relay: what it does to what comes, and what came of it.
#pragma once

#include <cstdint>

#include "sail/relay/packet_path.h"

namespace sail {

// What goes on leaves up to that much late, together, so that a fast stream does not wake us for
// each packet.
constexpr int64_t kGatherNs = 100'000;

struct LaneCounters {
  uint64_t packets = 0;  // datagrams that came
  uint64_t bytes = 0;    // of them
  uint64_t passed = 0;   // packets sent on, doubles not counted
  uint64_t lost = 0;
  uint64_t queue_full = 0;  // dropped: more than the rate carries, or than there is memory for
  uint64_t held_back = 0;
  uint64_t duplicated = 0;
  uint64_t stream_bytes = 0;       // of TCP connections
  uint64_t stream_sent_again = 0;  // pieces of them that were lost on the way and sent again
};

struct Lane {
  PacketPath path;
  LaneCounters counters;
};

}  // namespace sail
