// How far frames were shown from their places in the steadiest pattern of a display.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace bench {

struct Seen {
  int64_t wanted_ns = 0;  // evenly; from where it counts says nothing
  int64_t at_ns = 0;
};

// The pattern is one of those in which each frame is shown with the refresh that begins next after
// its instant: that of them which fits best, wherever in a refresh the first instant may be.
inline std::vector<double> cadence_errors_us(const std::vector<Seen>& frames, double period_ns) {
  constexpr int kPlaces = 64;
  std::vector<double> best;
  double least = INFINITY;
  for (int place = 0; !frames.empty() && place < kPlaces; ++place) {
    const double offset = static_cast<double>(place) / kPlaces;
    std::vector<double> late_ns;
    for (const Seen& frame : frames) {
      const auto wanted = static_cast<double>(frame.wanted_ns - frames[0].wanted_ns);
      const auto seen = static_cast<double>(frame.at_ns - frames[0].at_ns);
      late_ns.push_back(seen - std::floor(wanted / period_ns + offset) * period_ns);
    }
    std::vector<double> sorted = late_ns;
    std::sort(sorted.begin(), sorted.end());
    double sum = 0;
    for (double& late : late_ns) {
      late = std::abs(late - sorted[sorted.size() / 2]) / 1e3;
      sum += late;
    }
    if (sum >= least) continue;
    least = sum;
    best = std::move(late_ns);
  }
  return best;
}

}  // namespace bench
