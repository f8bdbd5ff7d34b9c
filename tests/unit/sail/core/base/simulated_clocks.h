// Two clocks and the network between them, in virtual time: the clock of an application or
// receiver, and the manager's.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "sail/core/time/clock.h"

namespace sail {

constexpr double kMicrosecondNs = 1000;

class SimulatedClock {
 public:
  explicit SimulatedClock(int64_t start_ns, double drift_ppm = 0)
      : start_ns_(start_ns), drift_(drift_ppm * 1e-6) {}

  int64_t at(int64_t true_ns) const {
    const auto passed_ns = static_cast<double>(true_ns);
    const double wandered_ns =
        wander_ * kWanderPeriodNs / 6.283 * (1 - std::cos(6.283 * passed_ns / kWanderPeriodNs));
    return start_ns_ + true_ns + std::llround(drift_ * passed_ns + wandered_ns);
  }
  void jump(int64_t by_ns) { start_ns_ += by_ns; }
  // The drift varies by this much in both directions.
  void wander(double ppm) { wander_ = ppm * 1e-6; }

 private:
  static constexpr double kWanderPeriodNs = 1800e9;
  int64_t start_ns_;
  double drift_;
  double wander_ = 0;
};

// Delay of a message; a share of messages also waits in a queue.
struct SimulatedWay {
  double least_us = 100;
  double jitter_us = 20;  // mean
  double queued = 0;      // share
  double queue_us = 0;    // mean

  int64_t delay_ns(std::mt19937_64& random) const {
    double us = least_us + mean(jitter_us, random);
    if (std::bernoulli_distribution(queued)(random)) us += mean(queue_us, random);
    return std::llround(us * kMicrosecondNs);
  }

 private:
  static double mean(double us, std::mt19937_64& random) {
    return us > 0 ? std::exponential_distribution(1 / us)(random) : 0;
  }
};

}  // namespace sail
