// Decides which pictures of a film that is read ahead are too late to be shown, so that the source
// need not convert them. The thread that shows the pictures sets the clock; the thread that reads
// them asks. Times are arguments, in nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "sail/media/film/player.h"

namespace sail {

class LatePictures {
 public:
  // Empty: no picture is late.
  void set_clock(const std::optional<FilmClock>& clock);

  // The calls that follow: on the reading thread.

  // True if the picture would be late when it has been converted. A picture is let through at least
  // every Player::kLongestGapNs, and every kLongestSkipNs of the film, because a longer gap would
  // count as a jump of the film's times.
  bool leaves_out(int64_t pts_ns, int64_t duration_ns, int64_t now_ns);
  // The source has delivered the picture.
  void delivered(int64_t pts_ns, int64_t now_ns);

 private:
  static constexpr int64_t kLongestSkipNs = 500'000'000;

  struct Passed {
    int64_t pts_ns = INT64_MIN / 2;
    int64_t at_ns = INT64_MIN / 2;
  };
  bool is_late(int64_t pts_ns, int64_t duration_ns, int64_t now_ns);

  std::mutex mutex_;
  std::optional<FilmClock> clock_;  // guarded
  // Let through last, newest first: some sources deliver a picture after the next one.
  std::array<Passed, 2> passed_;
  int64_t work_ns_ = 0;  // mean time from letting a picture through to its delivery
};

}  // namespace sail
