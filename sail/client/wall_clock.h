// The wall's time as the application's threads may ask for it. The loop thread sets what it learned
// of the manager's clock; any thread reads.
#pragma once

#include <atomic>
#include <cstdint>

#include "sail/base/clock.h"

namespace sail {

class WallClock {
 public:
  int64_t now_ns() const { return steady_now_ns() + offset_ns_.load(std::memory_order_relaxed); }
  void set_offset_ns(int64_t offset_ns) { offset_ns_.store(offset_ns, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> offset_ns_{0};
};

}  // namespace sail
