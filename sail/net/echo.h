// Whether packets of a size reach a host and come back: ICMP echo, which every host answers. May
// wait; any thread but a loop's.
#pragma once

#include <string>

#include "sail/base/result.h"

namespace sail {

struct EchoTally {
  int sent = 0;
  int came = 0;
  double round_trip_ms = 0;  // the median; 0: none came
  bool too_large = false;    // this host's own interface takes no packet that large
};

// So many packets of that size, all in all, none of which may be cut to pieces on the way.
// host: a numeric address. kUnavailable when this user may send none.
Result<EchoTally> echo(const std::string& host, int packet_bytes, int count);

}  // namespace sail
