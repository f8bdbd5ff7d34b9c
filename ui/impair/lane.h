// One direction of a relay: its impaired path and its counters.
#pragma once

#include <cstdint>

#include "ui/impair/packet_path.h"

namespace sail {

// Packets may leave this much late, so that a fast stream is sent in batches.
constexpr int64_t kGatherNs = 100'000;

struct LaneCounters {
  uint64_t packets = 0;  // datagrams received
  uint64_t bytes = 0;    // bytes of these datagrams
  uint64_t passed = 0;   // packets forwarded, without duplicates
  uint64_t lost = 0;
  uint64_t queue_full = 0;  // dropped: exceeded the rate's queue or the memory limit
  uint64_t held_back = 0;
  uint64_t duplicated = 0;
  uint64_t stream_bytes = 0;       // bytes of TCP connections
  uint64_t stream_sent_again = 0;  // pieces delayed by a simulated retransmission
};

struct Lane {
  PacketPath path;
  LaneCounters counters;
};

}  // namespace sail
