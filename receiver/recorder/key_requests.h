// Viewers' requests for key pictures, of which few are served: a key picture is large. Pure.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace receiver {

class KeyRequests {
 public:
  static constexpr int64_t kLeastPauseNs = 500'000'000;

  // Any thread.
  void ask() { asked_ = true; }
  // The encoder's thread. True if the next picture must be a key picture.
  bool take(int64_t now_ns) {
    if (!asked_ || now_ns < next_ns_) return false;
    asked_ = false;
    next_ns_ = now_ns + kLeastPauseNs;
    return true;
  }

 private:
  std::atomic<bool> asked_{false};
  int64_t next_ns_ = std::numeric_limits<int64_t>::min();
};

}  // namespace receiver
