// The 1€ filter for noisy positions: smooth when slow, low latency when fast (Casiez, Roussel,
// Vogel: "1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems",
// CHI 2012). Pure.
#pragma once

#include <cmath>
#include <numbers>

namespace ui {

class OneEuro {
 public:
  // A smaller min_cutoff_hz gives less jitter at rest; a larger beta gives less lag in fast motion.
  OneEuro(double min_cutoff_hz, double beta) : min_cutoff_hz_(min_cutoff_hz), beta_(beta) {}

  // dt_s: time since the value before, greater than 0; ignored for the first value.
  double filter(double value, double dt_s) {
    if (!started_) {
      started_ = true;
      value_ = value;
      return value;
    }
    constexpr double kSpeedCutoffHz = 1;
    const double speed = (value - value_) / dt_s;
    speed_ += share(kSpeedCutoffHz, dt_s) * (speed - speed_);
    value_ += share(min_cutoff_hz_ + beta_ * std::abs(speed_), dt_s) * (value - value_);
    return value_;
  }

 private:
  // Weight of the new value in a low-pass filter with this cutoff frequency.
  static double share(double cutoff_hz, double dt_s) {
    const double tau_s = 1 / (2 * std::numbers::pi * cutoff_hz);
    return 1 / (1 + tau_s / dt_s);
  }

  double min_cutoff_hz_;
  double beta_;
  bool started_ = false;
  double value_ = 0;
  double speed_ = 0;  // low-pass filtered
};

}  // namespace ui
