#include "sail/client/sync/playback_state.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

class PlaybackStateTest : public testing::Test {
 protected:
  PlaybackStateTest() { clock.set({.known = true, .offset_ns = 1000 * kSecondNs}); }
  bool set(double position_s, double after_s) {
    film.position_s = position_s;
    film.at_ns = start_ns + static_cast<int64_t>(after_s * 1e9);
    return state.set(film, clock);
  }

  WallClock clock;
  PlaybackState state;
  Playback film{.duration_s = 60};
  const int64_t start_ns = steady_now_ns() + 1000 * kSecondNs;
};

TEST_F(PlaybackStateTest, TimeAloneIsNotTold) {
  EXPECT_FALSE(state.take(clock));
  ASSERT_TRUE(set(10, 0));
  const auto reported = state.take(clock);
  ASSERT_TRUE(reported);
  EXPECT_EQ(reported->position_s, 10);
  EXPECT_NEAR(static_cast<double>(reported->at_ns - start_ns), 0, 1e6);
  EXPECT_FALSE(set(12.5, 2.5));
  EXPECT_FALSE(state.take(clock));
  EXPECT_TRUE(set(30, 3));
  EXPECT_EQ(state.take(clock)->position_s, 30);
  EXPECT_FALSE(set(60, 100));  // position stays at the end
}

TEST_F(PlaybackStateTest, ChangesAreToldOnceHoweverManyThereAre) {
  EXPECT_TRUE(set(10, 0));
  film.paused = true;
  EXPECT_FALSE(set(11, 1));  // take() is pending
  EXPECT_TRUE(state.take(clock)->paused);
  EXPECT_FALSE(set(11, 5));
  film.volume = 0.5;
  EXPECT_TRUE(set(11, 6));
  EXPECT_EQ(state.take(clock)->volume, 0.5);
}

TEST_F(PlaybackStateTest, TracksAreToldWithThePlayback) {
  FilmTracks tracks{.subtitles = {{.language = "eng", .format = "subrip"}}};
  EXPECT_FALSE(state.set(tracks)) << "nothing plays yet";
  EXPECT_TRUE(set(10, 0));
  EXPECT_EQ(state.take(clock)->tracks, tracks);
  EXPECT_FALSE(state.set(tracks));
  EXPECT_FALSE(set(11, 1));
  tracks.subtitle = 1;
  EXPECT_TRUE(state.set(tracks));
  EXPECT_EQ(state.take(clock)->tracks->subtitle, 1);
  EXPECT_TRUE(state.set(FilmTracks())) << "the next film has none";
  EXPECT_EQ(state.take(clock)->tracks, FilmTracks());
}

TEST_F(PlaybackStateTest, SpeedIsThatOfNow) {
  const int64_t steady_ns = start_ns - 1000 * kSecondNs;
  EXPECT_EQ(state.speed(steady_ns), 1) << "nothing is known";
  film.rate = 2;
  set(10, 0);
  EXPECT_EQ(state.speed(steady_ns), 2);
  EXPECT_EQ(state.speed(steady_ns + 24 * kSecondNs), 2);
  EXPECT_EQ(state.speed(steady_ns + 26 * kSecondNs), 0) << "at its end";
  film.loop = true;
  set(10, 0);
  EXPECT_EQ(state.speed(steady_ns + 26 * kSecondNs), 2);
  film.paused = true;
  set(10, 0);
  EXPECT_EQ(state.speed(steady_ns), 0);
}

TEST_F(PlaybackStateTest, ALoopBeginsAgain) {
  film.loop = true;
  film.rate = 2;
  set(10, 0);
  state.take(clock);
  EXPECT_FALSE(set(0.02, 25));
  EXPECT_FALSE(set(59.98, 25));
  EXPECT_FALSE(set(50, 50));
  EXPECT_TRUE(set(40, 50));
}

TEST_F(PlaybackStateTest, AnotherManagerHearsItByItsOwnClock) {
  set(10, 0);
  state.take(clock);
  EXPECT_FALSE(state.take(clock));
  clock.set({.known = true, .offset_ns = 5000 * kSecondNs});
  state.forget_sent();
  const auto reported = state.take(clock);
  ASSERT_TRUE(reported);
  EXPECT_NEAR(static_cast<double>(reported->at_ns - start_ns - 4000 * kSecondNs), 0, 1e6);
}

}  // namespace
}  // namespace sail
