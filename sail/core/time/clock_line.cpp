#include "sail/core/time/clock_line.h"

#include <algorithm>
#include <cmath>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A slew rate that nobody notices. A large offset is slewed faster, within kLongestSlewNs.
constexpr double kGentleSlew = 500e-6;
constexpr double kShortestSlewNs = 1e6;
constexpr double kLongestSlewNs = 20e9;

}  // namespace

double ClockLine::rest_ns(double passed_ns) const {
  return ahead_ns * std::clamp(1 - passed_ns / slew_ns, 0.0, 1.0);
}

int64_t ClockLine::to_wall_ns(int64_t steady) const {
  const auto passed_ns = static_cast<double>(steady - steady_ns);
  return steady + offset_ns + std::llround(drift * passed_ns + rest_ns(passed_ns));
}

int64_t ClockLine::to_steady_ns(int64_t wall_ns) const {
  // Three straight pieces: before the line's start, during the slew, and after it.
  const auto since_ns = static_cast<double>(wall_ns - offset_ns - steady_ns);
  double passed_ns = (since_ns - ahead_ns) / (1 + drift);
  if (passed_ns > 0) passed_ns = (since_ns - ahead_ns) / (1 + drift - ahead_ns / slew_ns);
  if (passed_ns > slew_ns) passed_ns = since_ns / (1 + drift);
  return steady_ns + std::llround(passed_ns);
}

int64_t ClockLine::error_at_ns(int64_t steady) const {
  if (!known) return kUnknownErrorNs;
  const auto passed_ns = static_cast<double>(steady - steady_ns);
  const double more_ns = doubt * std::max(passed_ns, 0.0) + std::abs(rest_ns(passed_ns));
  return std::min<int64_t>(error_ns + std::llround(std::ceil(more_ns)), kUnknownErrorNs);
}

bool ClockLine::continue_from(const ClockLine& former, int64_t most_ns) {
  if (!former.known) return true;
  const int64_t ahead = former.to_wall_ns(steady_ns) - (steady_ns + offset_ns);
  if (std::abs(ahead) > most_ns) return false;
  ahead_ns = static_cast<double>(ahead);
  slew_ns = std::clamp(std::abs(ahead_ns) / kGentleSlew, kShortestSlewNs, kLongestSlewNs);
  return true;
}

}  // namespace sail
