// The 1€ filter for noisy positions: steady when slow, quick when fast (Casiez, Roussel, Vogel: "1
// € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems", CHI
// 2012). Pure.
#pragma once

#include <cmath>
#include <numbers>

namespace ui {

class OneEuro {
 public:
  // min_cutoff_hz: less is steadier at rest; beta: more is less behind when fast.
  OneEuro(double min_cutoff_hz, double beta) : min_cutoff_hz_(min_cutoff_hz), beta_(beta) {}

  // dt_s: since the value before, more than 0; of the first it does not matter.
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
  // How much of the new value counts in a low pass with that cutoff.
  static double share(double cutoff_hz, double dt_s) {
    const double tau_s = 1 / (2 * std::numbers::pi * cutoff_hz);
    return 1 / (1 + tau_s / dt_s);
  }

  double min_cutoff_hz_;
  double beta_;
  bool started_ = false;
  double value_ = 0;
  double speed_ = 0;  // filtered
};

}  // namespace ui
