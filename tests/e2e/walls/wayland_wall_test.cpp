// vitrail-share in the test's own Wayland session, through the desktop portal: the wall shows the
// session's screen.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/desktop/child_program.h"
#include "tests/support/desktop/desktop_pictures.h"
#include "tests/support/desktop/wayland_desktop.h"
#include "tests/support/headless_wall.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kWaylandScreen{400, 300};

class WaylandWall : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string file = WaylandDesktop::missing(); !file.empty()) {
      GTEST_SKIP() << file << " is not installed";
    }
    desktop_.emplace(kWaylandScreen);
    screen().draw(waves);
  }
  DrawnScreen& screen() { return desktop_->screen(); }
  // Pixels are shown 1:1, exactly.
  ChildProgram& share(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{SHARE_PROGRAM, "--codec=raw",           "--place=0,0",
                                   "--manager",   wall_.manager_address(), "--fps",
                                   "100"};
    words.insert(words.end(), more.begin(), more.end());
    return program_.emplace(words, desktop_->environment());
  }
  void expect_all(const Colours& colours, sail::Size size, const std::string& what) {
    ASSERT_TRUE(eventually([&] { return !wall_.window().empty() || program_->exit_code(); }));
    ASSERT_FALSE(program_->exit_code()) << program_->output();
    wall_.expect_shown({0, 0, size.width, size.height}, colours, what);
  }
  void expect_shared_without_input() {
    share({"--control"});
    expect_all(waves, kWaylandScreen, "the screen");
    EXPECT_EQ(wall_.window()["input"], sail::Json(false));
    EXPECT_NE(program_->output().find("the desktop does not allow remote control"),
              std::string::npos)
        << program_->output();
  }
  void expect_failure(const std::string& why) {
    EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
    EXPECT_EQ(program_->exit_code(), 1);
    EXPECT_NE(program_->output().find(why), std::string::npos) << program_->output();
  }
  uint64_t stat(const char* name) {
    return static_cast<uint64_t>(ui::number_member(ui::member(wall_.window(), "stats"), name));
  }
  HeadlessWall wall_{one_tile_wall()};
  std::optional<WaylandDesktop> desktop_;
  std::optional<ChildProgram> program_;
};

TEST_F(WaylandWall, ShowsTheScreenAndFollowsIt) {
  share();
  expect_all(waves, kWaylandScreen, "as it was");
  screen().draw(stripes);
  expect_all(stripes, kWaylandScreen, "after a change");
  screen().resize({400, 150});
  const auto lower = [](int x, int y) { return y >= 75 && y < 225 ? waves(x, y - 75) : 0; };
  // A frame that arrives during the size negotiation is lost.
  ASSERT_TRUE(eventually([&] {
    screen().draw(waves);
    return wall_.window()["frame_size"] == sail::Json{400, 150};
  }));
  expect_all(lower, kWaylandScreen, "of another size, in its place");
  EXPECT_EQ(program_->end(), 0);
}

TEST_F(WaylandWall, SendsNothingWhileNothingChanges) {
  share();
  expect_all(waves, kWaylandScreen, "as it was");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") >= 1; }));
  const uint64_t frames = stat("frames_submitted");
  screen().draw(stripes);
  expect_all(stripes, kWaylandScreen, "after a change");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") > frames; }));
  EXPECT_LE(stat("frames_submitted"), frames + 10) << "what has not changed was submitted";
}

TEST_F(WaylandWall, ShowsARegionExactly) {
  share({"--region", "33,21,201x99"});
  expect_all([](int x, int y) { return x < 201 && y < 99 ? waves(x + 33, y + 21) : 0; },
             kWaylandScreen, "the region and nothing else");
  share({"--region", "400,0,10x10"});
  expect_failure("outside the shared area, which has 400x300");
}

TEST_F(WaylandWall, PeopleAreAskedOnceUnlessTheyWantToBe) {
  share();
  expect_all(waves, kWaylandScreen, "chosen");
  EXPECT_EQ(screen().times_asked(), 1);
  const auto kept = desktop_->state_folder() / "vitrail/share-token";
  EXPECT_EQ(std::filesystem::status(kept).permissions(), std::filesystem::perms(0600));
  share();
  expect_all(waves, kWaylandScreen, "chosen before");
  EXPECT_EQ(screen().times_asked(), 1);
  screen().refuse(true);
  share({"--choose"});
  expect_failure("refused");
  EXPECT_EQ(screen().times_asked(), 2);
}

TEST_F(WaylandWall, EndsWhenPeopleWantIt) {
  share();
  expect_all(waves, kWaylandScreen, "as it was");
  screen().end();
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 0) << program_->output();
}

TEST_F(WaylandWall, SaysWhyNothingComesAnyMore) {
  share();
  expect_all(waves, kWaylandScreen, "as it was");
  desktop_->kill_pipewire();
  expect_failure("lost the desktop's video stream");
}

TEST_F(WaylandWall, AWindowIsAPartOfItsPicture) {
  screen().crop({50, 40, 120, 90});
  share();
  const auto window = [](int x, int y) { return x < 120 && y < 90 ? waves(x + 50, y + 40) : 0; };
  expect_all(window, kWaylandScreen, "the window and nothing else");
  screen().crop({-30, 255, 150, 90});
  const auto edge = [](int x, int y) {
    return x < 120 && y >= 22 && y < 67 ? waves(x, y - 22 + 255) : 0;
  };
  expect_all(edge, kWaylandScreen, "what of it is in the picture");
}

TEST_F(WaylandWall, APictureThatCameTooEarlyIsAskedForAgain) {
  screen().lose_its_first();
  share();
  expect_all(waves, kWaylandScreen, "though nothing is drawn");
}

TEST_F(WaylandWall, AStillScreenIsDarkUntilSomethingIsDrawn) {
  screen().lose_its_first(1000);
  share({"--control"});
  ASSERT_TRUE(eventually([&] { return !wall_.window().empty() || program_->exit_code(); }));
  ASSERT_FALSE(program_->exit_code()) << program_->output();
  expect_all([](int, int) { return 0U; }, kWaylandScreen, "dark");
  screen().draw(stripes);
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{400, 300}; }));
  expect_all(stripes, kWaylandScreen, "drawn");
  EXPECT_EQ(wall_.window()["input"], sail::Json(true));
}

// The next complete frame is shown.
TEST_F(WaylandWall, WhatIsNotInItsMemoryIsNotShown) {
  share();
  expect_all(waves, kWaylandScreen, "as it was");
  ASSERT_TRUE(eventually([&] { return stat("frames_shown") >= 1; }));
  const uint64_t frames = stat("frames_submitted");
  for (const int missing : {4, 1 << 30}) {
    screen().lie_about_its_bytes(missing);
    screen().draw(stripes);
    ASSERT_TRUE(eventually([&] { return screen().sent(); }));
  }
  expect_all(waves, kWaylandScreen, "as before");
  screen().lie_about_its_bytes(0);
  screen().draw(stripes);
  expect_all(stripes, kWaylandScreen, "what is right");
  ASSERT_TRUE(eventually([&] { return stat("frames_submitted") > frames; }));
  EXPECT_LE(stat("frames_submitted"), frames + 2) << "what is not was submitted";
}

TEST_F(WaylandWall, ThePointerIsInThePictures) {
  share();
  expect_all(waves, kWaylandScreen, "with it");
  EXPECT_TRUE(screen().has_pointer());
  share({"--no-cursor"});
  expect_all(waves, kWaylandScreen, "without");
  EXPECT_FALSE(screen().has_pointer());
}

// The pointer area is half the frame's size, as on a desktop with scale factor 2.
TEST_F(WaylandWall, PointerAndKeysReachItAsPeopleLetThem) {
  screen().set_pointer_area({200, 150});
  share({"--control", "--region", "40,20,300x200"});
  expect_all([](int x, int y) { return x < 300 && y < 200 ? waves(x + 40, y + 20) : 0; },
             kWaylandScreen, "the region");
  EXPECT_EQ(wall_.window()["input"], sail::Json(true));
  std::string came;
  const auto expect_input = [&](sail::Json params, const std::string& wanted) {
    params["window"] = wall_.window()["window"];
    wall_.call("input", params);
    came.clear();
    EXPECT_TRUE(
        eventually([&] { return (came += screen().take_input()).size() >= wanted.size(); }));
    EXPECT_EQ(came, wanted);
  };
  expect_input({{"type", "down"}, {"at", {70, 40}}, {"button", 2}, {"buttons", 2}},
               "move 55 30\nbutton 273 1\n");
  expect_input({{"type", "up"}, {"at", {75, 41}}, {"button", 2}, {"buttons", 0}},
               "move 57.5 30.5\nbutton 273 0\n");
  expect_input({{"type", "wheel"}, {"at", {75, 41}}, {"wheel", {1, -2}}},
               "move 57.5 30.5\nwheel 1 1\nwheel 0 -2\n");
  expect_input({{"type", "key_down"}, {"key", "a"}}, "key 97 1\n");
  expect_input({{"type", "key_up"}, {"key", "a"}}, "key 97 0\n");
  expect_input({{"type", "key_down"}, {"key", "Enter"}}, "key 65293 1\n");
  EXPECT_EQ(program_->end(), 0);
  EXPECT_TRUE(eventually([&] { return screen().take_input() == "key 65293 0\n"; }))
      << "what is held is let go";
}

TEST_F(WaylandWall, WherePeopleGiveNoInputTheScreenIsSharedAlone) {
  screen().give_devices(0);
  expect_shared_without_input();
}

TEST_F(WaylandWall, WhereThePortalHasNoInputTheScreenIsSharedAlone) {
  desktop_.reset();
  desktop_.emplace(kWaylandScreen, WaylandDesktop::Input::kNone);
  screen().draw(waves);
  expect_shared_without_input();
}

TEST_F(WaylandWall, SaysWhatCannotBe) {
  share({"--window", "Slides"});
  expect_failure("the desktop asks what to share");
}

}  // namespace
}  // namespace test
