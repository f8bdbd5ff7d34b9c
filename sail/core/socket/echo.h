// Tests whether packets of a given size reach a host and return, using ICMP echo. Blocks: call it
// on any thread except a loop's.
#pragma once

#include <string>

#include "sail/core/base/result.h"

namespace sail {

struct EchoTally {
  int sent = 0;
  int came = 0;
  double round_trip_ms = 0;  // median; 0: no answers
  bool too_large = false;    // larger than the MTU of this host's own interface
};

// Sends `count` packets of packet_bytes, including IP headers, without fragmentation. host: a
// numeric address. Fails with kUnavailable if this user may not send ICMP echo.
Result<EchoTally> echo(const std::string& host, int packet_bytes, int count);

}  // namespace sail
