// When pieces of sound are heard that come as they are made. Pure.
#pragma once

#include <cstdint>
#include <optional>

namespace sail {

// Evenly, by the clock of who made them, and so long after they came that one which comes a little
// later is in time, too. A clock that is faster or slower than ours is followed so slowly that
// nobody hears it.
class EvenTimes {
 public:
  static constexpr int64_t kAheadNs = 80'000'000;
  struct Time {
    int64_t at_ns = 0;
    bool anew = false;  // it does not follow what was before
  };
  // made_ns: by their clock, 0 to kMaxTimeNs; now_ns: by ours, when it has come.
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
  // What is not that much ahead, or more, is of clocks that differ, or was held up.
  static constexpr int64_t kLeastAheadNs = 10'000'000;
  static constexpr int64_t kMostAheadNs = 300'000'000;
  static constexpr int64_t kPiecesToFollow = 256;

  std::optional<int64_t> offset_ns_;  // from their clock to when it is heard by ours
};

}  // namespace sail
