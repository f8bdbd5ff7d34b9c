#include "sail/media/film/film_timeline.h"

#include <algorithm>
#include <cmath>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstStandingNs = kSecondNs / 4;

}  // namespace

int64_t presentation_ns(const Timeline& timeline, int64_t due_wall_ns, int64_t interval_ns) {
  const double position_ns = timeline.position_s * kSecondNs;
  const double passed_ns = static_cast<double>(due_wall_ns - timeline.at_ns) * timeline.rate;
  const auto interval = static_cast<double>(std::max<int64_t>(interval_ns, 1));
  const double picture = std::round((position_ns + passed_ns) / interval);
  return timeline.at_ns + std::llround((picture * interval - position_ns) / timeline.rate);
}

int64_t standing_ns(const Timeline& timeline, int64_t wall_ns) {
  if (wall_ns <= timeline.at_ns) return timeline.at_ns;
  int64_t stood_ns = kFirstStandingNs;
  while (timeline.at_ns + stood_ns < wall_ns) stood_ns *= 2;
  return timeline.at_ns + stood_ns;
}

}  // namespace sail
