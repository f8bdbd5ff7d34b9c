#include "sail/media/film/player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

using Action = Player::Action;
using Shown = std::vector<std::pair<int64_t, int64_t>>;  // time shown, time stamp (ms)

// Plays a film with these picture times on a fake clock.
class Stage {
 public:
  Stage(std::vector<int64_t> times_ms, const PlayerOptions& options)
      : times_(std::move(times_ms)), player_(options) {}

  static std::vector<int64_t> steady(int count, int64_t step_ms) {
    std::vector<int64_t> times(static_cast<size_t>(count));
    for (size_t i = 0; i < times.size(); ++i) times[i] = static_cast<int64_t>(i) * step_ms;
    return times;
  }

  // Runs until the clock reaches `until`, or the player ends or waits forever.
  Action run_until(int64_t until_ms) {
    for (int steps = 0; steps < 100000; ++steps) {
      const Player::Step step = player_.next(now_);
      switch (step.action) {
        case Action::kDecode:
          decode();
          break;
        case Action::kSubmit:
          shown_.emplace_back(now_ / kMillisecondNs, in_hand_);
          player_.submitted(now_);
          break;
        case Action::kDrop:
          player_.dropped();
          break;
        case Action::kSeek:
          seek(step.at_ns);
          break;
        case Action::kWait:
          if (step.at_ns > until_ms * kMillisecondNs) {
            now_ = std::max(now_, until_ms * kMillisecondNs);
            return step.at_ns == Player::kForever ? Action::kEnd : Action::kWait;
          }
          now_ = step.at_ns;
          break;
        case Action::kEnd:
          return Action::kEnd;
      }
    }
    ADD_FAILURE() << "the player does not come to rest";
    return Action::kEnd;
  }

  Player& player() { return player_; }
  int64_t now() const { return now_; }
  Shown take_shown() { return std::exchange(shown_, {}); }
  void set_decode_cost_ms(int64_t cost) { decode_cost_ms_ = cost; }
  void set_seekable(bool seekable) { seekable_ = seekable; }
  // Maximum duration of a picture, whatever the time stamps say.
  void set_longest_ms(int64_t longest) { longest_ms_ = longest; }
  std::vector<int64_t> seeks;  // ms

 private:
  void decode() {
    now_ += decode_cost_ms_ * kMillisecondNs;
    if (at_ == times_.size()) {
      player_.reached_end();
      return;
    }
    in_hand_ = times_[at_];
    const bool last = at_ + 1 == times_.size();
    const int64_t duration =
        last ? 0 : std::clamp<int64_t>(times_[at_ + 1] - times_[at_], 0, longest_ms_);
    ++at_;
    player_.decoded(in_hand_ * kMillisecondNs, duration * kMillisecondNs);
  }

  void seek(int64_t position_ns) {
    seeks.push_back(position_ns / kMillisecondNs);
    if (!seekable_) {
      player_.sought(false);
      return;
    }
    at_ = 0;
    while (at_ + 1 < times_.size() && times_[at_ + 1] * kMillisecondNs <= position_ns) ++at_;
    player_.sought(true);
  }

  const std::vector<int64_t> times_;
  Player player_;
  size_t at_ = 0;
  int64_t now_ = 0;
  int64_t in_hand_ = 0;
  int64_t decode_cost_ms_ = 0;
  int64_t longest_ms_ = INT64_MAX;
  bool seekable_ = true;
  Shown shown_;
};

TEST(Player, ShowsPicturesAtTheirTimes) {
  Stage stage(Stage::steady(5, 40), {});
  EXPECT_EQ(stage.run_until(1000), Action::kEnd);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {40, 40}, {80, 80}, {120, 120}, {160, 160}}));
  EXPECT_EQ(stage.now(), 200 * kMillisecondNs);  // the last picture has its full duration
  EXPECT_EQ(stage.player().submitted_count(), 5U);
  EXPECT_EQ(stage.player().dropped_count(), 0U);
}

TEST(Player, KeepsVariableFrameRates) {
  Stage stage({0, 10, 500, 510, 2000}, {});
  stage.run_until(10000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {10, 10}, {500, 500}, {510, 510}, {2000, 2000}}));
}

TEST(Player, DoesNotDriftOverManyPictures) {
  std::vector<int64_t> times(3000);
  for (size_t i = 0; i < times.size(); ++i) {
    times[i] = std::llround(static_cast<double>(i) * 1000.0 / 29.97);
  }
  Stage stage(times, {});
  stage.run_until(200000);
  for (const auto& [when, which] : stage.take_shown()) ASSERT_EQ(when, which);
}

TEST(Player, RateStretchesTime) {
  PlayerOptions options;
  options.rate = 2;
  Stage fast(Stage::steady(4, 40), options);
  fast.run_until(1000);
  EXPECT_EQ(fast.take_shown(), (Shown{{0, 0}, {20, 40}, {40, 80}, {60, 120}}));
  options.rate = 0.5;
  Stage slow(Stage::steady(3, 40), options);
  slow.run_until(1000);
  EXPECT_EQ(slow.take_shown(), (Shown{{0, 0}, {80, 40}, {160, 80}}));
}

TEST(Player, RateChangesWhilePlaying) {
  Stage stage(Stage::steady(10, 100), {});
  stage.run_until(150);
  stage.player().set_rate(2, stage.now());
  EXPECT_EQ(stage.player().position_ns(stage.now()), 150 * kMillisecondNs);
  stage.run_until(300);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {100, 100}, {175, 200}, {225, 300}, {275, 400}}));
}

TEST(Player, AbsurdRatesAreCut) {
  Player player({});
  player.set_rate(1e9, 0);
  EXPECT_EQ(player.rate(), kMaxRate);
  player.set_rate(-3, 0);
  EXPECT_EQ(player.rate(), kMinRate);
  player.set_rate(std::nan(""), 0);
  EXPECT_EQ(player.rate(), kMinRate);
}

TEST(Player, PauseStopsTheFilmAndResumeGoesOnThere) {
  Stage stage(Stage::steady(5, 100), {});
  stage.run_until(250);
  stage.player().pause(stage.now());
  stage.run_until(5000);
  EXPECT_EQ(stage.player().position_ns(stage.now()), 250 * kMillisecondNs);
  stage.player().resume(stage.now());
  stage.run_until(10000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {100, 100}, {200, 200}, {5050, 300}, {5150, 400}}));
  EXPECT_EQ(stage.player().dropped_count(), 0U);
}

TEST(Player, StartedPausedShowsTheFirstPicture) {
  PlayerOptions options;
  options.paused = true;
  Stage stage(Stage::steady(3, 100), options);
  stage.run_until(1000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}}));
  stage.player().resume(stage.now());
  stage.run_until(2000);
  EXPECT_EQ(stage.take_shown(), (Shown{{1100, 100}, {1200, 200}}));
}

TEST(Player, SeekShowsThePictureAtOnceAndGoesOn) {
  Stage stage(Stage::steady(100, 100), {});
  stage.run_until(150);
  stage.take_shown();
  stage.player().seek(5050 * kMillisecondNs);
  EXPECT_EQ(stage.player().position_ns(stage.now()), 5050 * kMillisecondNs);
  stage.run_until(400);
  EXPECT_EQ(stage.take_shown(), (Shown{{150, 5000}, {250, 5100}, {350, 5200}}));
  stage.player().seek(-7 * kSecondNs);
  stage.run_until(450);
  EXPECT_EQ(stage.take_shown(), (Shown{{400, 0}}));
}

TEST(Player, SeekWhilePausedShowsOnePicture) {
  Stage stage(Stage::steady(100, 100), {});
  stage.run_until(150);
  stage.player().pause(stage.now());
  stage.take_shown();
  stage.player().seek(3 * kSecondNs);
  stage.run_until(1000);
  EXPECT_EQ(stage.take_shown(), (Shown{{150, 3000}}));
  EXPECT_TRUE(stage.player().paused());
  EXPECT_EQ(stage.player().position_ns(stage.now()), 3 * kSecondNs);
}

TEST(Player, StandsWhereItWasSoughtBeforeThePictureThereIsShown) {
  Player player({});
  player.seek(3 * kSecondNs);
  ASSERT_EQ(player.next(0).action, Player::Action::kSeek);
  player.sought(true);
  EXPECT_EQ(player.position_ns(0), 3 * kSecondNs);
  player.decoded(3 * kSecondNs - 40'000'000, 0);
  EXPECT_EQ(player.position_ns(0), 3 * kSecondNs);
}

TEST(Player, SeekThatFailsPlaysOn) {
  Stage stage(Stage::steady(4, 100), {});
  stage.set_seekable(false);
  stage.run_until(150);
  stage.player().seek(50 * kMillisecondNs);
  stage.run_until(1000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {100, 100}, {200, 200}, {300, 300}}));
}

TEST(Player, SeeksStayWithinTheFilm) {
  PlayerOptions options;
  options.film_duration_ns = 400 * kMillisecondNs;
  options.hold = true;
  Stage stage(Stage::steady(4, 100), options);
  stage.run_until(50);
  stage.player().seek(1000 * kSecondNs);
  stage.run_until(1000);
  EXPECT_EQ(stage.seeks, (std::vector<int64_t>{400}));
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {50, 300}}));
}

TEST(Player, SeeksReachPicturesAfterTheEndThatTheFileStates) {
  PlayerOptions options;
  options.film_duration_ns = 250 * kMillisecondNs;
  options.hold = true;
  Stage stage(Stage::steady(4, 100), options);
  EXPECT_EQ(stage.player().length_ns(), 250 * kMillisecondNs);
  stage.run_until(500);
  EXPECT_EQ(stage.player().length_ns(), 400 * kMillisecondNs);
  stage.player().seek(300 * kMillisecondNs);
  stage.run_until(1000);
  EXPECT_EQ(stage.seeks, (std::vector<int64_t>{300}));
}

TEST(Player, StartBeginsThere) {
  PlayerOptions options;
  options.start_ns = 250 * kMillisecondNs;
  Stage stage(Stage::steady(5, 100), options);
  stage.run_until(1000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 200}, {100, 300}, {200, 400}}));
}

TEST(Player, LatePicturesAreDropped) {
  Stage stage(Stage::steady(20, 40), {});
  stage.run_until(100);  // 0, 40, 80 shown; 120 pending
  stage.take_shown();
  stage.set_decode_cost_ms(0);
  Player& player = stage.player();
  // Delayed by 200 ms: 120, 160, 200 and 240 are late by more than a picture, 280 is not.
  const int64_t now = 300 * kMillisecondNs;
  EXPECT_EQ(player.next(now).action, Action::kDrop);
  player.dropped();
  for (const int64_t pts : {160, 200, 240}) {
    player.decoded(pts * kMillisecondNs, 40 * kMillisecondNs);
    EXPECT_EQ(player.next(now).action, Action::kDrop) << pts;
    player.dropped();
  }
  player.decoded(280 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(now).action, Action::kSubmit);
  player.submitted(now);
  player.decoded(320 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(now), (Player::Step{Action::kWait, 320 * kMillisecondNs}));  // no drift
  EXPECT_EQ(player.dropped_count(), 4U);
}

TEST(Player, TellsItsClockWhilePicturesCanBeLate) {
  Player player({.fps = {}, .rate = 2});
  EXPECT_FALSE(player.clock());
  player.decoded(0, 40 * kMillisecondNs);
  EXPECT_FALSE(player.clock()) << "the first picture sets it";
  player.submitted(100 * kMillisecondNs);
  player.decoded(40 * kMillisecondNs, 30 * kMillisecondNs);
  const auto clock = player.clock();
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->due_ns(40 * kMillisecondNs), 120 * kMillisecondNs);
  EXPECT_EQ(clock->last_pts_ns, 40 * kMillisecondNs);
  EXPECT_EQ(clock->last_duration_ns, 30 * kMillisecondNs);
  EXPECT_EQ(clock->submitted_ns, 100 * kMillisecondNs);
  player.pause(110 * kMillisecondNs);
  EXPECT_FALSE(player.clock());
  player.resume(200 * kMillisecondNs);
  EXPECT_TRUE(player.clock());
  player.seek(0);
  EXPECT_FALSE(player.clock());
  player.sought(true);
  EXPECT_FALSE(player.clock()) << "the first picture is shown at once";
}

TEST(Player, NoPictureIsLateInALiveFilmOrAtAnotherRate) {
  for (const PlayerOptions& options : {PlayerOptions{.fps = 1000}, PlayerOptions{.fps = 0},
                                       PlayerOptions{.fps = {}, .live = true}}) {
    Player player(options);
    player.decoded(0, 40 * kMillisecondNs);
    player.submitted(0);
    EXPECT_FALSE(player.clock());
  }
}

TEST(Player, PicturesLateByLessThanOneAreShown) {
  Player player({});
  player.decoded(0, 40 * kMillisecondNs);
  player.submitted(0);
  player.decoded(40 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(80 * kMillisecondNs).action, Action::kSubmit);
  EXPECT_EQ(player.next(80 * kMillisecondNs + 1).action, Action::kDrop);
}

TEST(Player, TooHeavyFilmsStillMove) {
  Stage stage(Stage::steady(250, 40), {});
  stage.set_decode_cost_ms(60);
  stage.run_until(20000);
  const Shown shown = stage.take_shown();
  for (size_t i = 1; i < shown.size(); ++i) {
    EXPECT_LE(shown[i].first - shown[i - 1].first, 310) << i;
  }
  EXPECT_GT(stage.player().dropped_count(), 100U);
  EXPECT_EQ(shown.size() + stage.player().dropped_count(), 250U);
}

TEST(Player, LiveSourcesSetThePace) {
  PlayerOptions options;
  options.live = true;
  Stage stage(Stage::steady(10, 40), options);
  stage.set_decode_cost_ms(100);
  stage.run_until(20000);
  EXPECT_EQ(stage.take_shown().size(), 10U);
  EXPECT_EQ(stage.player().dropped_count(), 0U);
}

// Concatenated pieces of several films.
TEST(Player, TimesThatJumpAheadAreNotWaitedFor) {
  PlayerOptions options;
  options.jumps = true;
  Stage stage({0, 40, 80, 3'600'000, 3'600'040, 900, 940}, options);
  stage.set_longest_ms(40);
  stage.run_until(10000);
  EXPECT_EQ(
      stage.take_shown(),
      (Shown{
          {0, 0}, {40, 40}, {80, 80}, {120, 3'600'000}, {160, 3'600'040}, {200, 900}, {240, 940}}));
}

// Slides from a pipe may pause, but nobody waits an hour for its next picture.
TEST(Player, ALiveSourceWaitsForPausesButNotForJumps) {
  PlayerOptions options;
  options.live = true;
  Stage stage({0, 40, 5000, 3'600'000, 3'600'040}, options);
  stage.set_longest_ms(40);
  stage.run_until(10000);
  EXPECT_EQ(stage.take_shown(),
            (Shown{{0, 0}, {40, 40}, {5000, 5000}, {5040, 3'600'000}, {5080, 3'600'040}}));
}

TEST(Player, FpsReplacesTheFilmsTimes) {
  PlayerOptions options;
  options.fps = 10;
  Stage stage({0, 1, 2, 900}, options);
  stage.run_until(10000);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {100, 1}, {200, 2}, {300, 900}}));
}

TEST(Player, FpsZeroIsAsFastAsPossible) {
  PlayerOptions options;
  options.fps = 0;
  Stage stage(Stage::steady(100, 40), options);
  stage.set_decode_cost_ms(1);
  EXPECT_EQ(stage.run_until(1000), Action::kEnd);
  const Shown shown = stage.take_shown();
  ASSERT_EQ(shown.size(), 100U);
  EXPECT_EQ(shown.back().first, 100);
}

TEST(Player, FpsZeroCanBePaused) {
  PlayerOptions options;
  options.fps = 0;
  Stage stage(Stage::steady(100, 40), options);
  stage.set_decode_cost_ms(1);
  stage.player().pause(0);
  stage.run_until(1000);
  EXPECT_EQ(stage.take_shown().size(), 1U);
  stage.player().resume(stage.now());
  stage.run_until(2000);
  EXPECT_EQ(stage.take_shown().size(), 99U);
}

TEST(Player, LoopsWithoutAGap) {
  PlayerOptions options;
  options.loop = true;
  Stage stage({0, 40, 80}, options);
  stage.run_until(250);
  EXPECT_EQ(stage.take_shown(),
            (Shown{{0, 0}, {40, 40}, {80, 80}, {120, 0}, {160, 40}, {200, 80}, {240, 0}}));
}

TEST(Player, LoopsStayInStepForLong) {
  PlayerOptions options;
  options.loop = true;
  Stage stage({0, 40, 80}, options);
  stage.run_until(120'000);
  for (const auto& [when, which] : stage.take_shown()) ASSERT_EQ(when % 120, which);
}

TEST(Player, LoopOfAnEmptyFilmEnds) {
  PlayerOptions options;
  options.loop = true;
  Stage stage({}, options);
  EXPECT_EQ(stage.run_until(1000), Action::kEnd);
  EXPECT_EQ(stage.now(), 0);
}

TEST(Player, LoopThatCannotSeekEnds) {
  PlayerOptions options;
  options.loop = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.set_seekable(false);
  EXPECT_EQ(stage.run_until(1000), Action::kEnd);
  EXPECT_EQ(stage.take_shown().size(), 3U);
}

TEST(Player, TimesThatJumpBackGoOnFromThere) {
  Stage stage({0, 100, 200, 50, 150}, {});
  stage.run_until(1000);
  // The picture before the jump has no duration here, so it gets that of the picture before.
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {100, 100}, {200, 200}, {300, 50}, {400, 150}}));
}

TEST(Player, AStillStaysForEver) {
  Stage stage({0}, {});
  EXPECT_EQ(stage.run_until(3'600'000), Action::kEnd);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}}));
  EXPECT_EQ(stage.player().next(stage.now()), (Player::Step{Action::kWait, Player::kForever}));
}

TEST(Player, TheLastPictureOfAFilmIsNotAStill) {
  Player player({.fps = {}, .start_ns = 360 * kMillisecondNs});
  player.sought(true);
  player.decoded(360 * kMillisecondNs, 40 * kMillisecondNs);
  player.submitted(0);
  player.reached_end();
  EXPECT_EQ(player.next(40 * kMillisecondNs).action, Action::kEnd);
}

TEST(Player, AStillOfAListHasItsTime) {
  PlayerOptions options;
  options.still_ns = 5 * kSecondNs;
  options.loop = true;
  Stage stage({0}, options);
  EXPECT_EQ(stage.run_until(3'600'000), Action::kEnd);
  EXPECT_EQ(stage.player().next(stage.now()).action, Action::kEnd);
  EXPECT_EQ(stage.now(), 5 * kSecondNs);
}

TEST(Player, HoldKeepsTheLastPicture) {
  PlayerOptions options;
  options.hold = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.run_until(10000);
  EXPECT_EQ(stage.player().next(stage.now()), (Player::Step{Action::kWait, Player::kForever}));
  stage.take_shown();
  stage.player().seek(40 * kMillisecondNs);
  stage.run_until(20000);
  EXPECT_EQ(stage.take_shown(), (Shown{{10000, 40}, {10040, 80}}));
}

TEST(Player, AtItsEndItWaitsAndBeginsAgainWhenItIsToGoOn) {
  PlayerOptions options;
  options.hold = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.run_until(100);
  EXPECT_FALSE(stage.player().at_end(stage.now())) << "the last picture is still to be seen";
  stage.run_until(10000);
  EXPECT_TRUE(stage.player().at_end(stage.now()));
  stage.player().pause(stage.now());
  EXPECT_FALSE(stage.player().paused()) << "there is nothing to hold up";
  stage.take_shown();
  stage.player().resume(stage.now());
  EXPECT_FALSE(stage.player().at_end(stage.now()));
  stage.run_until(20000);
  EXPECT_EQ(stage.take_shown(), (Shown{{10000, 0}, {10040, 40}, {10080, 80}}));
  EXPECT_TRUE(stage.player().at_end(stage.now()));
  stage.player().seek(40 * kMillisecondNs);
  EXPECT_FALSE(stage.player().at_end(stage.now()));
}

TEST(Player, ToldToLoopAtItsEndItBeginsAgainAtOnceAndInStep) {
  PlayerOptions options;
  options.hold = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.run_until(10000);
  stage.take_shown();
  stage.player().set_loop(true, stage.now());
  stage.run_until(10120);
  EXPECT_EQ(stage.take_shown(), (Shown{{10000, 0}, {10040, 40}, {10080, 80}, {10120, 0}}));
  EXPECT_EQ(stage.player().dropped_count(), 0U);
}

TEST(Player, ToldToLoopWhileItsLastPictureIsSeenItGoesOnWithoutAGap) {
  PlayerOptions options;
  options.hold = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.run_until(100);
  stage.player().set_loop(true, stage.now());
  stage.run_until(160);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {40, 40}, {80, 80}, {120, 0}, {160, 40}}));
}

TEST(Player, OnlyAFilmThatIsHeldHasSuchAnEnd) {
  PlayerOptions options;
  Stage film(Stage::steady(3, 40), options);
  film.run_until(10000);
  EXPECT_FALSE(film.player().at_end(film.now())) << "it is over";
  options.hold = true;
  Stage still({0}, options);
  still.run_until(10000);
  EXPECT_FALSE(still.player().at_end(still.now()));
  options.loop = true;
  Stage loop(Stage::steady(3, 40), options);
  for (int64_t at = 10; at < 500; at += 10) {
    loop.run_until(at);
    EXPECT_FALSE(loop.player().at_end(loop.now()));
  }
}

TEST(Player, StopsAfterSoManyPictures) {
  PlayerOptions options;
  options.max_frames = 2;
  Stage stage(Stage::steady(10, 40), options);
  EXPECT_EQ(stage.run_until(1000), Action::kEnd);
  EXPECT_EQ(stage.take_shown(), (Shown{{0, 0}, {40, 40}}));
  EXPECT_EQ(stage.now(), 80 * kMillisecondNs);
}

TEST(Player, PositionStandsAtTheEnd) {
  PlayerOptions options;
  options.hold = true;
  Stage stage(Stage::steady(3, 40), options);
  stage.run_until(10000);
  EXPECT_EQ(stage.player().position_ns(stage.now()), 120 * kMillisecondNs);
}

// The picture after the loop's end is decoded, or submitted, ahead of its time.
TEST(Player, PositionRunsToTheSeamOfALoop) {
  Player player({.fps = {}, .loop = true});
  player.follow(0, 0, 2, false, 0);
  player.sought(true);
  for (const int64_t pts_ns : {int64_t{0}, 40 * kMillisecondNs}) {
    player.decoded(pts_ns, 40 * kMillisecondNs);
    player.submitted(0);
  }
  player.reached_end();
  player.sought(true);
  player.decoded(0, 40 * kMillisecondNs);
  player.submitted(0);
  EXPECT_EQ(player.position_ns(35 * kMillisecondNs), 70 * kMillisecondNs);
  EXPECT_EQ(player.position_ns(40 * kMillisecondNs), 0);
  EXPECT_EQ(player.position_ns(45 * kMillisecondNs), 10 * kMillisecondNs);
}

// --- an external clock ---------------------------------------------------------------------------

TEST(PlayerFollows, PicturesAreDueByTheOtherClock) {
  Player player({.fps = {}, .film_duration_ns = 10'000 * kMillisecondNs});
  player.decoded(0, 40 * kMillisecondNs);
  // The film begins in 100 ms: the decoded picture is its first.
  player.follow(0, 1100 * kMillisecondNs, 1, false, 1000 * kMillisecondNs);
  EXPECT_EQ(player.next(1000 * kMillisecondNs),
            (Player::Step{Action::kWait, 1100 * kMillisecondNs}));
  EXPECT_EQ(player.due_ns(), 1100 * kMillisecondNs);
  EXPECT_EQ(player.next(1100 * kMillisecondNs).action, Action::kSubmit);
  player.submitted(1107 * kMillisecondNs);
  player.decoded(40 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.due_ns(), 1140 * kMillisecondNs)
      << "late or not, its picture does not set the clock";
  player.nudge(kMillisecondNs);
  EXPECT_EQ(player.due_ns(), 1141 * kMillisecondNs);
}

TEST(PlayerFollows, AFilmThatJoinsIsWhereTheOthersAre) {
  Player player({.fps = {}, .loop = true, .film_duration_ns = 10'000 * kMillisecondNs});
  player.decoded(0, 40 * kMillisecondNs);
  player.follow(0, 0, 2, false, 7'000 * kMillisecondNs);  // 14 s of the film: in its second round
  EXPECT_EQ(player.next(7'000 * kMillisecondNs),
            (Player::Step{Action::kSeek, 4'000 * kMillisecondNs}));
  player.sought(true);
  player.decoded(4'040 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.due_ns(), 7'020 * kMillisecondNs);
  // Seeks back; this is not the loop's end.
  player.submitted(7'020 * kMillisecondNs);
  player.follow(1'000 * kMillisecondNs, 8'000 * kMillisecondNs, 1, false, 8'000 * kMillisecondNs);
  EXPECT_EQ(player.next(8'000 * kMillisecondNs),
            (Player::Step{Action::kSeek, 1'000 * kMillisecondNs}));
  player.sought(true);
  player.decoded(1'040 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.due_ns(), 8'040 * kMillisecondNs);
}

TEST(PlayerFollows, PausedItShowsThePictureThere) {
  Player player({.fps = {}, .film_duration_ns = 10'000 * kMillisecondNs});
  player.decoded(0, 40 * kMillisecondNs);
  player.follow(5'010 * kMillisecondNs, 0, 1, true, 7'000 * kMillisecondNs);
  EXPECT_EQ(player.next(7'000 * kMillisecondNs),
            (Player::Step{Action::kSeek, 5'010 * kMillisecondNs}));
  player.sought(true);
  player.decoded(5'000 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(7'000 * kMillisecondNs).action, Action::kSubmit);
  player.submitted(7'000 * kMillisecondNs);
  EXPECT_EQ(player.position_ns(7'000 * kMillisecondNs), 5'010 * kMillisecondNs)
      << "its picture does not set the clock";
  player.decoded(5'040 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(9'000 * kMillisecondNs), (Player::Step{Action::kWait, Player::kForever}));
  // Continues from there without a seek.
  player.follow(5'010 * kMillisecondNs, 10'000 * kMillisecondNs, 1, false, 9'900 * kMillisecondNs);
  EXPECT_EQ(player.next(9'900 * kMillisecondNs),
            (Player::Step{Action::kWait, 10'030 * kMillisecondNs}));
}

// Pictures are submitted ahead: some may be after the pause position.
TEST(PlayerFollows, PausedItGoesBackToThePictureThere) {
  Player player({.fps = {}, .film_duration_ns = 10'000 * kMillisecondNs});
  player.decoded(2'000 * kMillisecondNs, 40 * kMillisecondNs);
  player.follow(2'000 * kMillisecondNs, 0, 1, false, 0);
  for (const int64_t pts_ms : {2'000, 2'040, 2'080}) {
    if (pts_ms != 2'000) player.decoded(pts_ms * kMillisecondNs, 40 * kMillisecondNs);
    player.submitted((pts_ms - 2'000) * kMillisecondNs);
  }
  player.follow(2'090 * kMillisecondNs, 90 * kMillisecondNs, 1, true, 90 * kMillisecondNs);
  player.decoded(2'120 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(90 * kMillisecondNs).action, Action::kWait) << "it is there";
  player.follow(2'020 * kMillisecondNs, 95 * kMillisecondNs, 1, true, 95 * kMillisecondNs);
  EXPECT_EQ(player.next(95 * kMillisecondNs),
            (Player::Step{Action::kSeek, 2'020 * kMillisecondNs}));
  player.sought(true);
  player.decoded(2'000 * kMillisecondNs, 40 * kMillisecondNs);
  EXPECT_EQ(player.next(95 * kMillisecondNs).action, Action::kSubmit);
}

TEST(PlayerFollows, PausedItShowsWhatWasDroppedOrNeverShown) {
  Player dropping({.fps = {}, .film_duration_ns = 10'000 * kMillisecondNs});
  dropping.decoded(0, 40 * kMillisecondNs);
  dropping.dropped();
  dropping.follow(10 * kMillisecondNs, 0, 1, true, 0);
  EXPECT_EQ(dropping.next(0), (Player::Step{Action::kSeek, 10 * kMillisecondNs}));
  Player beginning({.fps = {}, .film_duration_ns = 10'000 * kMillisecondNs});
  beginning.decoded(0, 40 * kMillisecondNs);
  beginning.follow(10 * kMillisecondNs, 0, 1, true, 0);
  EXPECT_EQ(beginning.next(0), (Player::Step{Action::kSeek, 10 * kMillisecondNs}));
}

// With drifting clocks, rounded film times and any rate, a picture has the same presentation time
// in all players.
TEST(FilmTimeline, PlayersAgree) {
  const Timeline timeline{.position_s = 12.3, .at_ns = 86'400'000'000'123, .rate = 1.25};
  const int64_t interval = 33'366'667;
  for (int64_t picture = 400; picture < 200'000; picture += 997) {
    const double film_ns = static_cast<double>(picture * interval) - 12.3e9;
    const int64_t exact = timeline.at_ns + std::llround(film_ns / 1.25);
    for (const int64_t error :
         {-10 * kMillisecondNs, int64_t{-1}, int64_t{0}, 10 * kMillisecondNs}) {
      EXPECT_EQ(presentation_ns(timeline, exact + error, interval), exact);
    }
  }
}

TEST(FilmTimeline, StandingIsSoonThenRare) {
  const Timeline timeline{.at_ns = 86'400'000'000'123, .rate = 1, .paused = true};
  int64_t at_ns = 0;
  for (const int64_t since_ms : {0, 250, 500, 1000, 2000, 4000}) {
    at_ns = standing_ns(timeline, at_ns + 1);
    EXPECT_EQ(at_ns, timeline.at_ns + since_ms * kMillisecondNs);
    EXPECT_EQ(standing_ns(timeline, at_ns), at_ns) << "it is not before itself";
  }
}

}  // namespace
}  // namespace sail
