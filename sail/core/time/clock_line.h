// Maps our clock to another clock: a straight line, the estimate, plus the rest of a former
// estimate. That rest decays gradually: when the estimate improves, time does not jump but runs a
// little faster or slower for a while. Plain value; pure.
#pragma once

#include <cstdint>

namespace sail {

// Assumed limits of clock errors. All error bounds rest on them (PROTOCOL.md, clock).

// Largest plausible rate difference, the most by which NTP changes a clock's rate; it also bounds a
// difference that is not measured yet. A larger one is taken for a jump.
constexpr double kMostDrift = 500e-6;
// How far the rate difference itself varies, by temperature and the age of the quartz.
constexpr double kWander = 2e-6;

// An error up to this is corrected by slewing instead of a jump.
constexpr int64_t kUnseenJumpNs = 1'000'000;
// The same limit for an error that is within the clock's error bound.
constexpr int64_t kMostSlewNs = 1'000'000'000;

// The error bound of an unknown clock; no bound is larger.
constexpr int64_t kUnknownErrorNs = 1'000'000'000'000'000;

struct ClockLine {
  bool known = false;     // false: no estimate yet; the other clock is assumed to equal ours
  int64_t steady_ns = 0;  // our clock at the start of the line
  // At the start: the other clock − ours, and the bound of the estimate's error.
  int64_t offset_ns = 0;
  int64_t error_ns = 0;
  // Growth of offset_ns and error_ns from the start on, ns per ns.
  double drift = 0;
  double doubt = 0;
  // Lead of the returned time over the estimate at the start, and the time in which it decays.
  double ahead_ns = 0;
  double slew_ns = 1;

  int64_t to_wall_ns(int64_t steady) const;
  int64_t to_steady_ns(int64_t wall_ns) const;
  // Error bound of to_wall_ns(), including the rest of a former estimate.
  int64_t error_at_ns(int64_t steady) const;

  // Continues from the time of `former` at this line's start and slews to the estimate. If both
  // differ by more than most_ns, the line starts at the estimate (a jump) and false is returned.
  bool continue_from(const ClockLine& former, int64_t most_ns);

 private:
  double rest_ns(double passed_ns) const;
};

}  // namespace sail
