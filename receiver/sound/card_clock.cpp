#include "receiver/sound/card_clock.h"

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace receiver {
namespace {

// Larger errors mean that the card stalled or the clock was set; the loop restarts.
constexpr int64_t kCardLostNs = 100'000'000;
constexpr double kBandwidthHz = 0.1;

}  // namespace

CardClock::CardClock(int rate) : usual_ns_(1e9 / rate), sample_ns_(usual_ns_) {}

int64_t CardClock::next(int64_t now_ns, size_t samples) {
  const auto count = static_cast<double>(samples);
  if (!running_ || std::abs(now_ns - next_ns_) > kCardLostNs) {
    running_ = true;
    sample_ns_ = usual_ns_;
    next_ns_ = now_ns;
    off_ns_ = 0;
  }
  const int64_t at_ns = next_ns_;
  const double error_ns = static_cast<double>(now_ns - at_ns) - off_ns_;
  const double omega = 2 * std::numbers::pi * kBandwidthHz * count * usual_ns_ / 1e9;
  const double ahead_ns = off_ns_ + count * sample_ns_ + std::numbers::sqrt2 * omega * error_ns;
  sample_ns_ += omega * omega * error_ns / count;
  const double whole_ns = std::floor(ahead_ns);
  next_ns_ += static_cast<int64_t>(whole_ns);
  off_ns_ = ahead_ns - whole_ns;
  return at_ns;
}

}  // namespace receiver
