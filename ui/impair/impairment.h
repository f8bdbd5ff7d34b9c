// Impairments of a network path, as text: "loss=1%,burst=8,delay=50ms,rate=800mbit".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

struct Impairment {
  double loss = 0;       // fraction of packets, 0 to 1
  double burst = 1;      // mean length of loss bursts; 1: independent losses
  double delay_ms = 0;   // one way, in each direction, so the round trip grows by twice as much
  double jitter_ms = 0;  // the delay varies between delay - jitter and delay + jitter
  double reorder = 0;    // fraction of packets delayed a little, so that others overtake them
  double duplicate = 0;  // fraction of packets delivered twice
  double rate_bit_per_s = 0;  // 0: no limit
  double queue_ms = 100;  // queue in front of a limited rate; packets that exceed it are dropped
  uint64_t seed = 1;
  bool both = false;  // apply everything in both directions, not only the delay

  bool operator==(const Impairment&) const = default;
};

// Parses "name=value,…" as changes to `base`. "none" and "" clear all impairments of `base` but
// keep its seed and `both`. Fractions: "1%" or "0.01"; times: "5ms", "2s" or "300us"; rates:
// "800mbit", "1gbit" or "64kbit" ("0": no limit); "both" has no value. Returns kInvalidParams with
// a description of the error.
Result<Impairment> parse_impairment(std::string_view text, const Impairment& base = {});
// Returns the text that parse_impairment() converts to an equal value.
std::string impairment_text(const Impairment& impairment);

// Returns the impairment of the direction back to the client: with `both` everything, with another
// seed; otherwise only the delay.
Impairment backward(const Impairment& impairment);

struct ScheduledImpairment {
  int64_t after_ms = 0;
  Impairment impairment;
};
// Parses "0s:loss=1%;10s:rate=40mbit;20s:none". Times must not decrease; each entry is a change to
// `base`. Errors as in parse_impairment().
Result<std::vector<ScheduledImpairment>> parse_schedule(std::string_view text,
                                                        const Impairment& base);

}  // namespace sail
