// When to look at a screen again: as often as pictures are wanted while anything happens, and less
// often where nothing has happened for a while, since each look costs the X server and us a round
// trip. Pure; steady times.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sail {

class LookPace {
 public:
  // What happens after a rest is seen at most that much later.
  static constexpr int64_t kRestNs = 50'000'000;
  // For so long nothing happens before it rests.
  static constexpr int64_t kStillNs = 1'000'000'000;

  explicit LookPace(int64_t interval_ns) : interval_ns_(interval_ns) {}

  // Something was drawn, or came from the wall.
  void stir(int64_t now_ns) { stirred_ns_ = now_ns; }
  // looked_ns: when the last look was due.
  int64_t due_ns(int64_t looked_ns) const {
    const bool rests = looked_ns - stirred_ns_ >= kStillNs;
    return looked_ns + (rests ? std::max(interval_ns_, kRestNs) : interval_ns_);
  }

 private:
  const int64_t interval_ns_;
  int64_t stirred_ns_ = 0;
};

}  // namespace sail
