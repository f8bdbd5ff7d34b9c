// Deviation of frames from the most regular pattern possible on a display.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace bench {

struct Seen {
  int64_t wanted_ns = 0;  // evenly spaced, with any origin
  int64_t at_ns = 0;
};

// In a possible pattern each frame is shown at the first refresh after its time. Uses the pattern
// that fits best over all phases of the first frame in a refresh.
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
