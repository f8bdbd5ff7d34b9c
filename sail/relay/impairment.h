// What a network path does to packets, said in words: "loss=1%,burst=8,delay=50ms,rate=800mbit".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"

namespace sail {

struct Impairment {
  double loss = 0;            // share of packets, 0 to 1
  double burst = 1;           // mean length of losses in a row; 1: each by itself
  double delay_ms = 0;        // one way, in each direction: the round trip grows by twice as much
  double jitter_ms = 0;       // the delay wanders between delay - jitter and delay + jitter
  double reorder = 0;         // share of packets that are held back a little and so overtaken
  double duplicate = 0;       // share of packets that come twice
  double rate_bit_per_s = 0;  // 0: no limit
  double queue_ms = 100;      // what waits for a limited rate; packets beyond are dropped
  uint64_t seed = 1;
  bool both = false;  // all of it in both directions, instead of the delay only

  bool operator==(const Impairment&) const = default;
};

// "name=value,…" as changes to `base`; "none" and "" are its seed and directions without anything
// else. Shares are "1%" or "0.01", times "5ms", "2s" or "300us", rates "800mbit", "1gbit" or
// "64kbit" ("0": no limit); "both" stands alone. kInvalidParams says what is wrong.
Result<Impairment> parse_impairment(std::string_view text, const Impairment& base = {});
// What parse_impairment makes the same value of.
std::string impairment_text(const Impairment& impairment);

// What the direction back to the client gets: all of it, drawn anew, or the delay only.
Impairment backward(const Impairment& impairment);

struct ScheduledImpairment {
  int64_t after_ms = 0;
  Impairment impairment;
};
// "0s:loss=1%;10s:rate=40mbit;20s:none", times growing; each is changes to `base`.
Result<std::vector<ScheduledImpairment>> parse_schedule(std::string_view text,
                                                        const Impairment& base);

}  // namespace sail
