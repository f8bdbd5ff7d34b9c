#include "sail/core/time/clock_sync.h"

#include <algorithm>
#include <cmath>

#include "sail/core/time/clock.h"
#include "sail/core/time/clock_line.h"

namespace sail {
namespace {

// The exchange with the shortest round trip is kept per slot, and the newest one.
constexpr int64_t kSlotNs = 4 * kSecondNs;
constexpr size_t kSlots = 64;

// Uncertainty of an exchange with the shortest round trip: busy programs take timestamps late.
constexpr double kStampNs = 5'000;
// How fast a drift changes, per ns: 1 ppm in 1000 s. It makes older exchanges count less.
constexpr double kDriftChange = 1e-18;
// Standard deviation assumed for a drift before it is measured.
constexpr double kPriorDrift = 50e-6;

}  // namespace

std::optional<int64_t> ClockSync::add(int64_t sent_ns, int64_t remote_ns, int64_t received_ns) {
  const int64_t round_trip_ns = received_ns - sent_ns;
  if (round_trip_ns < 0) return std::nullopt;
  const int64_t middle_ns = sent_ns + round_trip_ns / 2;
  // The clocks also drift during the round trip.
  const auto drifted_ns = static_cast<int64_t>(static_cast<double>(round_trip_ns) * kMostDrift);
  const Sample sample{.at_ns = middle_ns,
                      .offset_ns = remote_ns - middle_ns,
                      .half_ns = round_trip_ns / 2 + drifted_ns + 2};
  const int64_t off_ns = remote_ns - line_.to_wall_ns(middle_ns);
  const bool beyond =
      line_.known && std::abs(off_ns) > line_.error_at_ns(middle_ns) + sample.half_ns;
  if (beyond) {
    samples_.clear();
    former_drift_ = line_.drift;
  }
  samples_.push_back(sample);
  while (!agree()) samples_.pop_front();
  thin_out();
  make_line(received_ns, beyond ? kUnseenJumpNs : kMostSlewNs);
  round_trip_ns_ = round_trip_ns;
  last_exchange_ns_ = received_ns;
  if (beyond && std::abs(off_ns) > kUnseenJumpNs) return off_ns;
  return std::nullopt;
}

void ClockSync::begin_session(int64_t now_ns) {
  if (samples_.empty()) return;
  // All that is kept of the former clock is its present estimate.
  ClockLine estimate = line_;
  estimate.ahead_ns = 0;
  former_drift_ = line_.drift;
  samples_ = {{.at_ns = now_ns,
               .offset_ns = estimate.to_wall_ns(now_ns) - now_ns,
               .half_ns = estimate.error_at_ns(now_ns)}};
  make_line(now_ns, kMostSlewNs);
}

// Every pair of exchanges bounds the drift; kWander allows for its variation since.
ClockSync::Range ClockSync::drifts() const {
  Range range{-kMostDrift, kMostDrift};
  for (size_t i = 0; i < samples_.size(); ++i) {
    for (size_t j = i + 1; j < samples_.size(); ++j) {
      const auto span_ns = static_cast<double>(samples_[j].at_ns - samples_[i].at_ns);
      if (span_ns <= 0) continue;
      const auto moved_ns = static_cast<double>(samples_[j].offset_ns - samples_[i].offset_ns);
      const auto doubt_ns = static_cast<double>(samples_[j].half_ns + samples_[i].half_ns);
      range.least = std::max(range.least, (moved_ns - doubt_ns) / span_ns - kWander);
      range.most = std::min(range.most, (moved_ns + doubt_ns) / span_ns + kWander);
    }
  }
  return range;
}

ClockSync::Range ClockSync::offsets_at(int64_t now_ns, const Range& rates) const {
  const int64_t zero_ns = samples_.back().offset_ns;
  Range range{-HUGE_VAL, HUGE_VAL};
  for (const Sample& sample : samples_) {
    const auto age_ns = static_cast<double>(now_ns - sample.at_ns);
    const auto offset_ns = static_cast<double>(sample.offset_ns - zero_ns);
    const auto half_ns = static_cast<double>(sample.half_ns);
    range.least = std::max(range.least, offset_ns - half_ns + rates.least * age_ns);
    range.most = std::min(range.most, offset_ns + half_ns + rates.most * age_ns);
  }
  return range;
}

// Whether one drift and offset fit all samples; a single sample always fits.
bool ClockSync::agree() const {
  const Range rates = drifts();
  return !rates.empty() && !offsets_at(samples_.back().at_ns, rates).empty();
}

// The newest exchange always stays: until the drift is known well, the bounds of older ones have
// grown more than a longer round trip costs.
void ClockSync::thin_out() {
  const size_t count = samples_.size();
  if (count > 2) {
    const Sample& later = samples_[count - 2];
    const Sample& before = samples_[count - 3];
    if (later.at_ns / kSlotNs == before.at_ns / kSlotNs) {
      const bool slower = later.half_ns > before.half_ns;
      samples_.erase(samples_.end() - (slower ? 2 : 3));
    }
  }
  if (samples_.size() > kSlots + 1) samples_.pop_front();
}

void ClockSync::make_line(int64_t now_ns, int64_t most_ns) {
  const Range rates = drifts();
  const Range offsets = offsets_at(now_ns, rates);
  double offset_ns = 0;
  double drift = 0;
  fit(now_ns, offset_ns, drift);
  drift = std::clamp(drift, rates.least, rates.most);
  offset_ns = std::clamp(offset_ns, offsets.least, offsets.most);
  const double error_ns = std::max(offsets.most - offset_ns, offset_ns - offsets.least);
  ClockLine line{.known = true,
                 .steady_ns = now_ns,
                 .offset_ns = samples_.back().offset_ns + std::llround(offset_ns),
                 .error_ns = std::llround(std::ceil(error_ns)) + 1,
                 .drift = drift,
                 .doubt = std::max(rates.most - drift, drift - rates.least)};
  line.continue_from(line_, most_ns);
  line_ = line;
}

// Least squares. The weight of an exchange falls with its delay on the network (its round trip
// minus the shortest one) and with its age.
void ClockSync::fit(int64_t now_ns, double& offset_ns, double& drift) const {
  const int64_t zero_ns = samples_.back().offset_ns;
  const int64_t shortest_ns = std::ranges::min_element(samples_, {}, &Sample::half_ns)->half_ns;
  double w = 0;
  double wx = 0;
  double wy = 0;
  double wxx = 1 / (kPriorDrift * kPriorDrift);
  double wxy = wxx * former_drift_;
  for (const Sample& sample : samples_) {
    const auto x = static_cast<double>(sample.at_ns - now_ns);
    const auto y = static_cast<double>(sample.offset_ns - zero_ns);
    const double off_ns =
        kStampNs + static_cast<double>(sample.half_ns - shortest_ns) + kDriftChange * x * x / 2;
    const double weight = 1 / (off_ns * off_ns);
    w += weight;
    wx += weight * x;
    wy += weight * y;
    wxx += weight * x * x;
    wxy += weight * x * y;
  }
  const double determinant = w * wxx - wx * wx;
  offset_ns = (wy * wxx - wx * wxy) / determinant;
  drift = (w * wxy - wx * wy) / determinant;
}

}  // namespace sail
