// bplay plays a converted film on a whole wall: the tiles show the frames that match the film's
// time and the users' commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

#include "sail/apps/play/bplay.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kFrameSize{650, 366};
constexpr int kFps = 25;
constexpr uint64_t kFrames = 100;

class MovieWallList : public testing::Test {
 protected:
  std::set<uint32_t> shown_frames() { return cards_on_all_tiles(wall_); }
  bool comes_to(uint32_t frame) {
    return eventually([&] { return shown_frames() == std::set<uint32_t>{frame}; });
  }
  int window() { return wall_.window().value("window", 0); }

  const sail::TempFolder folder_;
  HeadlessWall wall_{grid_wall()};
};

class MovieWall : public MovieWallList, public testing::WithParamInterface<const char*> {};

TEST_P(MovieWall, ShowsTheFramesAskedFor) {
  const std::string film = folder_.file("film.vmov");
  write_test_film(film, {.size = kFrameSize, .codec = GetParam(), .fps = kFps, .frames = kFrames});
  sail::BplayOptions options;
  options.films = {film};
  options.manager = wall_.manager_address();
  options.place = sail::Rect{0, 0, kFrameSize.width, kFrameSize.height};
  options.paused = true;
  options.loop = true;
  options.log_level = sail::LogLevel::kError;
  int code = -1;
  std::thread player([&] { code = sail::Bplay(options).run(); });

  EXPECT_TRUE(eventually([&] { return window() != 0; }));
  const int number = window();
  EXPECT_TRUE(comes_to(1)) << "the first frame of a paused film";
  for (const uint32_t frame : {51U, 2U, 100U}) {
    wall_.call("control", {{"window", number},
                           {"action", "seek"},
                           {"value", (static_cast<double>(frame) - 0.5) / kFps}});
    EXPECT_TRUE(comes_to(frame)) << "sought";
  }
  wall_.call("move", {{"window", number}, {"x", -64}, {"y", 0}});
  wall_.call("move", {{"window", number}, {"x", 0}, {"y", 0}});
  EXPECT_TRUE(comes_to(100)) << "still there after a move";
  wall_.call("control", {{"window", number}, {"action", "resume"}});
  std::set<uint32_t> seen;
  EXPECT_TRUE(eventually([&] {
    const auto frames = shown_frames();
    EXPECT_LE(frames.size(), kMostFramesAtOnce) << "all tiles show one frame";
    seen.insert(frames.begin(), frames.end());
    return seen.size() > 3;
  })) << "it plays, and begins again at its end";
  wall_.call("close", {{"window", number}});
  player.join();
  EXPECT_EQ(code, 0);
}

TEST_F(MovieWallList, EachPictureOfAListIsShownOnce) {
  sail::BplayOptions options;
  for (const uint64_t frames : {9U, 2U, 30U, 5U}) {
    options.films.push_back(folder_.file(std::to_string(frames) + ".vmov"));
    write_test_film(options.films.back(), {.size = kFrameSize, .fps = kFps, .frames = frames});
  }
  options.films.insert(options.films.begin() + 2, folder_.file("none.vmov"));
  options.manager = wall_.manager_address();
  options.place = sail::Rect{0, 0, kFrameSize.width, kFrameSize.height};
  options.hold = true;
  options.fps = 0;
  options.log_level = sail::LogLevel::kError;
  int code = -1;
  std::thread player([&] { code = sail::Bplay(options).run(); });
  EXPECT_TRUE(eventually([&] {
    return ui::number_member(ui::member(wall_.window(), "stats"), "frames_submitted") == 46;
  }));
  EXPECT_TRUE(comes_to(5)) << "the last one stays";
  wall_.call("close", {{"window", window()}});
  player.join();
  EXPECT_EQ(code, 0);
}

INSTANTIATE_TEST_SUITE_P(Codecs, MovieWall, testing::Values("dxt1", "dxt1+lz4", "dxt5ycocg:fast"));

}  // namespace
}  // namespace test
