// Curtains over what is blank, at a manager, shown by fake players.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/desk/desk.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Rect;
using testing::ElementsAre;
using testing::HasSubstr;

class CurtainTest : public ManagerTest {
 protected:
  CurtainTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder_.path();
    options.times.opening_ms = 0;
  }
  void SetUp() override {
    start();
    console_ = ui();
  }
  void TearDown() override { end(); }
  std::vector<std::string> titles() const {
    std::vector<std::string> all;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      if (!window.hidden) all.push_back(window.title);
    }
    return all;
  }
  void wait_for(const std::vector<std::string>& wanted) {
    wait([&] { return titles() == wanted; });
  }
  const Window& top() const { return fs_manager->desk().windows().bottom_to_top().back(); }
  uint32_t play(const char* medium, const Rect& place) {
    return console_->expect("play",
                            {{"media", {medium}}, {"place", sail::rect_json(place)}})["window"];
  }
  // Whether the receivers paint this area black above all windows.
  bool is_black(const Rect& area) const {
    for (const sail::SceneBlank& blank : fs_manager->desk().arrangement().blanks()) {
      if (blank.wall_rect == area) return blank.black;
    }
    return false;
  }

  const sail::TempFolder folder_;
  std::unique_ptr<ScriptedPeer> console_;
};

constexpr Rect kBlankWall{0, 0, 3840, 1080};
constexpr Rect kBlankPart{0, 0, 1920, 1080};
constexpr Rect kBlankFilm{100, 100, 640, 360};

TEST_F(CurtainTest, TheWallsCurtainIsAboveAllAndLeavesWithTheBlank) {
  play("film", kBlankFilm);
  console_->expect("logo", {{"source", "/film/sign"}});
  const Json state =
      console_->expect("blank", {{"source", "/film/sea"}, {"text", "back at 11:15"}});
  EXPECT_EQ(state["blank"], true);
  EXPECT_THAT(titles(), ElementsAre("film", "/film/sign", "/film/sea"));
  EXPECT_EQ(top().wall_rect, kBlankWall);
  EXPECT_TRUE(top().sound.muted);
  EXPECT_EQ(console_->expect("list")["windows"][2]["decoration"], (Json{{"kind", "curtain"}}));
  EXPECT_EQ(fs_manager->desk().arrangement().blanks().front().text, "back at 11:15");
  console_->expect("blank", {{"on", false}});
  wait_for({"film", "/film/sign"});
  EXPECT_EQ(console_->expect("undo")["what"], "opened '/film/sign'");
}

TEST_F(CurtainTest, AnotherPictureReplacesItAndNoneRemovesIt) {
  console_->expect("blank", {{"source", "/film/one"}});
  console_->expect("blank", {{"source", "/film/two"}});
  wait_for({"/film/two"});
  EXPECT_EQ(console_->expect("blank")["blank"], true);
  wait_for({});
}

TEST_F(CurtainTest, APartitionIsBlackUntilItsCurtainIsThere) {
  console_->expect("partition",
                   {{"action", "set"}, {"name", "p"}, {"rect", sail::rect_json(kBlankPart)}});
  const auto opening = console_->ask("blank", {{"area", "p"}, {"source", "/film/hang"}});
  wait_asking([&] { return console_->expect("list").contains("openings"); });
  EXPECT_TRUE(is_black(kBlankPart));
  console_->expect("blank", {{"area", "p"}, {"source", "/film/sea"}});
  EXPECT_FALSE(is_black(kBlankPart));
  EXPECT_EQ(top().wall_rect, kBlankPart);
  wait([&] { return opening->has_value(); });
  ASSERT_FALSE(**opening);
  EXPECT_THAT((**opening).error().message, HasSubstr("removed"));
  console_->expect("close", {{"window", top().number}});
  EXPECT_TRUE(is_black(kBlankPart));
  console_->expect("blank", {{"on", false}, {"area", "p"}});
  EXPECT_FALSE(is_black(kBlankPart));
}

TEST_F(CurtainTest, AWindowsCurtainFollowsItAndLeavesWithIt) {
  const uint32_t film = play("film", kBlankFilm);
  console_->expect("blank", {{"windows", {film}}, {"source", "/film/sea"}});
  EXPECT_EQ(top().wall_rect, (fs_manager->desk().windows().find(film)->wall_rect));
  console_->expect("move", {{"window", film}, {"x", 500}, {"y", 300}});
  EXPECT_EQ(top().title, "/film/sea");
  EXPECT_EQ(top().wall_rect, (fs_manager->desk().windows().find(film)->wall_rect));
  EXPECT_EQ(console_->expect("undo")["what"], "moved 'film'");
  EXPECT_EQ(top().wall_rect.x, kBlankFilm.x);
  console_->expect("close", {{"window", film}});
  wait_for({});
}

TEST_F(CurtainTest, WhatIsBlankStaysSoIfThePictureIsMissing) {
  const auto answer = console_->call("blank", {{"source", "no such picture"}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(console_->expect("list")["blank"], true);
  const auto off = console_->call("blank", {{"on", false}, {"source", "/film/one"}});
  ASSERT_FALSE(off);
  EXPECT_EQ(off.error().code, ErrorCode::kInvalidParams);
  Json areas = Json::array();
  for (int i = 0; i < 9; ++i) areas.push_back({i * 10, 0, 10, 10});
  const auto many = console_->call("blank", {{"areas", areas}, {"source", "/film/one"}});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::kLimit);
}

TEST_F(CurtainTest, SessionsAndScenesLeaveItOut) {
  play("film", kBlankFilm);
  console_->expect("blank", {{"source", "/film/sea"}});
  console_->expect("session_save", {{"name", "talk"}});
  EXPECT_EQ(console_->expect("scene_show", {{"name", "talk"}})["closed"], Json::array());
  EXPECT_THAT(titles(), ElementsAre("film", "/film/sea"));
  console_->expect("blank", {{"on", false}});
  wait_for({"film"});
  console_->expect("session_restore", {{"name", "talk"}});
  wait_for({"film"});
}

}  // namespace
}  // namespace manager
