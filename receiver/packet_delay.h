// How long a connection's packets take, by the stamps in them and the wall's clock. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace receiver {

class PacketDelay {
 public:
  // Wall times modulo 2^32 µs, and our steady time.
  void add(uint32_t sent_us, uint32_t arrived_us, int64_t now_ns);

  struct Values {
    uint32_t jitter_us = 0;  // RFC 3550, 6.4.1
    uint32_t delay_us = 0;   // mean since the last time it was asked for; 0 if the clocks say less
    uint32_t queue_us = 0;   // what of it is above the least of the last ten seconds
  };
  Values take();

 private:
  static constexpr int kSeconds = 10;
  struct Second {
    int64_t number = std::numeric_limits<int64_t>::min();
    int64_t least_us = 0;
  };
  int64_t least_us() const;

  std::array<Second, kSeconds> seconds_;
  int64_t second_ = 0;  // of the last packet
  double jitter_us_ = 0;
  bool any_ = false;
  int64_t last_us_ = 0;  // what the last packet took
  int64_t sum_us_ = 0;   // of those since the last take()
  int64_t count_ = 0;
  Values values_;
};

}  // namespace receiver
