// What is known of a stream's way to one receiver, and of its frames: for people, applications and
// logs. Plain values; counters since the stream was opened, rates over the last second.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sail/wire/packets.h"
#include "sail/wire/transport.h"

namespace sail {

struct LinkStats {
  std::string receiver;
  Transport transport = Transport::kTcp;
  double mbit_per_s = 0;        // handed to the network, UDP and IP headers not counted
  double limit_mbit_per_s = 0;  // what the link is thought to carry; 0: no limit was met (UDP)
  double rtt_ms = 0;
  double busy_pct = 0;         // of the last second in which bytes waited for the network (TCP)
  double delay_ms = 0;         // one way, mean (UDP)
  double queue_ms = 0;         // what of it is above the least of the last ten seconds (UDP)
  double jitter_ms = 0;        // (UDP)
  double fec_pct = 0;          // parity, of the frames' bytes (UDP)
  uint64_t bytes_parity = 0;   // of bytes_sent (UDP)
  uint64_t packets_sent = 0;   // (UDP)
  uint64_t bytes_sent = 0;     // on the wire, parity and repetitions too
  uint64_t retransmitted = 0;  // packets sent again (TCP: segments, by the system)
  LinkCounters counters{};     // the receiver's (UDP)
  int reduction = 0;           // halvings of the picture on account of the link
};

// Frames dropped, by cause.
struct DropCounts {
  uint64_t superseded = 0;  // a later one was shown in its place
  uint64_t old_epoch = 0;   // routed for a layout that is no longer shown
  uint64_t incomplete = 0;  // it builds on a frame that was lost
  uint64_t hidden = 0;      // no tile shows the window
  uint64_t lost = 0;        // packets were lost and not mended in time
  uint64_t unsent = 0;      // receivers or links had not kept up: it was never sent everywhere

  bool operator==(const DropCounts&) const = default;
};

}  // namespace sail
