// What the journal says a verb has changed.
#include "manager/journal/wall_changes.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/json.h"

namespace manager {
namespace {

using sail::Json;

class WallChangesTest : public testing::Test {
 protected:
  uint32_t open(const std::string& title) {
    Window window;
    window.title = title;
    window.frame_size = {1600, 900};
    window.wall_rect = {0, 0, 160, 90};
    const uint32_t number = (*wall_.open(std::move(window)))->number;
    publish();
    return number;
  }
  void publish() { changes_.wall_changed(wall_.take_touched()); }
  void place(uint32_t number, const sail::Rect& rect) {
    WindowPlacement placement = wall_.windows().find(number)->placement();
    placement.wall_rect = rect;
    wall_.apply({.windows = {{number, placement}}}, {});
    publish();
  }
  void order(std::vector<uint32_t> bottom_to_top) {
    wall_.apply({.order = std::move(bottom_to_top)}, {});
    publish();
  }
  void change_values(uint32_t number) {
    WindowPlacement placement = wall_.windows().find(number)->placement();
    placement.locked = true;
    placement.sound = WindowSound{.volume = 0.25, .muted = true};
    placement.label = WindowLabel{.text = "door \"2\"", .top = true};
    placement.look->opacity = 0.5;
    wall_.apply({.windows = {{number, placement}}}, {});
    wall_.set_cover(number, {.blank = "soon", .frozen = true});
    publish();
  }
  void remove(uint32_t number) {
    wall_.remove(number);
    publish();
  }
  Json text(const std::shared_ptr<const WallChanges::Verb>& verb,
            const std::vector<uint32_t>& named = {}) const {
    const std::string text = changes_.text(*verb, named);
    return text.empty() ? Json() : Json::parse(text);
  }

  Arrangement wall_{{3840, 1080}};
  WallChanges changes_{wall_};
};

TEST_F(WallChangesTest, AVerbHasTheValuesBeforeAndAfterOfWhatDiffers) {
  const uint32_t film = open("film");
  const auto moves = changes_.begin(false);
  place(film, {100, 50, 160, 90});
  EXPECT_EQ(text(moves), Json::parse(R"({"1":{"rect":[[0,0,160,90],[100,50,160,90]]}})"));
  const auto sets = changes_.begin(false);
  change_values(film);
  EXPECT_EQ(text(sets), Json::parse(R"({"1":{"locked":[false,true],"volume":[1,0.25],
      "muted":[false,true],"label":["","door \"2\""],"label_place":["bottom","top"],
      "opacity":[1,0.5],"blank":[null,"soon"],"frozen":[false,true]}})"));
  const auto nothing = changes_.begin(false);
  place(film, {0, 0, 160, 90});
  place(film, {100, 50, 160, 90});
  EXPECT_EQ(text(nothing), Json()) << "it is where it was";
}

TEST_F(WallChangesTest, AWindowThatOpensOrClosesHasNullOnOneSide) {
  const auto opens = changes_.begin(false);
  const uint32_t film = open("film");
  EXPECT_EQ(text(opens),
            Json::parse(R"({"1":{"title":[null,"film"],"rect":[null,[0,0,160,90]]}})"));
  const auto closes = changes_.begin(false);
  remove(film);
  EXPECT_EQ(text(closes),
            Json::parse(R"({"1":{"title":["film",null],"rect":[[0,0,160,90],null]}})"));
  const auto both = changes_.begin(false);
  remove(open("short"));
  EXPECT_EQ(text(both), Json());
}

TEST_F(WallChangesTest, OnlyTheWindowThatPassedOthersHasAnotherPosition) {
  for (const char* title : {"a", "b", "c", "d"}) open(title);
  const auto raises = changes_.begin(false);
  order({1, 3, 4, 2});
  EXPECT_EQ(text(raises), Json::parse(R"({"2":{"order":[3,1]}})"));
  const auto lowers = changes_.begin(false);
  order({4, 1, 3, 2});
  EXPECT_EQ(text(lowers), Json::parse(R"({"4":{"order":[2,4]}})"));
  const auto reverses = changes_.begin(false);
  order({2, 3, 1, 4});
  EXPECT_EQ(text(reverses).size(), 4U);
  const auto swaps = changes_.begin(false);
  order({2, 1, 3, 4});
  EXPECT_EQ(text(swaps), Json::parse(R"({"1":{"order":[2,3]},"3":{"order":[3,2]}})"));
  const auto opens = changes_.begin(false);
  open("e");
  EXPECT_FALSE(text(opens)["5"].contains("order"));
  EXPECT_EQ(text(opens).size(), 1U);
}

TEST_F(WallChangesTest, WhatChangesLaterBelongsToTheVerbThatNamesTheWindow) {
  const uint32_t film = open("film");
  const uint32_t other = open("other");
  const auto closes = changes_.begin(false);
  changes_.end_turn();
  const auto moves = changes_.begin(false);
  place(other, {7, 7, 160, 90});
  EXPECT_EQ(text(moves, {other}).size(), 1U);
  changes_.end_turn();
  remove(film);
  remove(other);
  EXPECT_EQ(text(closes, {film}).size(), 1U);
  EXPECT_TRUE(text(closes, {film}).contains("1"));
}

TEST_F(WallChangesTest, WhatChangesLaterBelongsToTheNewestVerbOfAClientThatNamesNoWindow) {
  const uint32_t film = open("film");
  const auto undoes = changes_.begin(false);
  changes_.end_turn();
  {
    const auto opens = changes_.begin(true);
    open("again");
    EXPECT_TRUE(text(opens).contains("2"));
  }
  changes_.end_turn();
  {
    const auto moves = changes_.begin(false);
    place(film, {7, 7, 160, 90});
    changes_.end_turn();
  }
  EXPECT_TRUE(text(undoes).contains("2")) << "an application opened what the client wanted";
  EXPECT_FALSE(text(undoes).contains("1")) << "another verb moved it";
}

TEST_F(WallChangesTest, ManyWindowsAreListed) {
  for (int i = 0; i < 12; ++i) open("film");
  const auto few = changes_.begin(false);
  for (uint32_t i = 1; i <= 8; ++i) place(i, {7, 7, 160, 90});
  EXPECT_EQ(text(few).size(), 8U);
  const auto many = changes_.begin(false);
  for (uint32_t i = 1; i <= 12; ++i) place(i, {9, 9, 160, 90});
  EXPECT_EQ(text(many), Json::parse(R"({"windows":[1,2,3,4,5,6,7,8,9,10,11,12]})"));
}

TEST_F(WallChangesTest, SettingsOfTheWallAreNamedToo) {
  const auto sets = changes_.begin(false);
  wall_.set({.blank = true, .blank_text = "back at 11:15", .sound = {.volume = 0.5}});
  Partitions partitions;
  ASSERT_TRUE(partitions.set({"left \"A\"", {0, 0, 960, 1080}}, wall_.wall_size()));
  wall_.apply({.partitions = partitions}, {});
  publish();
  EXPECT_EQ(text(sets), Json::parse(R"({"wall":{"blank":[null,"back at 11:15"],"volume":[1,0.5],
      "partitions":{"left \"A\"":[null,[0,0,960,1080]]}}})"));
  const auto clears = changes_.begin(false);
  wall_.set({.blank_areas = {{{0, 0, 10, 10}, "soon"}}, .sound = {.volume = 0.5}});
  publish();
  EXPECT_EQ(text(clears), Json::parse(R"({"wall":{"blank":["back at 11:15",null],
      "blank_areas":{"0,0 10×10":[null,"soon"]}}})"));
}

TEST_F(WallChangesTest, LongTextsAreShortened) {
  const uint32_t film = open("film");
  const auto labels = changes_.begin(false);
  WindowPlacement placement = wall_.windows().find(film)->placement();
  placement.label = WindowLabel{.text = std::string(500, 'x')};
  wall_.apply({.windows = {{film, placement}}}, {});
  publish();
  EXPECT_EQ(text(labels)["1"]["label"][1], std::string(kMostValueBytes, 'x') + "…");
}

TEST_F(WallChangesTest, OnlyTheNewestChangesAreKeptWhileAVerbTakesLong) {
  const uint32_t film = open("film");
  const auto closes = changes_.begin(false);
  const int count = static_cast<int>(WallChanges::kMostKept) + 10;
  for (int x = 1; x <= count; ++x) place(film, {x, 0, 160, 90});
  EXPECT_EQ(text(closes)["1"]["rect"][0][0], 10);
  EXPECT_EQ(text(closes)["1"]["rect"][1][0], count);
}

}  // namespace
}  // namespace manager
