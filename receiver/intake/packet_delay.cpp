#include "receiver/intake/packet_delay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {

void PacketDelay::add(uint32_t sent_us, uint32_t arrived_us, int64_t now_ns) {
  // Clock differences can make the delay negative.
  const int64_t took_us = static_cast<int32_t>(arrived_us - sent_us);
  if (any_) {
    const auto change_us = static_cast<double>(std::abs(took_us - last_us_));
    jitter_us_ += (change_us - jitter_us_) / 16;
  }
  any_ = true;
  last_us_ = took_us;
  sum_us_ += took_us;
  ++count_;
  second_ = now_ns / sail::kSecondNs;
  Second& second = seconds_[static_cast<size_t>(second_ % kSeconds)];
  if (second.number != second_) second = {second_, took_us};
  second.least_us = std::min(second.least_us, took_us);
}

int64_t PacketDelay::least_us() const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Second& second : seconds_) {
    if (second.number > second_ - kSeconds) least = std::min(least, second.least_us);
  }
  return least;
}

PacketDelay::Values PacketDelay::take() {
  if (count_ == 0) return values_;
  const int64_t mean_us = std::exchange(sum_us_, 0) / std::exchange(count_, 0);
  values_ = {.jitter_us = static_cast<uint32_t>(std::lround(jitter_us_)),
             .delay_us = static_cast<uint32_t>(std::max<int64_t>(mean_us, 0)),
             .queue_us = static_cast<uint32_t>(std::max<int64_t>(mean_us - least_us(), 0))};
  return values_;
}

}  // namespace receiver
