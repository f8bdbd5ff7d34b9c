#include "sail/client/transport/link_rate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A queue longer than kQueueMs for kQueuedNs is congestion; a shorter one may be a busy receiver.
constexpr double kQueueMs = 15;
constexpr int64_t kQueuedNs = 90 * kMillisecondNs;
// Loss during kLossNs, reduced by kLossDeviations standard deviations, is congestion if it exceeds
// kMostLoss. After congestion by loss the limit is kMostLossAgain.
constexpr double kMostLoss = 0.1;
constexpr double kMostLossAgain = 0.04;
constexpr int64_t kLossNs = 200 * kMillisecondNs;
constexpr double kLossDeviations = 3;

// Averaging time of the arrival rate. It is no longer than a queue or loss needs to be detected.
constexpr int64_t kReceivedNs = 100 * kMillisecondNs;
constexpr double kSlower = 0.87;                     // factor on the arrival rate
constexpr int64_t kEffectNs = 200 * kMillisecondNs;  // wait before judging, plus a round trip
constexpr double kDrained = 0.8;  // effective if less than this share of the queue is left
constexpr double kCured = 0.5;    // effective if less than this share of the loss is left
constexpr int kMostFutile = 2;

// Growth per kStepSeconds plus half a round trip, as a share of the distance to the last ceiling.
constexpr double kStepSeconds = 0.1;
constexpr double kOfDistance = 0.4;
constexpr double kSlowestStep = 0.01;
constexpr double kFastestStepBelow = 0.05;
constexpr double kFastestStepAbove = 0.2;
constexpr double kLongestStepSeconds = 0.2;

// The limit is dropped after this time without being reached. The time is shorter if more than
// kUsed of the rate is in use.
constexpr int64_t kForgetNs = 3000 * kMillisecondNs;
constexpr int64_t kForgetIdleNs = 30'000 * kMillisecondNs;
constexpr double kUsed = 0.5;
constexpr int64_t kUsedNs = 500 * kMillisecondNs;
constexpr int64_t kPointNs = 8 * kMillisecondNs;

double as_double(uint64_t value) {
  return static_cast<double>(value);
}

}  // namespace

void LinkRate::add(const Sample& sample) {
  const double seconds =
      std::clamp(static_cast<double>(sample.now_ns - last_ns_) / 1e9, 0.0, kLongestStepSeconds);
  last_ns_ = sample.now_ns;
  if (sample.limited) limited_ns_ = sample.now_ns;
  remember(sample);
  watch(sample);
  if (sample.now_ns < judge_ns_) return;
  if (sign_ != Sign::kNone) judge(sample);
  const Sign sign = sign_of_congestion(sample.now_ns);
  if (sign != Sign::kNone) {
    slow_down(sample, sign);
  } else {
    grow(sample, seconds);
  }
}

// --- received data ------------------------------------------------------------------------------

void LinkRate::remember(const Sample& sample) {
  const LinkCounters& counters = sample.counters;
  const Point point = {
      .at_ns = sample.now_ns,
      .packets = counters.packets_arrived,
      .bytes = counters.bytes_arrived,
      .lost = counters.packets_lost,
      .bursts = std::accumulate(counters.bursts.begin(), counters.bursts.end(), uint64_t{0})};
  const bool went_back = point.packets < now_.packets || point.bytes < now_.bytes ||
                         point.lost < now_.lost || point.bursts < now_.bursts;
  if (went_back) count_ = 0;
  now_ = point;
  if (count_ != 0 && point.at_ns - points_[newest_].at_ns < kPointNs) return;
  newest_ = (newest_ + 1) % kPoints;
  points_[newest_] = point;
  count_ = std::min(count_ + 1, kPoints);
}

LinkRate::Span LinkRate::over(int64_t ns) const {
  size_t back = 0;
  const auto point = [&]() -> const Point& {
    return points_[(newest_ + kPoints - back) % kPoints];
  };
  while (back + 1 < count_ && now_.at_ns - point().at_ns < ns) ++back;
  const Point& from = point();
  const double seconds = static_cast<double>(now_.at_ns - from.at_ns) / 1e9;
  const double lost = as_double(now_.lost - from.lost);
  const double sent = as_double(now_.packets - from.packets) + lost;
  if (seconds <= 0 || sent <= 0) return {};
  // The packets of a burst are not lost independently. Scale the deviation by the burst length.
  const double bursts = as_double(now_.bursts - from.bursts);
  const double burst = bursts > 0 ? std::max(lost / bursts, 1.0) : 1;
  const double chance = kLossDeviations * std::sqrt(lost * burst);
  return {.ns = now_.at_ns - from.at_ns,
          .bytes_per_s = as_double(now_.bytes - from.bytes) / seconds,
          .loss = lost / sent,
          .sure_loss = std::max(lost - chance, 0.0) / sent};
}

void LinkRate::watch(const Sample& sample) {
  other_queue_ms_ = std::min(other_queue_ms_, sample.queue_ms);
  other_loss_ = std::min(other_loss_, over(kLossNs).loss);
  queue_ms_ = sample.queue_ms - other_queue_ms_;
  if (queue_ms_ <= kQueueMs) {
    queued_since_ns_ = 0;
  } else if (queued_since_ns_ == 0) {
    queued_since_ns_ = sample.now_ns;
  }
}

LinkRate::Sign LinkRate::sign_of_congestion(int64_t now_ns) const {
  if (queued_since_ns_ != 0 && now_ns - queued_since_ns_ >= kQueuedNs) return Sign::kQueue;
  const double most = ceiling_sign_ == Sign::kLoss ? kMostLossAgain : kMostLoss;
  const Span span = over(kLossNs);
  const bool lossy = span.ns >= kReceivedNs && span.sure_loss > most + other_loss_;
  return lossy ? Sign::kLoss : Sign::kNone;
}

// --- decrease -----------------------------------------------------------------------------------

void LinkRate::slow_down(const Sample& sample, Sign sign) {
  if (futile_ == 0) rate_before_ = rate_;
  sign_ = sign;
  sign_before_ = sign == Sign::kQueue ? queue_ms_ : over(kLossNs).loss;
  ceiling_sign_ = sign;
  ceiling_ = std::max(over(kReceivedNs).bytes_per_s, kLeastBytesPerS);
  rate_ = std::max(std::min(rate_, kSlower * ceiling_), kLeastBytesPerS);
  judge_ns_ = sample.now_ns + kEffectNs + static_cast<int64_t>(sample.rtt_ms * 1e6);
}

void LinkRate::judge(const Sample& sample) {
  const Sign sign = sign_;
  sign_ = Sign::kNone;
  const double loss = over(kLossNs).loss;
  const bool helped = sign == Sign::kQueue ? queue_ms_ < std::max(kDrained * sign_before_, kQueueMs)
                                           : loss < std::max(kCured * sign_before_, kMostLossAgain);
  if (helped) {
    futile_ = 0;
    // The queue is draining. Reduce again only if this stops.
    if (queued_since_ns_ != 0) queued_since_ns_ = sample.now_ns;
    return;
  }
  if (rate_ == kLeastBytesPerS || ++futile_ < kMostFutile) return;
  futile_ = 0;
  rate_ = rate_before_;
  if (sign == Sign::kQueue) {
    other_queue_ms_ = sample.queue_ms;
    queue_ms_ = 0;
    queued_since_ns_ = 0;
  } else {
    other_loss_ = loss;
  }
}

// --- increase -----------------------------------------------------------------------------------

void LinkRate::grow(const Sample& sample, double seconds) {
  if (rate_ == kUnlimited) return;
  const bool used = over(kUsedNs).bytes_per_s > kUsed * rate_;
  if (sample.now_ns - limited_ns_ > (used ? kForgetNs : kForgetIdleNs)) {
    rate_ = kUnlimited;
    ceiling_sign_ = Sign::kNone;
    return;
  }
  if (!sample.limited || queued_since_ns_ != 0) return;
  const double distance = rate_ / ceiling_ - 1;
  const double fastest = distance < 0 ? kFastestStepBelow : kFastestStepAbove;
  const double step = std::clamp(kOfDistance * std::abs(distance), kSlowestStep, fastest);
  rate_ *= std::exp(step * seconds / (kStepSeconds + sample.rtt_ms / 2e3));
}

}  // namespace sail
