// Events while the wall, an area or a window is blank or frozen.
#include "manager/events/event_covers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "manager/monitor/visible_drawings.h"
#include "sail/core/text/limits.h"
#include "tests/unit/manager/events/event_scenes_test.h"

namespace manager {
namespace {

using sail::Json;
using sail::Rect;
using testing::ElementsAre;

SavedWall wall_of(const std::vector<std::pair<uint32_t, Rect>>& windows) {
  SavedWall wall;
  for (const auto& [number, rect] : windows) {
    wall.windows.push_back({.number = number, .placement = {.wall_rect = rect}});
  }
  return wall;
}

std::vector<uint32_t> numbers_of(const SavedWall& wall) {
  std::vector<uint32_t> numbers;
  for (const SavedWindow& window : wall.windows) numbers.push_back(window.number);
  return numbers;
}

TEST(UncoveredTest, OnlyWhatIsOverTheEventsWindows) {
  const BlankArea left{{0, 0, 200, 200}, "left"};
  const BlankArea right{{500, 0, 200, 200}, "right"};
  // Window 0 is the event's, beside window 1 under the same area.
  const SavedWall wall = wall_of(
      {{1, {0, 0, 50, 50}}, {2, {500, 0, 50, 50}}, {3, {1000, 0, 50, 50}}, {0, {100, 0, 50, 50}}});
  WallSwitches blanks{.blank_areas = {left, right}};
  SavedWall shown = wall;
  hide_concealed(blanks, true, shown);
  EXPECT_EQ(uncovered(blanks, shown), (WallSwitches{.blank_areas = {left}}));
  EXPECT_THAT(numbers_of(shown), ElementsAre(2, 3, 0));

  blanks.blank = true;
  blanks.blank_text = "back at 11:15";
  shown = wall;
  hide_concealed(blanks, true, shown);
  EXPECT_EQ(uncovered(blanks, shown),
            (WallSwitches{.blank = true, .blank_text = "back at 11:15", .blank_areas = {left}}));
  EXPECT_THAT(numbers_of(shown), ElementsAre(0));

  // The scene of the schedule uncovers nothing.
  shown = wall;
  hide_concealed(blanks, false, shown);
  EXPECT_EQ(uncovered(blanks, shown), WallSwitches());
  EXPECT_THAT(numbers_of(shown), ElementsAre(1, 2, 3, 0));
}

TEST(UncoveredTest, TheWallsDrawingIsNotVisibleThere) {
  Arrangement arrangement{{3840, 1080}};
  arrangement.change({.drawing = Drawing().with({.points = {0, 0, 3000, 1000}}, "Ann")},
                     {.verb = "drew", .names_windows = false}, {});
  const auto drawings = [&](const WallSwitches& uncovered) {
    return visible_drawings(two_tile_wall(), arrangement, uncovered);
  };
  ASSERT_EQ(drawings({}).size(), 1U);
  EXPECT_TRUE(drawings({}).front().clip.empty());
  const WallSwitches left{.blank_areas = {{{0, 0, 1920, 1080}, ""}}};
  const std::vector<sail::ClipRect> beside{{{1920, 0, 1920, 1080}}};
  ASSERT_EQ(drawings(left).size(), 1U);
  EXPECT_EQ(drawings(left).front().clip, beside);
  arrangement.set(left);
  ASSERT_EQ(drawings({}).size(), 1U);
  EXPECT_EQ(drawings({}).front().clip, beside) << "the event is over";
  EXPECT_TRUE(drawings({.blank_areas = {{{0, 0, 3840, 1080}, ""}}}).empty());
  EXPECT_TRUE(drawings({.blank = true}).empty());
}

class EventCoversTest : public EventScenesTest {
 protected:
  std::vector<WindowCover> covers() {
    std::vector<WindowCover> covers;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      covers.push_back(window.cover);
    }
    return covers;
  }
  const WallSwitches& switches() { return fs_manager->desk().arrangement().switches(); }
  // Ends the event, and waits until the window of its scene is closed.
  void end_event(const std::string& event, const std::string& title) {
    clear(event);
    wait_gone(title);
  }
};

TEST_F(EventCoversTest, AnAlarmIsVisibleOnABlankWall) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"text", "back at 11:15"}});
  const WallNow before = wall_now();
  const auto is_concealed = [&] { return switches().blank || is_hidden(one); };
  begin_event("door");
  wait([&] {
    EXPECT_TRUE(is_concealed());
    return titled("fire") != nullptr && !titled("fire")->hidden;
  });
  EXPECT_FALSE(switches().blank);
  EXPECT_TRUE(switches().blank_text.empty());
  clear("door");
  wait([&] {
    EXPECT_TRUE(is_concealed());
    return titled("fire") == nullptr;
  });
  EXPECT_TRUE(switches().blank);
  EXPECT_EQ(switches().blank_text, "back at 11:15");
  EXPECT_EQ(wall_now(), before);
  console->expect("blank", {{"on", false}});
  EXPECT_FALSE(switches().blank);
  end();
}

TEST_F(EventCoversTest, WhatIsBlankedDuringTheEventStaysBlank) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  for (const bool blank_before : {false, true}) {
    if (blank_before) console->expect("blank", {{"text", "before"}});
    begin_event("door");
    wait_shown("fire");
    console->expect("blank", {{"text", "later"}});
    console->expect("blank", {{"area", "r"}});
    EXPECT_TRUE(switches().blank);
    end_event("door", "fire");
    EXPECT_TRUE(switches().blank);
    EXPECT_EQ(switches().blank_text, "later");
    EXPECT_EQ(switches().blank_areas.size(), 1U);
    console->expect("blank", {{"on", false}});
  }
  end();
}

TEST_F(EventCoversTest, WhatIsBlankedWhileTheSceneOpensStaysBlank) {
  options.times.opening_ms = 1;
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const auto file = options.state_folder / "sessions" / "alarm.json";
  Json session = Json::parse(std::ifstream(file));
  Json late = session["windows"][0];
  late["number"] = 1000;
  late["title"] = "a hang";
  late["content"]["media"] = {"a hang"};
  session["windows"].push_back(late);
  std::ofstream(file) << session;
  const uint32_t two = play("two", kBaseRight);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}, {"area", "l"}}}));
  console->expect("blank", {{"area", "l"}, {"text", "left"}});
  begin_event("door");
  wait([&] { return titled("fire") != nullptr; });
  Json now;
  ask_until([&] {
    now = console->expect("list");
    return now.contains("openings");
  });
  console->expect("blank", {{"text", "all"}});
  console->expect("blank", {{"area", "r"}});
  ASSERT_TRUE(titled("fire")->hidden);
  console->expect("opening_close", {{"opening", now["openings"][0]["opening"]}});
  wait_shown("fire");
  EXPECT_FALSE(is_hidden(two));
  EXPECT_TRUE(switches().blank) << "the window on the right is not in the scene";
  EXPECT_EQ(switches().blank_areas.size(), 1U);
  end_event("door", "fire");
  EXPECT_TRUE(switches().blank);
  EXPECT_EQ(switches().blank_text, "all");
  EXPECT_EQ(switches().blank_areas.size(), 2U);
  end();
}

TEST_F(EventCoversTest, MoreBlankAreasThanReceiversDrawAreABlankWall) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"area", "l"}});
  begin_event("door");
  wait_shown("fire");
  Json areas = Json::array();
  for (size_t i = 0; i < sail::kMaxBlanks; ++i) areas.push_back({i * 10, 0, 10, 10});
  console->expect("blank", {{"areas", areas}});
  end_event("door", "fire");
  EXPECT_TRUE(switches().blank);
  EXPECT_EQ(switches().blank_areas.size(), sail::kMaxBlanks);
  end();
}

TEST_F(EventCoversTest, EventsThatOverlapUncoverWhatTheyShow) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  save_scene("part", {{"camera", kAlarmRight}});
  const uint32_t one = play("one", kBaseLeft);
  set_rules({{{"event", "low"}, {"scene", "alarm"}, {"priority", 1}},
             {{"event", "high"}, {"scene", "part"}, {"area", "r"}, {"priority", 2}}});
  console->expect("blank", {{"area", "l"}, {"text", "left"}});
  const std::vector<BlankArea> before = switches().blank_areas;
  const WallNow wall_before = wall_now();
  ASSERT_EQ(before.size(), 1U);
  for (const bool low_ends_first : {true, false}) {
    begin_event("low");
    wait_shown("fire");
    EXPECT_TRUE(switches().blank_areas.empty());
    begin_event("high");
    wait_shown("camera");
    EXPECT_EQ(switches().blank_areas, before) << "the event shows nothing there";
    EXPECT_FALSE(is_hidden(one));
    wait_gone("fire");
    if (low_ends_first) {
      clear("low");
    } else {
      clear("high");
      wait_shown("fire");
      EXPECT_TRUE(switches().blank_areas.empty());
      EXPECT_TRUE(is_hidden(one));
      wait_gone("camera");
    }
    end_event(low_ends_first ? "high" : "low", low_ends_first ? "camera" : "fire");
    EXPECT_EQ(switches().blank_areas, before);
    EXPECT_EQ(wall_now(), wall_before);
  }
  end();
}

TEST_F(EventCoversTest, AnActionUncoversItsWindowOnly) {
  begin();
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  console->expect("lock", {{"window", two}});
  const Json action{{"window", "one"}, {"enlarge", true}};
  set_rules(Json::array({{{"event", "door"}, {"do", Json::array({action})}}}));
  console->expect("blank");
  const WallNow before = wall_now();
  begin_event("door");
  wait([&] { return find(one)->before_maximised.has_value(); });
  EXPECT_FALSE(switches().blank);
  EXPECT_FALSE(is_hidden(one));
  EXPECT_TRUE(is_hidden(two));
  clear("door");
  wait([&] { return wall_now() == before; });
  EXPECT_TRUE(switches().blank);
  ask_until([&] { return console->call("undo").has_value(); });
  EXPECT_FALSE(find(two)->locked) << "the last step before the event is undone";
  EXPECT_TRUE(switches().blank);
  end();
}

TEST_F(EventCoversTest, AnActionThatOnlyMutesUncoversNothing) {
  begin();
  const uint32_t one = play("one", kBaseLeft);
  const Json action{{"window", "one"}, {"muted", true}, {"volume", 0.2}};
  set_rules(Json::array({{{"event", "phone"}, {"do", Json::array({action})}}}));
  console->expect("blank");
  console->expect("blank", {{"windows", {one}}});
  begin_event("phone");
  wait([&] { return find(one)->sound.muted; });
  EXPECT_TRUE(switches().blank);
  EXPECT_TRUE(find(one)->cover.blank);
  end();
}

TEST_F(EventCoversTest, HiddenWindowsStayBlankWhenTheWallIsShownAgain) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"windows", {one}}, {"text", "soon"}});
  begin_event("door");
  wait_shown("fire");
  console->expect("blank", {{"on", false}});
  end_event("door", "fire");
  EXPECT_FALSE(is_hidden(one));
  EXPECT_EQ(find(one)->cover.blank, "soon");
  end();
}

TEST_F(EventCoversTest, TheDrawingOnABlankWallStaysInvisible) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  const auto left = receiver("left");
  const auto drawings = [&] {
    console->expect("list");
    size_t count = 0;
    for (const ScriptedPeer::Message& message : left->messages) {
      if (message.method != "overlay" || !message.params.contains("drawings")) continue;
      count = message.params["drawings"].size();
    }
    return count;
  };
  console->expect("annotate", {{"points", {{100, 100}, {200, 200}}}});
  ask_until([&] { return drawings() == 1; });
  console->expect("blank");
  ask_until([&] { return drawings() == 0; });
  begin_event("door");
  wait_shown("fire");
  sail::run_some(loop, 200);
  EXPECT_EQ(drawings(), 0U);
  end_event("door", "fire");
  console->expect("blank", {{"on", false}});
  ask_until([&] { return drawings() == 1; });
  end();
}

TEST_F(EventCoversTest, WindowsAreBlankAndFrozenAgain) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  const Json of_one{{"window", "one"}, {"label", "Alarm"}};
  const Json of_two{{"window", "two"}, {"muted", false}};
  set_rules({{{"event", "door"}, {"do", {of_one, of_two}}},
             {{"event", "fire"}, {"scene", "alarm"}, {"priority", 1}}});
  console->expect("blank", {{"windows", {one}}, {"text", "soon"}});
  console->expect("freeze", {{"windows", {two}}, {"mute", true}});
  const WindowCover blank{.blank = "soon"};
  const WindowCover frozen{.frozen = true, .mute = true};
  begin_event("door");
  wait([&] { return find(one)->label.text == "Alarm"; });
  EXPECT_EQ(find(one)->cover, WindowCover());
  EXPECT_EQ(find(two)->cover, WindowCover());
  begin_event("fire");
  wait_shown("fire");
  EXPECT_TRUE(is_hidden(one));
  console->expect("freeze");
  EXPECT_TRUE(titled("fire")->cover.frozen);
  EXPECT_FALSE(find(two)->cover.frozen) << "receivers have no picture of hidden windows";
  clear("door");
  end_event("fire", "fire");
  wait([&] { return find(two)->cover.frozen; });
  EXPECT_EQ(find(one)->cover, blank);
  EXPECT_EQ(find(two)->cover, frozen);
  EXPECT_TRUE(find(one)->label.text.empty());
  end();
}

TEST_F(EventCoversTest, TheCurtainStaysOpenAndComesBack) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"source", "/film/sea"}});
  const uint32_t curtain = titled("/film/sea")->number;
  begin_event("door");
  wait_shown("fire");
  EXPECT_TRUE(is_hidden(curtain));
  end_event("door", "fire");
  ASSERT_NE(find(curtain), nullptr);
  EXPECT_FALSE(is_hidden(curtain));

  // A person replaces the curtain during the event.
  begin_event("door");
  wait_shown("fire");
  console->expect("blank");
  wait_gone("/film/sea");
  end_event("door", "fire");
  EXPECT_TRUE(switches().blank);
  end();
}

TEST_F(EventCoversTest, TheCurtainOfAWindowThatEndedIsClosed) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  auto app = application();
  const uint32_t one = open_stream(*app, kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"windows", {one}}, {"source", "/film/sea"}});
  ASSERT_NE(titled("/film/sea"), nullptr);
  begin_event("door");
  wait_shown("fire");
  app.reset();
  wait([&] { return find(one) == nullptr; });
  end_event("door", "fire");
  wait_gone("/film/sea");
  end();
}

// Events overlap and end in any order, some before their scene has opened.
TEST_F(EventCoversTest, RandomEventsShowNothingElseAndEverythingIsBlankAgain) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  save_scene("part", {{"camera", kAlarmRight}});
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  const Json enlarge{{"window", "two"}, {"enlarge", true}};
  const Json mute{{"window", "one"}, {"muted", true}};
  set_rules({{{"event", "whole"}, {"scene", "alarm"}, {"priority", 1}},
             {{"event", "part"}, {"scene", "part"}, {"area", "r"}, {"priority", 2}},
             {{"event", "near"}, {"do", Json::array({enlarge})}, {"priority", 3}},
             {{"event", "mute"}, {"do", Json::array({mute})}, {"priority", 4}}});
  std::mt19937 random(1);  // NOLINT: the same every time
  const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
  const std::vector<Json> blanks = {Json{{"text", "wall"}}, Json{{"area", "l"}, {"text", "left"}},
                                    Json{{"area", "r"}}, Json{{"windows", {one}}, {"text", "1"}}};
  const auto sorted = [&] {
    WallSwitches now = switches();
    std::ranges::sort(now.blank_areas, {}, [](const BlankArea& area) { return area.wall_rect.x; });
    return now;
  };
  const auto is_concealed = [&](uint32_t number) {
    const Window& window = *find(number);
    return switches().blank || window.hidden || window.cover.blank ||
           std::ranges::any_of(switches().blank_areas, [&](const BlankArea& area) {
             return !sail::intersect(area.wall_rect, window.wall_rect).empty();
           });
  };
  for (int round = 0; round < 8; ++round) {
    SCOPED_TRACE(round);
    console->expect("blank", {{"on", false}});
    for (const Json& blank : blanks) {
      if (below(2) == 0) console->expect("blank", blank);
    }
    const WallNow before = wall_now();
    const WallSwitches blanks_before = sorted();
    const std::vector<WindowCover> covers_before = covers();
    const bool was_concealed = is_concealed(one);
    std::vector<std::string> events = {"whole", "part", "near", "mute"};
    std::ranges::shuffle(events, random);
    events.resize(1 + below(events.size()));
    const auto run = [&] {
      for (size_t steps = below(15); steps > 0; --steps) {
        sail::run_some(loop, 10);
        EXPECT_TRUE(!was_concealed || is_concealed(one)) << "no event shows it";
      }
    };
    for (const std::string& event : events) {
      begin_event(event);
      run();
    }
    std::ranges::shuffle(events, random);
    for (const std::string& event : events) {
      clear(event);
      run();
    }
    ask_until([&] { return wall_now() == before && !console->expect("list").contains("events"); });
    wait([&] { return sorted() == blanks_before; });
    EXPECT_EQ(covers(), covers_before);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_NE(find(two), nullptr);
  end();
}

TEST_F(EventCoversTest, TheNextManagerConcealsTheWallAgain) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  console->expect("blank", {{"text", "back"}});
  console->expect("blank", {{"windows", {one}}, {"text", "soon"}});
  begin_event("door");
  wait_shown("fire");
  wait([&] {
    std::ifstream file(options.state_folder / "sessions" / "autosave.json");
    const Json session = Json::parse(file, nullptr, false);
    return session.is_object() && session.contains("events") &&
           session["events"].contains("covers") && session["windows"].size() == 2;
  });
  console.reset();
  fs_manager.reset();
  options.restore = "autosave";
  begin();
  wait_shown("fire");
  wait([&] { return titled("one") != nullptr && titled("one")->hidden; });
  EXPECT_FALSE(switches().blank);
  end_event("door", "fire");
  EXPECT_TRUE(switches().blank);
  EXPECT_EQ(switches().blank_text, "back");
  EXPECT_EQ(titled("one")->cover.blank, "soon");
  EXPECT_EQ(titled("one")->wall_rect, kBaseLeft);
  end();
}

}  // namespace
}  // namespace manager
