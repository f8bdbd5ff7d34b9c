#include "sail/media/film/late_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kMs = kMillisecondNs;

// Film time 0 was due at time 0. A picture has just been submitted.
FilmClock clock_at(int64_t now_ns) {
  return {.last_duration_ns = 40 * kMs, .submitted_ns = now_ns};
}

// Asks for pictures of 40 ms.
bool asks(LatePictures& late, int64_t pts_ms, int64_t now_ns) {
  return late.leaves_out(pts_ms * kMs, 40 * kMs, now_ns);
}

TEST(LatePictures, WhatWouldBeShownLateIsLeftOut) {
  LatePictures late;
  late.set_clock(clock_at(0));
  EXPECT_FALSE(asks(late, 0, 0));
  EXPECT_FALSE(asks(late, 40, 80 * kMs)) << "as the player, which shows it";
  EXPECT_TRUE(asks(late, 80, 120 * kMs + 1));
  EXPECT_FALSE(asks(late, 120, 121 * kMs));
}

TEST(LatePictures, TheTimeOfConversionCounts) {
  LatePictures late;
  late.set_clock(clock_at(0));
  EXPECT_FALSE(asks(late, 0, 0));
  EXPECT_FALSE(asks(late, 40, 10 * kMs));
  late.delivered(0, 80 * kMs);  // after the next one was let through; the mean is now 20 ms
  EXPECT_TRUE(asks(late, 80, 90 * kMs + 1));
  EXPECT_FALSE(asks(late, 80, 90 * kMs));
}

TEST(LatePictures, RateLeadAndUsualDurationCount) {
  LatePictures late;
  FilmClock clock = clock_at(0);
  clock.rate = 2;
  late.set_clock(clock);
  EXPECT_FALSE(asks(late, 0, 0));
  EXPECT_TRUE(asks(late, 40, 40 * kMs + 1));
  EXPECT_FALSE(asks(late, 40, 40 * kMs));
  clock = clock_at(0);
  clock.ahead_ns = 30 * kMs;
  late.set_clock(clock);
  EXPECT_TRUE(late.leaves_out(80 * kMs, 0, 90 * kMs + 1));
  EXPECT_FALSE(late.leaves_out(80 * kMs, 0, 90 * kMs));
}

TEST(LatePictures, NothingIsLateWithoutAClockAndInALoopsNextRound) {
  constexpr int64_t kNow = 3600 * kSecondNs;
  LatePictures late;
  EXPECT_FALSE(asks(late, 0, kNow));
  EXPECT_FALSE(asks(late, 200, kNow));
  FilmClock clock = clock_at(kNow);
  clock.last_pts_ns = 240 * kMs;
  late.set_clock(clock);
  EXPECT_TRUE(asks(late, 240, kNow));
  EXPECT_FALSE(asks(late, 200, kNow)) << "it comes after the film's end";
  late.set_clock({});
  EXPECT_FALSE(asks(late, 240, kNow)) << "paused";
}

// Which of `count` hopelessly late pictures are let through.
std::vector<int> let_through(int count, int64_t film_step_ms, int64_t step_ms) {
  constexpr int64_t kBegin = 3600 * kSecondNs;
  LatePictures late;
  late.set_clock(clock_at(kBegin));
  std::vector<int> through;
  for (int i = 0; i < count; ++i) {
    if (!asks(late, i * film_step_ms, kBegin + i * step_ms * kMs)) through.push_back(i);
  }
  return through;
}

TEST(LatePictures, TheWallNeverFreezes) {
  EXPECT_EQ(let_through(100, 1, 10), (std::vector{0, 25, 50, 75})) << "every 250 ms";
  EXPECT_EQ(let_through(50, 40, 0), (std::vector{0, 13, 26, 39})) << "every 500 ms of the film";
}

// A film whose pictures are decoded, converted and shown in turn. Costs in ms.
struct HeavyFilm {
  int shown = 0;
  int64_t longest_gap_ns = 0;
  uint64_t dropped = 0;

  HeavyFilm(int64_t decode_ms, int64_t convert_ms, bool leaves_out) {
    constexpr int kPictures = 240;
    constexpr int64_t kDuration = kSecondNs / 24;
    Player player({});
    LatePictures late;
    int64_t now = 0;
    int64_t shown_at = 0;
    for (int i = 0; i < kPictures; ++i) {
      now += decode_ms * kMs;
      if (leaves_out && late.leaves_out(i * kDuration, kDuration, now)) continue;
      now += convert_ms * kMs;
      late.delivered(i * kDuration, now);
      player.decoded(i * kDuration, kDuration);
      Player::Step step = player.next(now);
      if (step.action == Player::Action::kWait) now = step.at_ns;
      if (step.action == Player::Action::kDrop) {
        player.dropped();
      } else {
        player.submitted(now);
        if (shown++ > 0) longest_gap_ns = std::max(longest_gap_ns, now - shown_at);
        shown_at = now;
      }
      late.set_clock(player.clock());
    }
    dropped = player.dropped_count();
  }
};

// In the 10 s of the film, 3 s are left for conversion.
TEST(LatePictures, AFilmThatIsTooHeavyShowsAllThatCanBeConverted) {
  const HeavyFilm all(30, 30, false);
  const HeavyFilm some(30, 30, true);
  EXPECT_LT(all.shown, 60);
  EXPECT_GT(some.shown, 85);
  EXPECT_LE(some.dropped, 2U) << "converted in vain";
  EXPECT_LT(some.longest_gap_ns, Player::kLongestGapNs);
}

TEST(LatePictures, ConversionThatTakesLongerThanAPictureIsNoReasonToShowNone) {
  const HeavyFilm some(10, 60, true);
  EXPECT_GT(some.shown, 110);
  EXPECT_LE(some.dropped, 2U);
}

TEST(LatePictures, AFilmThatCannotBeDecodedInTimeMoves) {
  const HeavyFilm some(60, 30, true);
  EXPECT_LE(some.longest_gap_ns, 250 * kMs + 2 * 90 * kMs);
}

TEST(LatePictures, AFilmThatIsNotTooHeavyIsShownWhole) {
  const HeavyFilm some(10, 31, true);
  EXPECT_EQ(some.shown, 240);
}

}  // namespace
}  // namespace sail
