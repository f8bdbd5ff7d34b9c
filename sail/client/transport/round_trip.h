// Smoothed round-trip time of a packet and its answer. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sail {

class RoundTrip {
 public:
  // Sets an estimate until the first measurement.
  void guess(int64_t ns) {
    mean_ns_ = std::min(ns, kLongestGuessNs);
    measured_ = false;
  }
  // Adds a measurement: a packet sent at echo_us was answered after being held for hold_us. Times
  // are modulo 2^32. The peer is not trusted: impossible values are ignored.
  void add(uint32_t now_us, uint32_t echo_us, uint32_t hold_us) {
    const uint32_t passed_us = now_us - echo_us;
    if (passed_us > kLongestUs || hold_us > passed_us) return;
    const int64_t sample_ns = int64_t{1000} * (passed_us - hold_us);
    mean_ns_ = measured_ ? mean_ns_ + (sample_ns - mean_ns_) / kSmooth : sample_ns;
    measured_ = true;
  }
  int64_t mean_ns() const { return mean_ns_; }

 private:
  static constexpr uint32_t kLongestUs = 10'000'000;
  // The receiver may have been busy when the estimate was measured.
  static constexpr int64_t kLongestGuessNs = 100'000'000;
  static constexpr int64_t kSmooth = 8;
  int64_t mean_ns_ = 0;
  bool measured_ = false;
};

}  // namespace sail
