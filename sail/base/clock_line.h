// What another clock says at each moment of ours: an estimate, which is a straight line, and what
// is left of a former one, so that time does not jump when the estimate gets better: it goes a
// little faster or slower for a while. Plain value; pure.
#pragma once

#include <cstdint>

namespace sail {

struct ClockLine {
  bool known = false;     // false: nothing is, and the other clock is taken for ours
  int64_t steady_ns = 0;  // our clock, where the line begins
  // There: the other clock − ours, and the bound of the estimate's error.
  int64_t offset_ns = 0;
  int64_t error_ns = 0;
  // How much these two grow from there on, ns per ns.
  double drift = 0;
  double doubt = 0;
  // How far what is told is ahead of the estimate there, and how long that takes to go away.
  double ahead_ns = 0;
  double slew_ns = 1;

  int64_t to_wall_ns(int64_t steady) const;
  int64_t to_steady_ns(int64_t wall_ns) const;
  // Bound of to_wall_ns()' error, what is left of a former estimate counted in.
  int64_t error_at_ns(int64_t steady) const;

  // Begins where `former` is by now and goes over into the estimate. Where that is more than
  // most_ns away it begins with the estimate instead: false.
  bool continue_from(const ClockLine& former, int64_t most_ns);

 private:
  double rest_ns(double passed_ns) const;
};

}  // namespace sail
