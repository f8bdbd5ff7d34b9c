#include "sail/core/routing/cadence.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sail {
namespace {

// Displays of equal rate differ by less than this; 60 Hz and 59.94 Hz differ by more.
constexpr double kSameRate = 3e-4;
// The latest swap is this long before the first display's refresh: a display may swap late, and the
// frame may be ready a little late for the pattern's sake.
constexpr double kMarginNs = 2.0 * Cadence::kJitterNs;

// Remainder from 0 to the period.
double in_period(int64_t ns, uint32_t period_ns) {
  const int64_t rest = ns % int64_t{period_ns};
  return static_cast<double>(rest < 0 ? rest + period_ns : rest);
}

}  // namespace

Refresh together(std::span<const Refresh> refreshes) {
  Refresh first;
  std::vector<std::pair<double, double>> spans;  // begin, end; relative to the first begin
  for (const Refresh& one : refreshes) {
    if (one.period_ns == 0) continue;
    if (first.period_ns == 0) first = one;
    const double period_ns = first.period_ns;
    if (std::abs(one.period_ns - period_ns) > kSameRate * period_ns) return {};
    const double begin = in_period(one.at_ns - first.at_ns, first.period_ns);
    spans.emplace_back(begin, begin + one.spread_ns);
  }
  if (spans.size() < 2) return first;
  std::sort(spans.begin(), spans.end());
  const double period_ns = first.period_ns;
  // Finds the largest gap and the span after it. Some spans reach into the next period.
  double reach = 0;
  for (const auto& [begin, end] : spans) reach = std::max(reach, end - period_ns);
  double gap = 0;
  double after = 0;
  for (const auto& [begin, end] : spans) {
    if (begin - reach > gap) {
      gap = begin - reach;
      after = begin;
    }
    reach = std::max(reach, end);
  }
  if (period_ns - reach >= gap) {
    gap = std::max(period_ns - reach, 0.0);
    after = 0;
  }
  return {.at_ns = first.at_ns + std::llround(after),
          .period_ns = first.period_ns,
          .spread_ns = static_cast<uint32_t>(std::llround(period_ns - gap))};
}

int64_t next_refresh_ns(const Refresh& refresh, int64_t now_ns) {
  if (refresh.period_ns == 0) return now_ns;
  const double since = in_period(now_ns - refresh.at_ns, refresh.period_ns);
  return since == 0 ? now_ns : now_ns + refresh.period_ns - static_cast<int64_t>(since);
}

int64_t Cadence::place(int64_t present_ns, int64_t soonest_ns, const Refresh& refresh) {
  if (refresh.period_ns == 0) {
    begun_ = false;
    return std::max(present_ns, soonest_ns);
  }
  const double period_ns = refresh.period_ns;
  const double half_gap_ns = (period_ns - refresh.spread_ns) / 2;
  // Position in a slot: a frame that is ready by then, or slightly later, is shown in that slot by
  // all displays.
  const double latest_ns = half_gap_ns - std::min(kMarginNs, half_gap_ns);
  const int64_t zero_ns = refresh.at_ns - std::llround(half_gap_ns);  // start of a slot
  const auto slot_of = [&](double ns) { return std::floor(ns / period_ns); };
  // Timeline position for the earliest possible slot. A frame with a presentation time goes to the
  // nearest refresh.
  const double soonest = static_cast<double>(soonest_ns - zero_ns) + period_ns - latest_ns;
  const double wanted = present_ns == 0 ? soonest : static_cast<double>(present_ns - zero_ns);
  const int64_t wanted_ns = zero_ns + std::llround(wanted);

  double line = wanted;
  if (std::exchange(begun_, true)) {
    // The refresh may have been measured more precisely since the last frame.
    const double last =
        std::round(static_cast<double>(slot_ns_ - zero_ns) / period_ns) * period_ns + offset_ns_;
    const auto passed = static_cast<double>(wanted_ns - wanted_ns_);
    double step = passed;
    if (interval_ns_ > 0) {
      const double even = std::round(passed / interval_ns_) * interval_ns_;
      if (std::abs(even - passed) <= 2.0 * kJitterNs) step = even;
    }
    line = std::clamp(last + step, wanted - kJitterNs, wanted + kJitterNs);
  }
  const double slot = slot_of(line);
  wanted_ns_ = wanted_ns;
  slot_ns_ = zero_ns + std::llround(slot * period_ns);
  offset_ns_ = line - slot * period_ns;

  const double begin = std::max(slot, slot_of(soonest - kJitterNs)) * period_ns;
  const auto ready = static_cast<double>(soonest_ns - zero_ns);
  return zero_ns + std::llround(std::clamp(ready, begin, begin + latest_ns));
}

}  // namespace sail
