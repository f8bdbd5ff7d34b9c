// Events that switch scenes, and the wall that comes back afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sail/core/text/limits.h"
#include "tests/unit/manager/events/event_scenes_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

TEST_F(EventScenesTest, AfterwardsTheWallIsExactlyAsBefore) {
  begin();
  const auto app = application();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  const uint32_t foreign = open_stream(*app, kBaseRight);
  console->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  console->expect("sound", {{"window", one}, {"volume", 0.5}});
  console->expect("look", {{"window", two}, {"rotate", 90}});
  console->expect("raise", {{"window", one}});
  console->expect("lock", {{"window", two}});
  const WallNow before = wall_now();
  set_rules({{{"event", "door"}, {"when", {{"zone", 3}}}, {"scene", "alarm"}, {"priority", 5}}});

  const Json ignored = begin_event("door", {{"zone", 4}});
  EXPECT_EQ(ignored["outcome"], "ignored");
  EXPECT_EQ(ignored["events"], Json::array());
  const Json began = begin_event("door", {{"zone", 3}});
  EXPECT_EQ(began["outcome"], "began");
  EXPECT_EQ(began["events"][0]["event"], "door");
  wait_shown("fire");
  EXPECT_EQ(titled("fire")->wall_rect, kAlarmLeft);
  for (const uint32_t hidden : {one, two, foreign}) EXPECT_TRUE(is_hidden(hidden)) << hidden;
  EXPECT_EQ(fs_manager->desk().arrangement().partitions().all().size(), 0U);
  EXPECT_EQ(console->expect("list")["events"][0]["shown"], true);

  const Json louder{{"window", one}, {"volume", 1}};
  EXPECT_EQ(console->call("sound", louder).error().code, ErrorCode::kConflict);
  // What people change during an event is lost.
  play("more", kBaseRight);
  const uint32_t fire = titled("fire")->number;
  EXPECT_EQ(begin_event("door", {{"zone", 3}})["outcome"], "prolonged");
  console->expect("list");
  EXPECT_EQ(titled("fire")->number, fire) << "there is no second switch";

  EXPECT_EQ(console->call("undo").error().code, ErrorCode::kConflict);

  clear("door");
  wait_gone("fire");
  wait_gone("more");
  EXPECT_EQ(wall_now(), before);
  EXPECT_FALSE(console->expect("list").contains("events"));
  console->expect("undo");
  EXPECT_FALSE(fs_manager->desk().windows().find(two)->locked)
      << "the last step before the event is undone";
  end();
}

TEST_F(EventScenesTest, OnlyTheSwitchToTheSceneFades) {
  begin();
  const auto left = receiver("left");
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  set_rules({{{"event", "door"}, {"scene", "alarm"}, {"fade", 0.5}}});
  begin_event("door");
  wait_shown("fire");
  scene_of(*left);
  clear("door");
  wait_gone("fire");
  scene_of(*left);
  std::vector<int> fades;
  for (const ScriptedPeer::Message& message : left->messages) {
    const bool is_layout = message.method == "scene" || message.method == "scene_change";
    if (is_layout && message.params.contains("fade_ms")) {
      fades.push_back(message.params["fade_ms"].get<int>());
    }
  }
  EXPECT_EQ(fades, std::vector<int>{500});
  end();
}

TEST_F(EventScenesTest, PeopleDoNotReachTheHiddenWindows) {
  begin();
  const auto left = receiver("left");
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  console->expect("layout_save", {{"name", "plain"}});
  const WallNow before = wall_now();
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  begin_event("door");
  wait_shown("fire");
  const uint32_t fire = titled("fire")->number;
  EXPECT_EQ(find(one)->wall_rect, kBaseLeft) << "a hidden window keeps its place";

  EXPECT_EQ(console->expect("arrange")["windows"].size(), 1U);
  EXPECT_EQ(console->expect("layout_apply", {{"name", "plain"}})["windows"], Json({fire}));
  console->expect("layout_save", {{"name", "event"}});
  console->expect("session_save", {{"name", "event"}});
  EXPECT_EQ(console->expect("session_get", {{"name", "event"}})["windows"].size(), 1U);
  const auto moved = console->call("move", {{"window", one}, {"x", 0}, {"y", 0}});
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kConflict);
  const Json list = console->expect("list");
  for (const Json& window : list["windows"]) {
    EXPECT_EQ(window.value("hidden", false), window["window"] == one);
  }
  EXPECT_EQ(scene_of(*left), std::vector<uint32_t>{fire}) << "receivers are not told of it";

  clear("door");
  wait_gone("fire");
  EXPECT_EQ(scene_of(*left), std::vector<uint32_t>{one});
  EXPECT_EQ(wall_now(), before);
  end();
}

TEST_F(EventScenesTest, ASceneWaitsForARestoreAndSaysSo) {
  options.times.opening_ms = 1;
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  console->expect("session_save", {{"name", "talk"}});
  const auto folder_of_sessions = options.state_folder / "sessions";
  Json session = Json::parse(std::ifstream(folder_of_sessions / "talk.json"));
  Json late = session["windows"][0];
  late["number"] = 1000;
  late["title"] = "a hang";
  late["content"]["media"] = {"a hang"};
  session["windows"].push_back(late);
  std::ofstream(folder_of_sessions / "late.json") << session;
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));

  const auto restored = console->ask("session_restore", {{"name", "late"}});
  EXPECT_EQ(begin_event("door")["outcome"], "began");
  const auto is_there = [&](const char* verb, const char* field) {
    Json now;
    for (int i = 0; i < 2000 && !now.contains(field); ++i) {
      now = console->expect(verb);
      sail::run_some(loop, 10);
    }
    EXPECT_TRUE(now.contains(field)) << now;
    return now;
  };
  is_there("event_list", "waits");
  EXPECT_EQ(titled("fire"), nullptr);
  wait([&] { return titled("one") != nullptr; });
  const Json openings = is_there("list", "openings")["openings"];
  EXPECT_EQ(openings[0]["title"], "a hang");
  console->expect("opening_close", {{"opening", openings[0]["opening"]}});
  wait([&] { return restored->has_value(); });
  wait_shown("fire");
  EXPECT_FALSE(console->expect("event_list").contains("waits"));
  clear("door");
  wait_gone("fire");
  EXPECT_EQ(titled("one")->wall_rect, kBaseLeft) << "the base is the restored wall";
  end();
}

TEST_F(EventScenesTest, AnEventThatIsRefusedClearsNothing) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const Json door = {
      {"event", "door"}, {"scene", "alarm"}, {"priority", 5}, {"min_s", 3600}, {"clears", "other"}};
  set_rules({door,
             {{"event", "bell"}, {"scene", "alarm"}, {"priority", 5}},
             {{"event", "other"}, {"scene", "alarm"}}});
  for (size_t i = 0; i + 1 < sail::kMaxActiveEvents; ++i) {
    console->expect("event_start", {{"name", "bell"}, {"id", std::to_string(i)}});
  }
  begin_event("door");
  const auto refused = console->call("event_start", {{"name", "other"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  const Json events = console->expect("event_list")["events"];
  EXPECT_EQ(events.size(), sail::kMaxActiveEvents);
  for (const Json& event : events) EXPECT_FALSE(event.contains("cleared")) << event;
  end();
}

TEST_F(EventScenesTest, EventsThatOverlapEndInAnyOrder) {
  begin();
  save_scene("whole", {{"one", kAlarmLeft}, {"wide", kAlarmRight}});
  save_scene("part", {{"camera", kAlarmRight}, {"not in the area", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  const WallNow before = wall_now();
  set_rules({{{"event", "low"}, {"scene", "whole"}, {"priority", 1}},
             {{"event", "high"}, {"scene", "part"}, {"area", "r"}, {"priority", 2}}});
  const auto expect_whole = [&] {
    wait_shown("wide");
    wait_gone("camera");
    EXPECT_EQ(find(one)->wall_rect, kAlarmLeft) << "the scene uses the window that is open";
    EXPECT_TRUE(is_hidden(two));
  };
  const auto expect_part = [&] {
    wait_shown("camera");
    wait_gone("wide");
    EXPECT_EQ(find(one)->wall_rect, kBaseLeft);
    EXPECT_TRUE(is_hidden(two));
    EXPECT_EQ(titled("not in the area"), nullptr);
  };
  for (const bool low_first : {true, false}) {
    for (const bool low_ends_first : {true, false}) {
      begin_event(low_first ? "low" : "high");
      low_first ? expect_whole() : expect_part();
      begin_event(low_first ? "high" : "low");
      expect_part();
      clear(low_ends_first ? "low" : "high");
      low_ends_first ? expect_part() : expect_whole();
      clear(low_ends_first ? "high" : "low");
      wait_gone(low_ends_first ? "camera" : "wide");
      EXPECT_EQ(wall_now(), before) << low_first << low_ends_first;
    }
  }
  end();
}

TEST_F(EventScenesTest, ActionsChangeWindowsUntilTheEventEnds) {
  begin();
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  console->expect("sound", {{"window", one}, {"volume", 0.5}, {"muted", true}});
  console->expect("label", {{"window", two}, {"text", "Yard"}, {"place", "top"}});
  console->expect("lock", {{"window", one}});
  const WallNow before = wall_now();
  set_rules(
      Json::array({{{"event", "door"},
                    {"do",
                     {{{"window", "one"}, {"enlarge", true}, {"label", "Alarm"}, {"solo", true}},
                      {{"window", "Yard"}, {"place", rect_json(kAlarmRight)}, {"volume", 0.25}},
                      {{"window", "nobody"}, {"label", "Alarm"}}}}}}));
  begin_event("door");
  wait([&] { return find(one)->before_maximised.has_value(); });
  EXPECT_EQ(find(one)->before_maximised, kBaseLeft);
  EXPECT_GT(find(one)->wall_rect.width, kBaseLeft.width);
  EXPECT_EQ(find(one)->label.text, "Alarm");
  EXPECT_EQ(find(one)->sound, (WindowSound{.volume = 0.5, .muted = false}));
  EXPECT_EQ(find(two)->place, kAlarmRight);
  EXPECT_EQ(find(two)->sound, (WindowSound{.volume = 0.25, .muted = true}));
  EXPECT_EQ(find(two)->label.text, "Yard");
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{one, two}))
      << "the one that is placed last is on top";
  ask_until([&] { return !console->expect("event_list")["failed"].empty(); });
  EXPECT_EQ(console->expect("event_list")["failed"][0]["title"], "nobody");
  EXPECT_EQ(console->expect("list")["events"][0]["shown"], true);
  EXPECT_EQ(console->expect("list")["events"][0]["failed"][0]["title"], "nobody");
  EXPECT_EQ(console->call("undo").error().code, ErrorCode::kConflict);

  clear("door");
  wait([&] { return wall_now() == before; });
  EXPECT_EQ(wall_now(), before);
  ask_until([&] { return console->call("undo").has_value(); });
  EXPECT_FALSE(find(one)->locked) << "the last step before the event is undone";
  end();
}

TEST_F(EventScenesTest, ActionsAndScenesThatOverlapEndInAnyOrder) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}, {"one", kAlarmRight}});
  const uint32_t one = play("one", kBaseLeft);
  play("two", kBaseRight);
  console->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  const WallNow before = wall_now();
  set_rules(
      {{{"event", "scene"}, {"scene", "alarm"}, {"priority", 1}},
       {{"event", "label"}, {"do", {{{"window", "one"}, {"label", "Alarm"}}}}, {"priority", 2}},
       {{"event", "large"},
        {"do", {{{"window", "one"}, {"enlarge", true}, {"muted", true}}}},
        {"priority", 3}}});
  std::vector<std::string> names = {"label", "large", "scene"};
  const auto expect_shown = [&](const std::set<std::string>& active) {
    const auto is_shown = [&] {
      const Window& window = *find(one);
      const bool large = window.before_maximised && window.sound.muted;
      const sail::Rect place = window.before_maximised.value_or(window.wall_rect);
      return (window.label.text == "Alarm") == active.contains("label") &&
             large == active.contains("large") &&
             place == (active.contains("scene") ? kAlarmRight : kBaseLeft) &&
             (titled("fire") != nullptr) == active.contains("scene");
    };
    wait(is_shown);
    EXPECT_TRUE(is_shown());
  };
  std::set<std::string> active;
  std::vector<std::string> begins = names;
  do {
    for (const std::string& name : begins) {
      begin_event(name);
      active.insert(name);
      expect_shown(active);
    }
    for (const std::string& name : names) {
      clear(name);
      active.erase(name);
      expect_shown(active);
    }
    wait([&] { return wall_now() == before; });
    EXPECT_EQ(wall_now(), before) << begins[0] << begins[1] << begins[2];
  } while (std::ranges::next_permutation(begins).found);
  end();
}

TEST_F(EventScenesTest, WhatAnEventCouldNotDoIsToldUntilItEnds) {
  begin();
  play("one", kBaseLeft);
  const Json action{{"window", "nobody"}, {"label", "Alarm"}};
  set_rules({{{"event", "camera"}, {"camera", "Gate"}, {"preset", "1"}},
             {{"event", "label"}, {"do", Json::array({action})}, {"priority", 1}}});
  const auto failed_title = [&](size_t event) -> std::string {
    const Json events = console->expect("list")["events"];
    const Json failed = events[event].value("failed", Json::array());
    return failed.size() == 1 ? failed[0]["title"].get<std::string>() : "";
  };
  const auto scene_problems = [&] {
    const Json why = console->expect("why");
    return std::ranges::count_if(why["problems"],
                                 [](const Json& one) { return one["cause"] == "scene"; });
  };
  begin_event("camera");
  ask_until([&] { return failed_title(0) == "Gate"; });
  EXPECT_EQ(console->expect("event_list")["failed"], Json::array())
      << "the wall has not been switched";
  ask_until([&] { return scene_problems() == 1; });
  begin_event("label");
  ask_until([&] { return failed_title(1) == "nobody"; });
  EXPECT_EQ(failed_title(0), "Gate");
  ask_until([&] { return scene_problems() == 2; });
  clear("label");
  clear("camera");
  ask_until([&] { return scene_problems() == 0; });
  ask_until([&] { return console->expect("event_list")["failed"] == Json::array(); });
  end();
}

TEST_F(EventScenesTest, AWindowThatWasClosedMeanwhileIsOpenedAgain) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  const uint32_t one = play("one", kBaseLeft);
  const uint32_t two = play("two", kBaseRight);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}, {"acknowledge", true}}}));
  begin_event("door");
  wait_shown("fire");
  console->expect("close", {{"window", one}});
  console->expect("event_acknowledge", {{"name", "door"}});
  wait_shown("one");
  wait_gone("fire");
  EXPECT_NE(titled("one")->number, one);
  EXPECT_EQ(titled("one")->wall_rect, kBaseLeft);
  EXPECT_FALSE(titled("one")->sound.muted);
  EXPECT_EQ(find(two)->wall_rect, kBaseRight);
  EXPECT_EQ(fs_manager->desk().windows().order(),
            (std::vector<uint32_t>{titled("one")->number, two}));
  end();
}

// The fake players end with their manager, so the next one starts them again.
TEST_F(EventScenesTest, TheNextManagerRestoresTheWall) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  play("two", kBaseRight);
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  begin_event("door");
  wait_shown("fire");
  const auto saved = [&] {
    std::ifstream file(options.state_folder / "sessions" / "autosave.json");
    const Json session = Json::parse(file, nullptr, false);
    return session.is_object() && session.contains("events") && session["windows"].size() == 3 &&
           session["events"]["active"].size() == 1;
  };
  wait(saved);
  EXPECT_FALSE(console->expect("session_get", {{"name", "autosave"}}).contains("events"));

  console.reset();
  fs_manager.reset();
  options.restore = "autosave";
  begin();
  EXPECT_EQ(console->expect("event_list")["events"][0]["event"], "door");
  EXPECT_EQ(console->expect("event_rules")["rules"].size(), 1U) << "rules are kept";
  wait_shown("fire");
  wait([&] { return titled("one") != nullptr && titled("two") != nullptr; });
  const uint32_t one = titled("one")->number;
  const uint32_t two = titled("two")->number;
  clear("door");
  wait_gone("fire");
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{one, two}));
  EXPECT_EQ(find(one)->wall_rect, kBaseLeft);
  EXPECT_EQ(find(two)->wall_rect, kBaseRight);
  EXPECT_FALSE(find(one)->sound.muted);
  end();
}

TEST_F(EventScenesTest, RulesThatClearOneAnotherLeaveOneEventAndThenTheWall) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  play("two", kBaseRight);
  const WallNow before = wall_now();
  set_rules({{{"event", "open"}, {"scene", "alarm"}, {"clears", "shut"}},
             {{"event", "shut"}, {"scene", "alarm"}, {"clears", "open"}}});
  for (int i = 0; i < 100; ++i) {
    const Json events = begin_event(i % 2 == 0 ? "open" : "shut")["events"];
    ASSERT_EQ(events.size(), 1U) << events;
  }
  wait_shown("fire");
  EXPECT_EQ(console->expect("event_list")["events"][0]["event"], "shut");
  clear("shut");
  wait_gone("fire");
  wait([&] { return wall_now() == before; });
  end();
}

TEST_F(EventScenesTest, ASceneThatIsRemovedWhileItIsShownTakesNothingAlong) {
  begin();
  save_scene("alarm", {{"fire", kAlarmLeft}});
  play("one", kBaseLeft);
  const WallNow before = wall_now();
  set_rules(Json::array({{{"event", "door"}, {"scene", "alarm"}}}));
  begin_event("door");
  wait_shown("fire");
  console->expect("session_remove", {{"name", "alarm"}});
  EXPECT_EQ(console->expect("event_list")["events"].size(), 1U);
  clear("door");
  wait_gone("fire");
  wait([&] { return wall_now() == before; });
  EXPECT_EQ(console->call("event_start", {{"name", "door"}}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(wall_now(), before);
  end();
}

TEST_F(EventScenesTest, TheNextManagerUndoesTheActions) {
  begin();
  play("one", kBaseLeft);
  set_rules(Json::array(
      {{{"event", "door"},
        {"do", {{{"window", "one"}, {"enlarge", true}, {"label", "Alarm"}, {"volume", 0.25}}}}}}));
  begin_event("door");
  wait([&] { return titled("one")->label.text == "Alarm"; });
  wait([&] {
    std::ifstream file(options.state_folder / "sessions" / "autosave.json");
    const Json session = Json::parse(file, nullptr, false);
    return session.is_object() && session.contains("events") && session["windows"].size() == 1 &&
           session["windows"][0].contains("before_maximised");
  });
  console.reset();
  fs_manager.reset();
  options.restore = "autosave";
  begin();
  EXPECT_EQ(console->expect("event_list")["events"][0]["event"], "door");
  wait_shown("one");
  wait([&] { return titled("one")->label.text == "Alarm"; });
  EXPECT_EQ(titled("one")->before_maximised, kBaseLeft);
  clear("door");
  wait([&] { return titled("one")->label.text.empty(); });
  EXPECT_EQ(titled("one")->wall_rect, kBaseLeft);
  EXPECT_FALSE(titled("one")->before_maximised);
  EXPECT_EQ(titled("one")->sound, WindowSound());
  end();
}

TEST_F(EventScenesTest, RefusalsHaveCodesAndChangeNothing) {
  begin();
  set_rules(Json::array({{{"event", "door"}, {"scene", "gone"}}}));
  const auto code = [&](const char* verb, const Json& params) {
    const auto answer = console->call(verb, params);
    EXPECT_FALSE(answer) << verb << params;
    return answer ? ErrorCode::kInternal : answer.error().code;
  };
  EXPECT_EQ(code("event_start", {{"name", "door"}}), ErrorCode::kNotFound);
  EXPECT_EQ(code("event_clear", {{"name", "door"}}), ErrorCode::kNotFound);
  EXPECT_EQ(code("event_acknowledge", {{"name", "door"}}), ErrorCode::kNotFound);
  const std::string text(sail::kMaxEventPayload, 'a');
  EXPECT_EQ(code("event_start", {{"name", "door"}, {"payload", {{"text", text}}}}),
            ErrorCode::kInvalidParams);
  const Json wrong = Json::array({{{"event", "bell"}}});
  EXPECT_EQ(code("event_rules", {{"rules", wrong}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(console->expect("event_rules")["rules"][0]["event"], "door");
  EXPECT_EQ(console->expect("event_list")["events"], Json::array());
  end();

  options.event_rules = *sail::EventRules::read(Json::array({{{"event", "a"}, {"scene", "b"}}}));
  begin();
  EXPECT_EQ(console->expect("event_rules")["rules"][0]["event"], "a");
  EXPECT_EQ(code("event_rules", {{"rules", Json::array()}}), ErrorCode::kConflict);
}

}  // namespace
}  // namespace manager
