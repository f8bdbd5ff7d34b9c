#include "sail/base/clock.h"

#include <algorithm>
#include <chrono>

namespace sail {
namespace {
constexpr size_t kWindow = 16;
}

int64_t steady_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void ClockSync::add(int64_t sent_ns, int64_t manager_ns, int64_t received_ns) {
  const int64_t round_trip_ns = received_ns - sent_ns;
  if (round_trip_ns < 0) return;
  samples_.push_back({round_trip_ns, manager_ns - (sent_ns + round_trip_ns / 2)});
  if (samples_.size() > kWindow) samples_.pop_front();
}

const ClockSync::Sample* ClockSync::best() const {
  const auto it = std::min_element(
      samples_.begin(), samples_.end(),
      [](const Sample& a, const Sample& b) { return a.round_trip_ns < b.round_trip_ns; });
  return it == samples_.end() ? nullptr : &*it;
}

int64_t ClockSync::offset_ns() const {
  const Sample* sample = best();
  return sample ? sample->offset_ns : 0;
}

int64_t ClockSync::error_ns() const {
  const Sample* sample = best();
  return sample ? sample->round_trip_ns / 2 : 0;
}

}  // namespace sail
