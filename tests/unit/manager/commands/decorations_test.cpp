// Wallpapers and logos at a manager, shown by fake players.
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

class DecorationsTest : public ManagerTest {
 protected:
  DecorationsTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder_.path();
    options.times.opening_ms = 0;
  }
  void SetUp() override {
    start();
    console_ = ui();
  }
  void TearDown() override { end(); }
  uint32_t decorate(const char* verb, const Json& params) {
    return console_->expect(verb, params).value("window", 0U);
  }
  std::vector<std::string> titles() const {
    std::vector<std::string> all;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      all.push_back(window.title);
    }
    return all;
  }
  void wait_for(const std::vector<std::string>& wanted) {
    wait([&] { return titles() == wanted; });
  }
  Rect rect_of(uint32_t number) const {
    return fs_manager->desk().windows().find(number)->wall_rect;
  }

  const sail::TempFolder folder_;
  std::unique_ptr<ScriptedPeer> console_;
};

constexpr Rect kWholeWall{0, 0, 3840, 1080};
constexpr Rect kLeftTile{0, 0, 1920, 1080};

TEST_F(DecorationsTest, AWallpaperIsReplacedAndRemovedInOneStepEach) {
  const uint32_t first = decorate("wallpaper", {{"source", "/film/one"}});
  EXPECT_EQ(rect_of(first), kWholeWall);
  console_->expect("play", {{"media", {"film"}}, {"place", sail::rect_json(kLeftTile)}});
  decorate("wallpaper", {{"source", "/film/two"}, {"fit", "contain"}});
  wait_for({"/film/two", "film"});
  const Json window = console_->expect("list")["windows"][0];
  EXPECT_EQ(window["decoration"], (Json{{"kind", "wallpaper"}, {"fit", "contain"}}));
  EXPECT_EQ(console_->expect("undo")["what"], "replaced '/film/one' with '/film/two'");
  wait_for({"/film/one", "film"});
  EXPECT_EQ(console_->expect("list")["windows"][0]["decoration"], (Json{{"kind", "wallpaper"}}));
  const Json removed = console_->expect("wallpaper", {{"on", false}});
  EXPECT_EQ(removed["windows"].size(), 1U);
  EXPECT_THAT(titles(), ElementsAre("film"));
  console_->expect("undo");
  wait_for({"/film/one", "film"});
}

TEST_F(DecorationsTest, OneThatStillOpensIsRemoved) {
  const auto opening = console_->ask("wallpaper", {{"source", "/film/hang"}});
  wait_asking([&] { return console_->expect("list").contains("openings"); });
  EXPECT_EQ(console_->expect("logo", {{"on", false}}), (Json{{"windows", Json::array()}}));
  const Json none = {{"windows", Json::array()}, {"openings", 1}};
  EXPECT_EQ(console_->expect("wallpaper", {{"on", false}}), none);
  wait([&] { return opening->has_value(); });
  ASSERT_FALSE(**opening);
  EXPECT_EQ((**opening).error().code, ErrorCode::kUnavailable);
  EXPECT_THAT((**opening).error().message, HasSubstr("removed"));
  EXPECT_FALSE(console_->expect("list").contains("openings"));
}

TEST_F(DecorationsTest, OfTwoAtTheSameTimeTheLaterReplacesTheOther) {
  const auto one = console_->ask("wallpaper", {{"source", "/film/one"}});
  const auto two = console_->ask("wallpaper", {{"source", "/film/two"}});
  wait([&] { return one->has_value() && two->has_value() && titles().size() == 1; });
  const std::string stays = titles().front();
  console_->expect("undo");
  wait_for({stays == "/film/one" ? "/film/two" : "/film/one"});
}

TEST_F(DecorationsTest, EachAreaHasItsOwn) {
  decorate("wallpaper", {{"source", "/film/wall"}});
  const uint32_t left = decorate("wallpaper", {{"source", "/film/left"}, {"area", "l"}});
  EXPECT_EQ(rect_of(left), kLeftTile);
  decorate("logo", {{"source", "/film/a"}, {"area", "l"}, {"corner", "top-left"}});
  const uint32_t logo = decorate("logo", {{"source", "/film/b"}, {"area", "l"}});
  EXPECT_EQ(rect_of(logo), (Rect{1620, 27, 273, 154}));
  EXPECT_THAT(titles(), ElementsAre("/film/wall", "/film/left", "/film/a", "/film/b"));
  console_->expect("wallpaper", {{"on", false}});
  console_->expect("logo", {{"on", false}, {"area", "l"}, {"corner", "top-left"}});
  EXPECT_THAT(titles(), ElementsAre("/film/left", "/film/b"));
  EXPECT_EQ(console_->expect("logo", {{"on", false}})["windows"], Json::array());
  EXPECT_EQ(console_->expect("logo", {{"on", false}, {"area", "l"}})["windows"], (Json{logo}));
}

TEST_F(DecorationsTest, PeopleCannotArrangeIt) {
  const uint32_t number = decorate("wallpaper", {{"source", "/film/one"}});
  for (const auto& [verb, params] : std::initializer_list<std::pair<const char*, Json>>{
           {"move", {{"window", number}, {"x", 1}}},
           {"raise", {{"window", number}}},
           {"replace", {{"window", number}, {"media", {"film"}}}},
           {"sound", {{"window", number}, {"muted", false}}},
           {"group", {{"name", "g"}, {"windows", {number}}}}}) {
    const auto answer = console_->call(verb, params);
    ASSERT_FALSE(answer) << verb;
    EXPECT_EQ(answer.error().code, ErrorCode::kConflict) << verb;
    EXPECT_THAT(answer.error().message, HasSubstr("wallpaper")) << verb;
  }
  EXPECT_EQ(console_->expect("arrange")["windows"], Json::array());
  console_->expect("close", {{"window", number}});
}

TEST_F(DecorationsTest, SessionsKeepItAndLayoutsAndScenesInAnAreaDoNot) {
  decorate("wallpaper", {{"source", "/film/one"}});
  console_->expect("session_save", {{"name", "talk"}});
  EXPECT_EQ(console_->expect("layout_save", {{"name", "places"}})["layouts"][0]["windows"], 0);
  decorate("wallpaper", {{"source", "/film/two"}});
  wait_for({"/film/two"});
  const Json area = {{"name", "talk"}, {"rect", sail::rect_json({1000, 0, 1900, 1080})}};
  EXPECT_EQ(console_->expect("scene_show", area)["closed"], Json::array());
  EXPECT_THAT(titles(), ElementsAre("/film/two"));
  EXPECT_EQ(console_->expect("scene_show", {{"name", "talk"}})["closed"].size(), 1U);
  EXPECT_THAT(titles(), ElementsAre("/film/one"));
  EXPECT_EQ(console_->expect("list")["windows"][0]["decoration"]["kind"], "wallpaper");
}

TEST_F(DecorationsTest, ItFollowsItsPartition) {
  const Json halves = {{"action", "set"}, {"name", "p"}, {"rect", sail::rect_json(kLeftTile)}};
  console_->expect("partition", halves);
  const uint32_t number = decorate("wallpaper", {{"source", "/film/one"}, {"area", "p"}});
  const Rect moved{1920, 0, 1920, 1080};
  console_->expect("partition",
                   {{"action", "set"}, {"name", "p"}, {"rect", sail::rect_json(moved)}});
  EXPECT_EQ(rect_of(number), moved);
  console_->expect("undo");
  EXPECT_EQ(rect_of(number), kLeftTile);
}

TEST_F(DecorationsTest, ItFollowsAPartitionThatALayoutMoves) {
  const auto set = [this](const Rect& rect) {
    console_->expect("partition",
                     {{"action", "set"}, {"name", "p"}, {"rect", sail::rect_json(rect)}});
  };
  set(kLeftTile);
  const uint32_t number = decorate("wallpaper", {{"source", "/film/one"}, {"area", "p"}});
  console_->expect("layout_save", {{"name", "places"}});
  const Rect moved{1920, 0, 1920, 1080};
  set(moved);
  console_->expect("layout_apply", {{"name", "places"}});
  EXPECT_EQ(rect_of(number), kLeftTile);
  console_->expect("undo");
  EXPECT_EQ(rect_of(number), moved);
}

TEST_F(DecorationsTest, WhatCannotBeShownIsRefused) {
  for (const auto& [params, what] : std::initializer_list<std::pair<Json, const char*>>{
           {Json::object(), "'source'"},
           {{{"source", "/film/a"}, {"fit", "tile"}}, "'fit'"},
           {{{"source", "/film/a"}, {"on", false}}, "'source'"},
           {{{"source", "nothing"}}, "no source 'nothing'"},
           {{{"source", "/film/a"}, {"area", "x"}}, "'x'"}}) {
    const auto answer = console_->call("wallpaper", params);
    ASSERT_FALSE(answer) << params;
    EXPECT_THAT(answer.error().message, HasSubstr(what));
  }
  EXPECT_TRUE(titles().empty());
}

}  // namespace
}  // namespace manager
