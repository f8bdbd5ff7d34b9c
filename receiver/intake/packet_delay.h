// Measures delay and jitter of a connection's packets by their time stamps (wall time). Pure.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace receiver {

class PacketDelay {
 public:
  // sent_us and arrived_us: wall time modulo 2^32 µs; now_ns: steady time.
  void add(uint32_t sent_us, uint32_t arrived_us, int64_t now_ns);

  struct Values {
    uint32_t jitter_us = 0;  // RFC 3550, 6.4.1
    uint32_t delay_us = 0;   // mean since the last take(); 0 if negative because of clock error
    uint32_t queue_us = 0;   // queuing delay: mean delay above the minimum of the last ten seconds
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
  int64_t second_ = 0;  // arrival second of the last packet
  double jitter_us_ = 0;
  bool any_ = false;
  int64_t last_us_ = 0;  // delay of the last packet
  int64_t sum_us_ = 0;   // total delay since the last take()
  int64_t count_ = 0;
  Values values_;
};

}  // namespace receiver
