// Computes presentation times for pieces of sound that arrive live. Pure.
#pragma once

#include <cstdint>
#include <optional>

namespace sail {

// Times are evenly spaced by the source's clock. They are kAheadNs after arrival, so that later
// pieces are in time, too. Differences in clock rate are followed too slowly to be audible.
class EvenTimes {
 public:
  static constexpr int64_t kAheadNs = 80'000'000;
  struct Time {
    int64_t at_ns = 0;
    bool anew = false;  // there is a gap or jump before this piece
  };
  // made_ns: by the source's clock, 0 to kMaxTimeNs. now_ns: arrival by the local clock.
  Time time_of(int64_t made_ns, int64_t now_ns) {
    const bool first = !offset_ns_;
    const int64_t ahead_ns = first ? 0 : made_ns + *offset_ns_ - now_ns;
    const bool anew = ahead_ns < kLeastAheadNs || ahead_ns > kMostAheadNs;
    if (anew) offset_ns_ = now_ns + kAheadNs - made_ns;
    const int64_t at_ns = made_ns + *offset_ns_;
    *offset_ns_ += (now_ns + kAheadNs - at_ns) / kPiecesToFollow;
    return {at_ns, anew && !first};
  }

 private:
  // Outside these limits a piece was delayed or the clock has jumped.
  static constexpr int64_t kLeastAheadNs = 10'000'000;
  static constexpr int64_t kMostAheadNs = 300'000'000;
  static constexpr int64_t kPiecesToFollow = 256;

  std::optional<int64_t> offset_ns_;  // from the source's clock to local presentation time
};

}  // namespace sail
