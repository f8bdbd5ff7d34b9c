#include "receiver/display/refresh_meter.h"

#include <algorithm>
#include <cmath>

namespace receiver {
namespace {

// Number of observations from which the refresh counts as measured.
constexpr size_t kFirst = 8;
constexpr size_t kKept = 64;
constexpr int64_t kMeasureEveryNs = 1'000'000'000;
// Beyond these limits, the observation is wrong, or the refreshes since the last observation cannot
// be counted.
constexpr double kMostOff = 0.25;  // share of a period
constexpr int64_t kLongestGapNs = 10'000'000'000;

}  // namespace

RefreshMeter::RefreshMeter(int reported_hz)
    : reported_period_ns_(reported_hz > 0 && reported_hz <= 1000 ? 1e9 / reported_hz : 0),
      period_ns_(reported_period_ns_) {}

bool RefreshMeter::due(int64_t now_ns) const {
  return reported_period_ns_ > 0 &&
         (lately_.size() < kFirst || now_ns - lately_.back().at_ns >= kMeasureEveryNs);
}

void RefreshMeter::add(int64_t begun_ns) {
  if (reported_period_ns_ == 0) return;
  if (!lately_.empty()) {
    const Begun& last = lately_.back();
    const auto passed = static_cast<double>(begun_ns - last.at_ns);
    const double count = std::round(passed / period_ns_);
    const bool off = std::abs(passed - count * period_ns_) > kMostOff * period_ns_;
    if (off || passed > static_cast<double>(kLongestGapNs)) {
      lately_.clear();
      period_ns_ = reported_period_ns_;
    } else if (count == 0) {
      return;
    } else {
      lately_.push_back({begun_ns, last.count + count});
    }
  }
  if (lately_.empty()) lately_.push_back({begun_ns, 0});
  if (lately_.size() > kKept) lately_.erase(lately_.begin() + kFirst / 2);
  const auto& [at_ns, count] = lately_.back();
  if (lately_.size() < kFirst / 2) return;
  period_ns_ = static_cast<double>(at_ns - lately_.front().at_ns) / (count - lately_.front().count);
}

TileRefresh RefreshMeter::refresh() const {
  TileRefresh known{.refresh = {.period_ns = static_cast<uint32_t>(std::llround(period_ns_))}};
  if (lately_.size() < kFirst) return known;
  // Observations are never early, so the earliest relative to the period has the least error.
  double late_ns = 0;
  const auto& [at_ns, count] = lately_.back();
  for (const Begun& one : lately_) {
    const double line = static_cast<double>(one.at_ns - at_ns) + (count - one.count) * period_ns_;
    late_ns = std::min(late_ns, line);
  }
  known.refresh.at_ns = at_ns + std::llround(late_ns);
  known.source = sail::RefreshSource::kMeasured;
  return known;
}

}  // namespace receiver
