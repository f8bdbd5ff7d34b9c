#include "sail/media/film/late_pictures.h"

#include <algorithm>
#include <cstdlib>

namespace sail {

void LatePictures::set_clock(const std::optional<FilmClock>& clock) {
  const std::lock_guard lock(mutex_);
  clock_ = clock;
}

bool LatePictures::leaves_out(int64_t pts_ns, int64_t duration_ns, int64_t now_ns) {
  if (is_late(pts_ns, duration_ns, now_ns)) return true;
  passed_ = {Passed{pts_ns, now_ns}, passed_[0]};
  return false;
}

bool LatePictures::is_late(int64_t pts_ns, int64_t duration_ns, int64_t now_ns) {
  std::optional<FilmClock> clock;
  {
    const std::lock_guard lock(mutex_);
    clock = clock_;
  }
  // A picture with an earlier time than the player's belongs to the next round of a loop, or
  // follows a jump of the film's times.
  if (!clock || pts_ns < clock->last_pts_ns) return false;
  const int64_t shown_ns = clock->submitted_ns - clock->ahead_ns;
  if (now_ns - std::max(shown_ns, passed_[0].at_ns) >= Player::kLongestGapNs) return false;
  if (std::abs(pts_ns - passed_[0].pts_ns) >= kLongestSkipNs) return false;
  if (duration_ns <= 0) duration_ns = clock->last_duration_ns;
  // The machine is busy, so that the next conversion may take longer than the mean.
  const int64_t ready_ns = now_ns + work_ns_ + work_ns_ / 2;
  return ready_ns + clock->ahead_ns > clock->due_ns(pts_ns + duration_ns);
}

void LatePictures::delivered(int64_t pts_ns, int64_t now_ns) {
  constexpr int64_t kPicturesOfMean = 4;
  for (const Passed& passed : passed_) {
    if (passed.pts_ns != pts_ns) continue;
    work_ns_ += (now_ns - passed.at_ns - work_ns_) / kPicturesOfMean;
    return;
  }
}

}  // namespace sail
