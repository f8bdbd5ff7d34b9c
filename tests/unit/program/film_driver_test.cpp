// A film without a wall: what is shown when, however slowly its pictures come.
#include "sail/program/film_driver.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <vector>

#include "tests/support/slow_source.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kPatience(30);

class FilmDriverTest : public testing::Test {
 protected:
  void start(PlayerOptions options, int64_t pictures = 5) {
    film_.emplace(
        window_,
        FilmDriver::Program{
            .open = [this, pictures](const auto&) -> Result<std::unique_ptr<Source>> {
              opening_.acquire();
              return std::unique_ptr<Source>(std::make_unique<SlowSource>(leave_, pictures, true));
            },
            .begin = [options](const SourceInfo&) { return options; },
            .show = [this](const Picture& picture) -> Result<bool> {
              if (window_there_) shown_.push_back(picture.pts_ns / SlowSource::kPictureNs);
              return window_there_;
            },
            .playback = [] { return sail_playback{}; },
            .say = [this](LogLevel, const std::string& text) { said_.push_back(text); }});
  }
  template <typename Condition>
  bool plays_until(const Condition& condition) {
    const auto give_up = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      film_->take_answer(std::chrono::milliseconds(1));
      film_->step();
    }
    return true;
  }

  std::counting_semaphore<> opening_{1};
  std::counting_semaphore<> leave_{0};
  bool window_there_ = true;
  std::vector<int64_t> shown_;
  std::vector<std::string> said_;
  WallSession session_{"test", "", -1, nullptr};
  WallWindow window_{session_};
  std::optional<FilmDriver> film_;
};

TEST_F(FilmDriverTest, PlaysToTheEndAndSaysOnceWhatIsWrong) {
  leave_.release(100);
  start({.fps = 0});
  EXPECT_TRUE(plays_until([&] { return film_->over(); }));
  EXPECT_TRUE(film_->end());
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(said_, std::vector<std::string>{"the file ends early"});
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
  // Nothing comes, and people want something of it: the last wish counts.
  sail_event seek{};
  seek.type = SAIL_EVENT_SEEK;
  for (const double seconds : {0.001, 0.004, 0.003}) {
    seek.value = seconds;
    film_->obey(seek);
    film_->step();
  }
  EXPECT_EQ(film_->player()->position_ns(0), 3 * SlowSource::kPictureNs);
  leave_.release(100);
  EXPECT_TRUE(plays_until([&] { return !shown_.empty(); }));
  EXPECT_EQ(shown_.front(), 3);
}

TEST_F(FilmDriverTest, WaitsForItsWindowAndShowsAPictureAgainWhenItIsWanted) {
  leave_.release(100);
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

TEST_F(FilmDriverTest, BeginsAgainAtItsEnd) {
  leave_.release(100);
  start({.fps = 0, .loop = true}, 2);
  EXPECT_TRUE(plays_until([&] { return shown_.size() == 5; }));
  EXPECT_EQ(shown_, (std::vector<int64_t>{0, 1, 0, 1, 0}));
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
