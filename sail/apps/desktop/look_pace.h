// Decides when to check a screen for changes: at the wanted frame rate while there is activity,
// less often after a while without. Each costs a round trip to the X server. Pure; steady times.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sail {

class LookPace {
 public:
  // Maximum delay of the first change after a rest.
  static constexpr int64_t kRestNs = 50'000'000;
  // Time without activity before resting.
  static constexpr int64_t kStillNs = 1'000'000'000;

  explicit LookPace(int64_t interval_ns) : interval_ns_(interval_ns) {}

  // Call when something was drawn or came from the wall.
  void stir(int64_t now_ns) { stirred_ns_ = now_ns; }
  // looked_ns: due time of the last check.
  int64_t due_ns(int64_t looked_ns) const {
    const bool rests = looked_ns - stirred_ns_ >= kStillNs;
    return looked_ns + (rests ? std::max(interval_ns_, kRestNs) : interval_ns_);
  }

 private:
  const int64_t interval_ns_;
  int64_t stirred_ns_ = 0;
};

}  // namespace sail
