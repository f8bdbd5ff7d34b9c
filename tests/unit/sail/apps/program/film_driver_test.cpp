// The player without a wall: which picture is shown when, however slowly pictures are decoded.
#include "sail/apps/program/film_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <semaphore>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/support/slow_source.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kWaitTimeout(30);

class FilmDriverTest : public testing::Test {
 protected:
  // A film with pictures of one millisecond each; next() waits for permission.
  void start(PlayerOptions options, int64_t pictures = 5,
             FilmDriver::Begin begin = FilmDriver::Begin::kAtOnce) {
    source_.pictures = pictures;
    source_.picture_ns = kMillisecondNs;
    film_.emplace(window_,
                  FilmDriver::Program{
                      .open = [this](const auto&) -> Result<std::unique_ptr<Source>> {
                        opening_.acquire();
                        return std::unique_ptr<Source>(std::make_unique<test::SlowSource>(source_));
                      },
                      .begin = [options](const SourceInfo&) { return options; },
                      .show = [this](const Picture& picture) -> Result<bool> {
                        if (window_there_) shown_.push_back(picture.pts_ns / kMillisecondNs);
                        return window_there_;
                      },
                      .playback = [] { return sail_playback{}; },
                      .say = [this](LogLevel, const std::string& text) { said_.push_back(text); },
                      .error_ends = error_ends_},
                  begin);
  }
  // total number of pictures read
  int stopped() {
    film_->stop();
    EXPECT_TRUE(plays_until([&] { return film_->released(); }));
    return source_.given;
  }
  template <typename Condition>
  bool plays_until(const Condition& condition) {
    const auto give_up = std::chrono::steady_clock::now() + kWaitTimeout;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      film_->take_answer(std::chrono::milliseconds(1));
      film_->step();
    }
    return true;
  }

  std::counting_semaphore<> opening_{1};
  test::SlowFilm source_;
  bool window_there_ = true;
  bool error_ends_ = false;
  std::vector<int64_t> shown_;
  std::vector<std::string> said_;
  WallSession session_{"test", "", -1, nullptr};
  WallWindow window_{session_};
  std::optional<FilmDriver> film_;
};

TEST_F(FilmDriverTest, PlaysToTheEndAndSaysOnceWhatIsWrong) {
  source_.leave.release(100);
  source_.fails_at = 5;
  start({.fps = 0}, 9);
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_TRUE(film_->end());
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 1, 2, 3, 4})) << "what was read before is shown";
  EXPECT_EQ(said_, std::vector<std::string>{"cannot read picture"});
  film_->stop();
  EXPECT_TRUE(plays_until([&] { return film_->released(); }));
}

TEST_F(FilmDriverTest, AFileThatHangsStopsNobody) {
  ASSERT_TRUE(opening_.try_acquire());
  start({.fps = {}, .paused = true});
  film_->step();
  EXPECT_TRUE(film_->awaits_reader());
  opening_.release();
  EXPECT_TRUE(plays_until([&] { return film_->player() != nullptr; }));
  EXPECT_TRUE(film_->awaits_reader());
  // No picture arrives while users send commands: the last command counts.
  sail_event seek{};
  seek.type = SAIL_EVENT_SEEK;
  for (const double seconds : {0.001, 0.004, 0.003}) {
    seek.value = seconds;
    film_->obey(seek);
    film_->step();
  }
  EXPECT_EQ(film_->player()->position_ns(0), 3 * kMillisecondNs);
  source_.leave.release(100);
  EXPECT_TRUE(plays_until([&] { return !shown_.empty(); }));
  EXPECT_EQ(shown_.front(), 3);
}

TEST_F(FilmDriverTest, WaitsForItsWindowAndShowsAPictureAgainWhenItIsWanted) {
  source_.leave.release(100);
  window_there_ = false;
  start({.fps = {}, .paused = true});
  EXPECT_TRUE(plays_until([&] { return !film_->awaits_reader(); }));
  EXPECT_EQ(film_->shown(), nullptr);
  window_there_ = true;
  EXPECT_TRUE(plays_until([&] { return film_->shown() != nullptr; }));
  film_->refresh();
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 2; }));
  EXPECT_EQ(shown_.back(), 0);
}

// A short film may be over before a picture could be sent.
TEST_F(FilmDriverTest, AtItsEndTheLastPictureIsShownAgainWhenItIsWanted) {
  source_.leave.release(100);
  start({.fps = 0, .hold = true}, 3);
  const auto ended = [&] {
    return film_->player() != nullptr && film_->player()->at_end(steady_now_ns());
  };
  EXPECT_TRUE(plays_until(ended));
  film_->refresh();
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 4; }));
  EXPECT_EQ(shown_.back(), 2);
}

TEST_F(FilmDriverTest, ATimelineMayBeYetToBegin) {
  source_.leave.release(100);
  start({.fps = {}});
  EXPECT_FALSE(film_->yet_to_begin()) << "there is none";
  film_->follow({.at_ns = steady_now_ns() + 3600 * kSecondNs});
  EXPECT_TRUE(plays_until([&] { return film_->follows(); }));
  EXPECT_TRUE(film_->yet_to_begin());
  film_->follow({.at_ns = steady_now_ns()});
  EXPECT_TRUE(plays_until([&] { return !film_->yet_to_begin(); }));
}

// A member that learned of the start time late has missed the start; no picture is shown by only
// one member.
TEST_F(FilmDriverTest, APausedTimelinesPictureIsHandedOverAgainForThoseThatWereLate) {
  source_.leave.release(100);
  start({.fps = {}});
  film_->follow({.position_s = 0.003, .at_ns = steady_now_ns(), .paused = true});
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 3; }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{3, 3, 3}));
  film_->follow({.position_s = 0.003, .at_ns = steady_now_ns()});
  EXPECT_TRUE(plays_until([&] { return film_->over(); })) << "and then it goes on";
}

// The test asks while the reader waits for permission.
TEST_F(FilmDriverTest, TheSourceLearnsWhichPicturesAreLate) {
  const auto second_is_late = [&] { return source_.late(kMillisecondNs, kMillisecondNs); };
  source_.leave.release(1);
  start({.fps = {}});
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 1 && source_.waiting == 1; }));
  EXPECT_TRUE(plays_until(second_is_late));
  sail_event event{};
  event.type = SAIL_EVENT_PAUSE;
  film_->obey(event);
  film_->step();
  EXPECT_FALSE(second_is_late());
  event.type = SAIL_EVENT_RESUME;
  film_->obey(event);
  EXPECT_TRUE(plays_until(second_is_late));
  film_->seek(0.004);
  film_->step();
  EXPECT_FALSE(second_is_late());
  source_.leave.release(100);
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 4}));
}

TEST_F(FilmDriverTest, BeginsAgainAtItsEnd) {
  source_.leave.release(100);
  start({.fps = 0, .loop = true}, 2);
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 5; }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 1, 0, 1, 0}));
}

TEST_F(FilmDriverTest, ALoopShowsEachPictureOnceAcrossItsSeams) {
  source_.leave.release(1000);
  start({.fps = 0, .loop = true}, 7);
  EXPECT_TRUE(plays_until([&] { return shown_.size() >= 50; }));
  for (size_t i = 0; i < shown_.size(); ++i) EXPECT_EQ(shown_[i], static_cast<int64_t>(i % 7)) << i;
  EXPECT_TRUE(said_.empty());
}

TEST_F(FilmDriverTest, TheNextRoundIsReadBeforeThisOneIsOver) {
  source_.leave.release(1000);
  start({.fps = {}, .paused = true, .loop = true});
  EXPECT_TRUE(plays_until([&] { return source_.given >= 8; }));
  EXPECT_EQ(shown_, std::vector<int64_t>{0});
}

TEST_F(FilmDriverTest, ALoopThatIsSwitchedOffEndsThoughMoreHasBeenRead) {
  source_.leave.release(1000);
  start({.fps = {}, .paused = true, .loop = true});
  EXPECT_TRUE(plays_until([&] { return source_.given >= 8; }));
  film_->player()->set_loop(false, 0);
  film_->player()->resume(steady_now_ns());
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_EQ(std::ranges::count(shown_, 0), 1);
}

TEST_F(FilmDriverTest, ALoopThatIsSwitchedOnLateBeginsAgain) {
  source_.leave.release(1000);
  start({.fps = {}, .paused = true});
  EXPECT_TRUE(plays_until([&] { return film_->read_to_end(); }));
  film_->player()->set_loop(true, 0);
  film_->player()->resume(steady_now_ns());
  EXPECT_TRUE(plays_until([&] { return std::ranges::count(shown_, 0) >= 2; }));
}

TEST_F(FilmDriverTest, AFailureAheadEndsALoopsRoundInItsPlace) {
  source_.leave.release(1000);
  source_.fails_at = 3;
  start({.fps = 0, .loop = true});
  EXPECT_TRUE(plays_until([&] { return shown_.size() >= 7; }));
  EXPECT_EQ(std::vector(shown_.begin(), shown_.begin() + 7),
            (std::vector<int64_t>{0, 1, 2, 0, 1, 2, 0}));
}

TEST_F(FilmDriverTest, WhatWasReadAheadOfASeekIsNotShown) {
  source_.leave.release(10);
  start({.fps = {}, .paused = true}, 100);
  EXPECT_TRUE(plays_until([&] { return source_.given == 10 && source_.waiting == 1; }));
  film_->seek(0.050);
  film_->step();
  source_.leave.release(1000);
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 2; }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 50}));
  film_->player()->resume(steady_now_ns());
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_TRUE(std::ranges::is_sorted(shown_));
}

TEST_F(FilmDriverTest, ReadsAheadOnlyWhatThereIsMemoryFor) {
  source_.leave.release(1000);
  source_.picture_bytes = size_t{1} << 30;
  start({.fps = {}, .paused = true}, 100);
  EXPECT_TRUE(plays_until([&] { return source_.given == 4; }));
  EXPECT_EQ(stopped(), 4) << "the one shown, the one in hand, two ahead";
}

TEST_F(FilmDriverTest, IsOpenedAndReadBeforeItsTurn) {
  source_.leave.release(1000);
  start({.fps = {}, .paused = true}, 100, FilmDriver::Begin::kWhenTold);
  EXPECT_TRUE(plays_until([&] { return source_.given >= 10; }));
  EXPECT_EQ(film_->player(), nullptr);
  EXPECT_TRUE(shown_.empty());
  film_->begin();
  film_->step();
  EXPECT_EQ(shown_, std::vector<int64_t>{0}) << "at once";
}

TEST_F(FilmDriverTest, ALiveSourceIsSilentUntilItSendsAgain) {
  source_.reconnects = true;
  source_.jumps_at = 2;
  source_.leave.release(2);
  start({.fps = {}, .live = true, .jumps = true}, 100);
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 2; }));
  EXPECT_EQ(film_->silent_since_s(), 0);
  EXPECT_TRUE(plays_until([&] { return film_->silent_since_s() > 1'000'000'000; }));
  EXPECT_FALSE(film_->over());
  source_.leave.release(1);
  EXPECT_TRUE(plays_until([&] { return film_->silent_since_s() == 0; }));
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 3; }));
  EXPECT_EQ(film_->jumped_s(), 0) << "it sends again with other stamps";
  source_.leave.release(100);  // its reader ends
}

TEST_F(FilmDriverTest, ALiveSourceWhoseTimeStampsJumpPlaysOnAndSaysSo) {
  source_.reconnects = true;
  source_.jumps_at = 3;
  source_.leave.release(100);
  start({.fps = {}, .live = true, .jumps = true}, 5);
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_EQ(shown_.size(), 5U);
  EXPECT_GT(film_->jumped_s(), 1'000'000'000);
  EXPECT_EQ(said_, std::vector<std::string>{"the time stamps of the source jumped by +3600.0 s"});
}

// The film is long enough that not all pictures after the jump are too late on a busy machine.
TEST_F(FilmDriverTest, AFilmWhoseTimeStampsJumpPlaysOnAndSaysSo) {
  constexpr int kPictures = 500;
  source_.jumps_at = 3;
  source_.leave.release(2 * kPictures);
  start({.fps = {}, .jumps = true}, kPictures);
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_GE(shown_.back(), 3'600'000) << "pictures after the jump";
  EXPECT_GT(film_->jumped_s(), 1'000'000'000);
  EXPECT_EQ(said_, std::vector<std::string>{"the time stamps of the film jumped by +3600.0 s"});
}

TEST_F(FilmDriverTest, ALoopIsNoJump) {
  source_.leave.release(5000);
  start({.fps = 0, .loop = true, .jumps = true}, 1500);
  EXPECT_TRUE(plays_until([&] { return std::ranges::count(shown_, 0) >= 2; }));
  EXPECT_EQ(film_->jumped_s(), 0) << "it goes back by 1.5 s";
}

TEST_F(FilmDriverTest, AnErrorEndsALoopIfThatIsWanted) {
  source_.leave.release(1000);
  source_.fails_at = 3;
  error_ends_ = true;
  start({.fps = 0, .loop = true, .hold = true});
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 1, 2})) << "what was read before is shown";
  EXPECT_EQ(film_->end().error().message, "cannot read picture");
  EXPECT_TRUE(said_.empty()) << "the program says it";
}

TEST_F(FilmDriverTest, AFilmThatCannotBeOpenedIsOver) {
  film_.emplace(window_,
                FilmDriver::Program{.open = [](const auto&) -> Result<std::unique_ptr<Source>> {
                                      return fail(ErrorCode::kNotFound, "no such film");
                                    },
                                    .begin = [](const SourceInfo&) { return PlayerOptions{}; },
                                    .show = [](const Picture&) -> Result<bool> { return true; },
                                    .playback = [] { return sail_playback{}; },
                                    .say = [](LogLevel, const std::string&) {}});
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_EQ(film_->end().error().message, "no such film");
  EXPECT_EQ(film_->player(), nullptr);
}

}  // namespace
}  // namespace sail
