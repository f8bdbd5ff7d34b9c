// Several users arrange a wall: undo history, locks, partitions, layouts and sessions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

class ArrangingTest : public ManagerTest {
 protected:
  ArrangingTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder.path();
    options.times.return_ms = 100;
  }
  void begin() {
    start();
    anna = welcome(sail::Role::kUi, "Anna");
    bert = welcome(sail::Role::kUi, "Bert");
    app = application();
  }
  void end() {
    fs_manager->shut_down();
    wait([&] { return ended; });
    anna.reset();
    bert.reset();
    app.reset();
    fs_manager.reset();
    ended = false;
  }
  Json windows() { return anna->expect("list")["windows"]; }
  Json window_titled(const std::string& title) {
    for (const Json& window : windows()) {
      if (window["title"] == title) return window;
    }
    return nullptr;
  }
  sail::Rect rect_of(uint32_t number) {
    return fs_manager->desk().windows().find(number)->wall_rect;
  }
  ErrorCode refused(ScriptedPeer& peer, const char* verb, const Json& params) {
    const auto answer = peer.call(verb, params);
    EXPECT_FALSE(answer) << verb;
    return answer ? ErrorCode::kInternal : answer.error().code;
  }
  static Json place(std::initializer_list<std::pair<uint32_t, sail::Rect>> windows) {
    Json list = Json::array();
    for (const auto& [number, rect] : windows) {
      list.push_back({{"window", number}, {"rect", sail::rect_json(rect)}});
    }
    return {{"windows", std::move(list)}};
  }

  static constexpr sail::Rect kA{0, 0, 160, 90};
  static constexpr sail::Rect kB{200, 0, 320, 180};
  const sail::TempFolder folder;
  std::unique_ptr<ScriptedPeer> anna;
  std::unique_ptr<ScriptedPeer> bert;
  std::unique_ptr<ScriptedPeer> app;
};

TEST_F(ArrangingTest, PlaceIsAllOrNothingAndOneLayout) {
  begin();
  for (int i = 0; i < 3; ++i) open_stream(*app, kA);
  const Director& director = fs_manager->desk().director();
  wait([&] { return director.settled(); });
  const uint64_t epoch = director.epoch();
  EXPECT_EQ(anna->expect("place", place({{1, kB}, {3, kB}}))["windows"], (Json{1, 3}));
  EXPECT_EQ(rect_of(1), kB);
  EXPECT_EQ(rect_of(3), kB);
  wait([&] { return director.settled(); });
  EXPECT_EQ(director.epoch(), epoch + 1);
  EXPECT_EQ(refused(*anna, "place", place({{1, kA}, {9, kA}})), ErrorCode::kNotFound);
  EXPECT_EQ(refused(*anna, "place", place({{1, kA}, {1, kA}})), ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(*anna, "place", place({{1, kA}, {2, {0, 0, 0, 5}}})),
            ErrorCode::kInvalidParams);
  anna->expect("lock", {{"window", 2}});
  EXPECT_EQ(refused(*anna, "place", place({{1, kA}, {2, kB}})), ErrorCode::kConflict);
  EXPECT_EQ(rect_of(1), kB);
}

TEST_F(ArrangingTest, ALockedWindowStaysWhereItIs) {
  begin();
  for (int i = 0; i < 2; ++i) open_stream(*app, kA);
  EXPECT_EQ(anna->expect("lock", {{"window", 1}})["locked"], true);
  for (const auto& [verb, params] : std::initializer_list<std::pair<const char*, Json>>{
           {"move", {{"window", 1}, {"x", 5}, {"y", 5}}},
           {"resize", {{"window", 1}, {"width", 5}}},
           {"fit", {{"window", 1}}},
           {"maximise", {{"window", 1}}},
           {"close", {{"window", 1}}},
           {"arrange", {{"mode", "main"}, {"window", 1}}}}) {
    EXPECT_EQ(refused(*bert, verb, params), ErrorCode::kConflict) << verb;
  }
  bert->expect("arrange");
  EXPECT_EQ(rect_of(1), kA);
  EXPECT_EQ(rect_of(2), (sail::Rect{960, 0, 1920, 1080}));
  bert->expect("raise", {{"window", 1}});
  bert->expect("lock", {{"window", 1}, {"on", false}});
  bert->expect("move", {{"window", 1}, {"x", 5}, {"y", 5}});
}

TEST_F(ArrangingTest, MaximiseAndBack) {
  begin();
  for (int i = 0; i < 2; ++i) open_stream(*app, kA);
  const Json large = anna->expect("maximise", {{"window", 1}});
  EXPECT_EQ(large["maximised"], true);
  EXPECT_EQ(large["rect"], (Json{960, 0, 1920, 1080}));
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{2, 1}));
  anna->expect("maximise", {{"window", 1}});
  EXPECT_EQ(anna->expect("maximise", {{"window", 1}, {"on", false}})["rect"], sail::rect_json(kA));
  anna->expect("maximise", {{"window", 1}, {"on", false}});
  EXPECT_EQ(rect_of(1), kA);
  anna->expect("maximise", {{"window", 1}});
  EXPECT_EQ(anna->expect("move", {{"window", 1}, {"x", 0}, {"y", 0}})["maximised"], false);
  anna->expect("undo");
  EXPECT_EQ(windows()[1]["maximised"], true);
}

TEST_F(ArrangingTest, TheHistoryIsSharedAndTold) {
  begin();
  open_stream(*app, kA);
  anna->expect("subscribe");
  bert->expect("move", {{"window", 1}, {"x", 50}, {"y", 0}});
  const auto next_history = [&] {
    Json change;
    do {
      change = anna->next("changed");
    } while (!change.contains("history"));
    return change;
  };
  Json change = next_history();
  EXPECT_EQ(change["windows"][0]["by"], "Bert");
  EXPECT_EQ(change["history"]["undo"], (Json{{"who", "Bert"}, {"what", "moved 'film'"}}));
  EXPECT_EQ(change["history"]["redo"], nullptr);
  EXPECT_EQ(anna->expect("undo"), (Json{{"who", "Bert"}, {"what", "moved 'film'"}}));
  change = next_history();
  EXPECT_EQ(change["windows"][0]["by"], "Anna");
  EXPECT_EQ(change["history"]["undo"], nullptr);
  EXPECT_EQ(change["history"]["done"], 0);
  EXPECT_EQ(rect_of(1), kA);
  EXPECT_EQ(refused(*bert, "undo", Json::object()), ErrorCode::kNotFound);
  bert->expect("redo");
  EXPECT_EQ(rect_of(1).x, 50);
  next_history();
  // The history is not sent again for each step of a drag.
  bert->expect("move", {{"window", 1}, {"x", 60}, {"y", 0}, {"gesture", "g"}});
  next_history();
  bert->expect("move", {{"window", 1}, {"x", 61}, {"y", 0}, {"gesture", "g"}});
  EXPECT_FALSE(anna->next("changed").contains("history"));
}

TEST_F(ArrangingTest, ClientsSeeEachOther) {
  begin();
  const Json state = anna->expect("subscribe");
  ASSERT_EQ(state["clients"].size(), 1U);
  EXPECT_EQ(state["clients"][0]["name"], "Anna");
  bert->expect("subscribe");
  Json clients = anna->next("changed")["clients"];
  ASSERT_EQ(clients.size(), 2U);
  EXPECT_EQ(clients[1]["name"], "Bert");
  EXPECT_NE(clients[0]["colour"], clients[1]["colour"]);
  bert.reset();
  clients = anna->next("changed")["clients"];
  ASSERT_EQ(clients.size(), 1U);
  auto carla = connect();
  const Json hello = carla->expect(
      "hello", {{"role", "ui"}, {"protocol", 3}, {"name", "Carla"}, {"colour", "#a0B1c2"}});
  EXPECT_EQ(hello["colour"], "#a0B1c2");
  auto other = connect();
  EXPECT_FALSE(other->call("hello", {{"role", "ui"}, {"protocol", 3}, {"colour", "#12345g"}}));
}

TEST_F(ArrangingTest, CrowdsOfClientsAreNotToldAtEachOneThatComes) {
  begin();
  constexpr size_t kClients = 100;
  anna->expect("subscribe");
  const int64_t begin_ns = sail::steady_now_ns();
  std::vector<std::unique_ptr<ScriptedPeer>> crowd;
  for (size_t i = 1; i < kClients; ++i) {
    crowd.push_back(ui());
    EXPECT_EQ(crowd.back()->expect("subscribe")["clients"].size(), i + 1);
  }
  // After a client list of n entries the manager pauses n * n / 200 ms; timers have millisecond
  // resolution.
  size_t rests_ms = 0;
  for (size_t known = 0; known < kClients && !HasFailure();) {
    rests_ms += std::max<size_t>(known * known / 200, 1) - 1;
    Json changed;
    while (!changed.contains("clients") && !HasFailure()) changed = anna->next("changed");
    known = changed["clients"].size();
  }
  EXPECT_GT(rests_ms, 0U);
  EXPECT_LE(rests_ms, static_cast<size_t>((sail::steady_now_ns() - begin_ns) / 1'000'000));
}

TEST_F(ArrangingTest, ClientsGetColoursOfTheirOwn) {
  start();
  std::set<std::string> colours;
  const auto colour_of = [](ScriptedPeer& client) {
    return client.hello(sail::Role::kUi, "x")->value("colour", "");
  };
  std::vector<std::unique_ptr<ScriptedPeer>> clients;
  for (int i = 0; i < 12; ++i) {
    clients.push_back(connect());
    colours.insert(colour_of(*clients.back()));
  }
  EXPECT_EQ(colours.size(), 12U);
}

TEST_F(ArrangingTest, WindowsFollowTheirPartition) {
  begin();
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  open_stream(*app, sail::Rect{2000, 0, 160, 90});
  anna->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  EXPECT_EQ(windows()[0]["partition"], "1");
  anna->expect("lock", {{"window", 2}});
  anna->expect("partition", {{"action", "set"}, {"name", "1"}, {"rect", {0, 0, 960, 540}}});
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 960, 540}));
  anna->expect("partition", {{"action", "set"}, {"name", "2"}, {"rect", {0, 540, 960, 540}}});
  EXPECT_EQ(rect_of(2), (sail::Rect{2000, 0, 160, 90}));
  EXPECT_FALSE(windows()[1].contains("partition"));
  EXPECT_EQ(anna->expect("fit", {{"window", 1}, {"partition", "2"}, {"fill", true}})["rect"],
            (Json{0, 540, 960, 540}));
  for (int i = 0; i < 3; ++i) anna->expect("undo");
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 1920, 1080}));
  anna->expect("partition", {{"action", "clear"}});
  EXPECT_FALSE(windows()[0].contains("partition"));
  EXPECT_EQ(refused(*anna, "arrange", {{"area", "1"}}), ErrorCode::kNotFound);
}

TEST_F(ArrangingTest, ArrangeWithinAnAreaLeavesTheOthers) {
  begin();
  open_stream(*app, kA);
  open_stream(*app, kB);
  open_stream(*app, sail::Rect{3000, 0, 160, 90});
  EXPECT_EQ(anna->expect("arrange", {{"mode", "aspect"}, {"area", "l"}})["windows"].size(), 2U);
  EXPECT_EQ(rect_of(3), (sail::Rect{3000, 0, 160, 90}));
  for (const uint32_t number : {1U, 2U}) {
    EXPECT_EQ(intersect(rect_of(number), {0, 0, 1920, 1080}), rect_of(number));
  }
}

// --- windows that close and are reopened

TEST_F(ArrangingTest, AnUndoneCloseStartsItsContentAgain) {
  begin();
  anna->expect("play", {{"media", {"one"}}, {"place", sail::rect_json(kA)}});
  anna->expect("play", {{"media", {"two"}}, {"place", sail::rect_json(kB)}});
  anna->expect("move", {{"window", 1}, {"x", 33}, {"y", 44}});
  bert->expect("close", {{"window", 1}});
  EXPECT_EQ(bert->expect("undo"), (Json{{"who", "Bert"}, {"what", "closed 'one'"}}));
  const Json back = window_titled("one");
  EXPECT_EQ(back["rect"], (Json{33, 44, 160, 90}));
  EXPECT_EQ(back["relaunch"], true);
  const uint32_t number = back["window"];
  EXPECT_NE(number, 1U);
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{number, 2}));
  // Its earlier steps now belong to the new window.
  EXPECT_EQ(bert->expect("undo")["what"], "moved 'one'");
  EXPECT_EQ(rect_of(number), kA);
  bert->expect("redo");
  EXPECT_EQ(bert->expect("redo")["what"], "closed 'one'");
  EXPECT_EQ(window_titled("one"), nullptr);
  end();
}

TEST_F(ArrangingTest, AnUndonePlayClosesItsWindow) {
  begin();
  anna->expect("play", {{"media", {"one"}}});
  EXPECT_EQ(anna->expect("undo")["what"], "opened 'one'");
  EXPECT_EQ(window_titled("one"), nullptr);
  anna->expect("redo");
  EXPECT_NE(window_titled("one"), nullptr);
  end();
}

TEST_F(ArrangingTest, WhatNobodyCanStartIsNotOfferedForUndo) {
  begin();
  open_stream(*app, kA);
  anna->expect("move", {{"window", 1}, {"x", 5}, {"y", 5}});
  anna->send(sail::request_line(900, "close", {{"window", 1}}));
  EXPECT_EQ(app->next("event")["type"], "close");
  app->expect("close_stream", {{"stream", 1}});
  const Json history = anna->expect("history");
  EXPECT_EQ(history["undo"], nullptr);
  ASSERT_EQ(history["entries"].size(), 1U);
  EXPECT_EQ(history["entries"][0]["what"], "closed 'film'");
  EXPECT_GT(history["entries"][0]["at"], 1'700'000'000);
  EXPECT_EQ(history["entries"][0]["who"], "Anna");
  EXPECT_EQ(history["entries"][0]["note"], true);
  EXPECT_EQ(refused(*anna, "undo", Json::object()), ErrorCode::kNotFound);
}

TEST_F(ArrangingTest, SeveralAreClosedInOneStep) {
  begin();
  for (const char* name : {"one", "two", "three"}) anna->expect("play", {{"media", {name}}});
  anna->expect("lock", {{"window", 3}});
  EXPECT_EQ(refused(*anna, "close", {{"windows", {1, 3}}}), ErrorCode::kConflict);
  EXPECT_EQ(refused(*anna, "close", {{"windows", {1, 1}}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(anna->expect("close", {{"windows", {1, 2}}}),
            (Json{{"windows", {1, 2}}, {"forced", Json::array()}}));
  EXPECT_EQ(windows().size(), 1U);
  EXPECT_EQ(anna->expect("undo")["what"], "closed 2 windows");
  EXPECT_EQ(windows().size(), 3U);
  EXPECT_EQ(anna->expect("redo")["what"], "closed 2 windows");
  EXPECT_EQ(windows().size(), 1U);
  end();
}

// Undo matches its description, even if a window has closed in between.
TEST_F(ArrangingTest, UndoDoesWhatItSays) {
  begin();
  anna->expect("play", {{"media", {"kept"}}, {"place", sail::rect_json(kA)}});
  anna->expect("close", {{"window", 1}});
  Json params = stream_params("by itself", kB);
  params["content"] = {{"media", {"/by itself"}}, {"program", "bplay"}};
  app->expect("open_stream", params);
  anna->expect("move", {{"window", 2}, {"x", 0}, {"y", 0}});
  EXPECT_EQ(anna->expect("history")["undo"]["what"], "moved 'by itself'");
  app->expect("close_stream", {{"stream", 2}});
  const Json history = anna->expect("history");
  EXPECT_EQ(history["undo"]["what"], "closed 'kept'");
  EXPECT_EQ(history["entries"].back()["what"], "'by itself' left the wall");
  EXPECT_EQ(anna->expect("undo")["what"], "closed 'kept'");
  EXPECT_NE(window_titled("kept"), nullptr);
  end();
}

TEST_F(ArrangingTest, AFilmThatEndsIsTold) {
  begin();
  const uint32_t stream = open_stream(*app, kA);
  Json playback = {{"stream", stream}, {"position_s", 1}, {"at_ns", 0}, {"duration_s", 60}};
  app->notify("playback", playback);
  playback["position_s"] = 60;
  playback["ended"] = true;
  app->notify("playback", playback);
  app->notify("playback", playback);
  app->expect("clock");  // the notifications before it have been handled
  EXPECT_EQ(windows()[0]["playback"]["ended"], true);
  const Json history = anna->expect("history");
  ASSERT_EQ(history["entries"].size(), 1U);
  EXPECT_EQ(history["entries"][0]["what"], "'film' has ended");
  EXPECT_EQ(history["undo"], nullptr);
}

TEST_F(ArrangingTest, FilmsHoldUnlessTheWallOrSomebodySaysOtherwise) {
  begin();
  anna->expect("play", {{"media", {"one"}}});
  anna->expect("play", {{"media", {"two"}}, {"at_end", "close"}});
  anna->expect("play", {{"media", {"three"}}, {"loop", true}});
  EXPECT_EQ(refused(*anna, "play", {{"media", {"four"}}, {"at_end", "explode"}}),
            ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(*anna, "play", {{"media", {"four"}}, {"at_end", "hold"}, {"loop", true}}),
            ErrorCode::kInvalidParams);
  for (const auto& [number, at_end] :
       {std::pair{1U, AtEnd::kHold}, std::pair{2U, AtEnd::kClose}, std::pair{3U, AtEnd::kLoop}}) {
    EXPECT_EQ(fs_manager->desk().windows().find(number)->content->at_end, at_end);
  }
  end();
  options.at_end = AtEnd::kLoop;
  begin();
  anna->expect("play", {{"media", {"one"}}});
  EXPECT_EQ(fs_manager->desk().windows().find(1)->content->at_end, AtEnd::kLoop);
  end();
}

// --- placing windows

TEST_F(ArrangingTest, PlacesForSeveralAreBesideEachOther) {
  begin();
  const Json sizes = {{1920, 1080}, {1280, 720}};
  const Json found = anna->expect("find_places", {{"sizes", sizes}})["places"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0],
            (Json{{"rect", {0, 0, 1920, 1080}}, {"play", {{"within", {0, 0, 1920, 1080}}}}}));
  EXPECT_EQ(found[1]["rect"], (Json{1920, 0, 1920, 1080}));
  for (const Json& place : found) {
    Json params = place["play"];
    params["media"] = {"film"};
    anna->expect("play", params);
  }
  EXPECT_EQ(rect_of(2), (sail::Rect{1920, 0, 1920, 1080}));
  EXPECT_EQ(refused(*anna, "find_places", {{"sizes", Json::array()}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(*anna, "find_places", {{"sizes", {{0, 5}}}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(*anna, "find_places", {{"sizes", {7}}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(*anna, "play", {{"media", {"a"}}, {"at", {1, 1}}, {"within", {0, 0, 9, 9}}}),
            ErrorCode::kInvalidParams);
  end();
}

TEST_F(ArrangingTest, WindowsMakeRoomForOneThatIsOpenedInThatStep) {
  options.wall.size = {1920, 1080};
  options.wall.tiles = {options.wall.tiles[0]};
  options.wall.receivers = {options.wall.receivers[0]};
  begin();
  anna->expect("play", {{"media", {"one"}}});
  const sail::Rect whole = rect_of(1);
  anna->expect("play", {{"media", {"two"}}});
  EXPECT_TRUE(intersect(rect_of(1), rect_of(2)).empty());
  EXPECT_EQ(anna->expect("undo")["what"], "opened 'two'");
  EXPECT_EQ(rect_of(1), whole);
  anna->expect("redo");
  EXPECT_NE(rect_of(1), whole);
  end();
}

TEST_F(ArrangingTest, AWindowSharesAPartition) {
  begin();
  anna->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  open_stream(*app, sail::Rect{2500, 300, 160, 90});
  anna->expect("place", {{"windows", {{{"window", 2}, {"rect", {900, 300, 160, 90}}}}},
                         {"gesture", "drag 1"},
                         {"front", true}});
  anna->expect("fit", {{"window", 2}, {"partition", "1"}, {"share", true}, {"gesture", "drag 1"}});
  for (const uint32_t number : {1U, 2U}) {
    EXPECT_EQ(fs_manager->desk().windows().find(number)->partition, "1");
  }
  EXPECT_TRUE(intersect(rect_of(1), rect_of(2)).empty());
  EXPECT_EQ(anna->expect("undo")["what"], "fitted 2 windows into '1'");
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 1920, 1080}));
  EXPECT_EQ(rect_of(2), (sail::Rect{2500, 300, 160, 90}));
  // Also for a new player in the partition.
  anna->expect("play", {{"media", {"film"}}, {"at", {500, 500}}});
  EXPECT_TRUE(intersect(rect_of(1), rect_of(3)).empty());
  EXPECT_EQ(fs_manager->desk().windows().find(3)->partition, "1");
  EXPECT_EQ(anna->expect("undo")["what"], "opened 'film'");
  EXPECT_EQ(rect_of(1), (sail::Rect{0, 0, 1920, 1080}));
  EXPECT_EQ(refused(*anna, "fit", {{"window", 2}, {"share", true}}), ErrorCode::kInvalidParams);
  end();
}

TEST_F(ArrangingTest, WhatIsDraggedComesToTheFront) {
  begin();
  for (int i = 0; i < 3; ++i) open_stream(*app, kA);
  Json drag = place({{1, {50, 0, 160, 90}}});
  drag["gesture"] = "drag 1";
  drag["front"] = true;
  anna->expect("place", drag);
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{2, 3, 1}));
  EXPECT_EQ(anna->expect("undo")["what"], "moved 'film'");
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{1, 2, 3}));
  drag = place({{1, kA}});
  drag["front"] = true;
  anna->expect("place", drag);
  EXPECT_EQ(anna->expect("history")["undo"]["what"], "raised 'film'");
}

TEST_F(ArrangingTest, AnApplicationMayTellHowItIsStarted) {
  begin();
  Json params = stream_params("by hand", kB);
  params["content"] = {{"media", {"/by hand"}}, {"program", "bplay"}};
  app->expect("open_stream", params);
  params["content"]["program"] = "/bin/sh";
  app->expect("open_stream", params);
  EXPECT_EQ(windows()[0]["relaunch"], true);
  EXPECT_EQ(windows()[1]["relaunch"], false);
  anna->send(sail::request_line(900, "close", {{"window", 1}}));
  app->next("event");
  app->expect("close_stream", {{"stream", 1}});
  EXPECT_FALSE(anna->expect("undo").contains("failed"));
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 2; });
  EXPECT_EQ(rect_of(3), kB);
  end();
}

// --- layouts and sessions

TEST_F(ArrangingTest, ALayoutPutsWindowsWhereTheyWere) {
  begin();
  open_stream(*app, kA);
  open_stream(*app, kB);
  anna->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  anna->expect("lock", {{"window", 1}});
  const Json saved = anna->expect("layout_save", {{"name", "../two films"}})["layouts"];
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0]["name"], "../two films");
  EXPECT_EQ(saved[0]["windows"], 2);
  anna->expect("lock", {{"window", 1}, {"on", false}});
  anna->expect("partition", {{"action", "clear"}});
  anna->expect("arrange");
  anna->expect("raise", {{"window", 1}});
  open_stream(*app, kB);
  EXPECT_EQ(bert->expect("layout_apply", {{"name", "../two films"}})["windows"], (Json{1, 2}));
  EXPECT_EQ(rect_of(1), kA);
  EXPECT_EQ(rect_of(2), kB);
  EXPECT_TRUE(fs_manager->desk().windows().find(1)->locked);
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(fs_manager->desk().arrangement().partitions().all().size(), 2U);
  EXPECT_EQ(bert->expect("undo")["what"], "applied layout '../two films'");
  EXPECT_FALSE(fs_manager->desk().windows().find(1)->locked);
  EXPECT_TRUE(bert->expect("layout_remove", {{"name", "../two films"}})["layouts"].empty());
  EXPECT_EQ(refused(*bert, "layout_apply", {{"name", "../two films"}}), ErrorCode::kNotFound);
  EXPECT_TRUE(bert->expect("layouts")["layouts"].empty());
}

TEST_F(ArrangingTest, ASessionBringsTheFilmsBackToo) {
  begin();
  anna->expect("play", {{"media", {"one"}}, {"place", sail::rect_json(kA)}});
  anna->expect("play", {{"media", {"two"}}, {"place", sail::rect_json(kB)}});
  open_stream(*app, kB);
  anna->expect("raise", {{"window", 1}});
  anna->expect("lock", {{"window", 1}});
  anna->expect("session_save", {{"name", "monday"}});
  const Json document = anna->expect("session_get", {{"name", "monday"}});
  EXPECT_EQ(document["windows"][0]["content"]["media"], (Json{"two"}));
  EXPECT_FALSE(document["windows"][0].contains("mark"));

  anna->expect("close", {{"window", 2}});
  anna->expect("play", {{"media", {"three"}}});
  anna->expect("move", {{"window", 3}, {"x", 1000}, {"y", 0}});
  const Json restored = bert->expect("session_restore", {{"name", "monday"}});
  EXPECT_EQ(restored["started"].size(), 2U);
  EXPECT_TRUE(restored["failed"].empty());
  EXPECT_EQ(window_titled("three"), nullptr);
  const Json one = window_titled("one");
  EXPECT_EQ(one["rect"], sail::rect_json(kA));
  EXPECT_EQ(one["locked"], true);
  EXPECT_EQ(windows()[0]["title"], "two");
  EXPECT_EQ(windows()[2]["title"], "one");
  EXPECT_EQ(rect_of(3), kB) << "an application's own window stays, at its place";

  // A single step.
  EXPECT_EQ(bert->expect("undo")["what"], "restored session 'monday'");
  EXPECT_NE(window_titled("three"), nullptr);
  EXPECT_EQ(window_titled("two"), nullptr);
  EXPECT_EQ(rect_of(3).x, 1000);
  bert->expect("session_remove", {{"name", "monday"}});
  EXPECT_EQ(refused(*bert, "session_restore", {{"name", "monday"}}), ErrorCode::kNotFound);
  end();
}

TEST_F(ArrangingTest, WindowsOfOneTitleComeBackToTheirOwnPlaces) {
  begin();
  open_stream(*app, kA);
  open_stream(*app, kB);
  anna->expect("session_save", {{"name", "both"}});
  anna->expect("move", {{"window", 1}, {"x", 1000}, {"y", 0}});
  anna->expect("move", {{"window", 2}, {"x", 1100}, {"y", 0}});
  anna->expect("session_restore", {{"name", "both"}});
  EXPECT_EQ(std::set({rect_of(1).x, rect_of(2).x}), std::set({kA.x, kB.x}));
  end();
}

TEST_F(ArrangingTest, WhatFailsToComeBackIsTold) {
  begin();
  anna->expect("play", {{"media", {"one"}}});
  anna->expect("session_save", {{"name", "a"}});
  options.player_program = "/nowhere/bplay";
  end();
  start();
  anna = ui();
  const Json restored = anna->expect("session_restore", {{"name", "a"}});
  EXPECT_TRUE(restored["started"].empty());
  EXPECT_EQ(restored["failed"][0]["title"], "one");
  EXPECT_THAT(restored["failed"][0]["why"].get<std::string>(), HasSubstr("/nowhere/bplay"));
}

TEST_F(ArrangingTest, ASavedCommandComesBackByItsName) {
  const auto commands = [](const char* title) {
    return *parse_commands({{"clock", {{"arguments", {FAKE_PROGRAM, title}}}}});
  };
  options.commands = commands("as it was");
  begin();
  anna->expect("play", {{"source", "command/clock"}, {"place", sail::rect_json(kA)}});
  EXPECT_EQ(windows()[0]["relaunch"], true);
  anna->expect("close", {{"window", 1}});
  anna->expect("undo");
  anna->expect("session_save", {{"name", "a"}});
  const Json kept = anna->expect("session_get", {{"name", "a"}});
  EXPECT_EQ(kept["windows"][0]["content"], (Json{{"command", "clock"}}));
  end();
  // The command's definition is in the file, not in the session.
  options.commands = commands("as it is now");
  begin();
  EXPECT_EQ(anna->expect("session_restore", {{"name", "a"}})["failed"], Json::array());
  EXPECT_EQ(window_titled("as it is now")["rect"], sail::rect_json(kA));
  end();
  options.commands.clear();
  begin();
  const Json restored = anna->expect("session_restore", {{"name", "a"}});
  EXPECT_TRUE(restored["started"].empty());
  EXPECT_EQ(restored["failed"][0]["title"], "as it was");
  EXPECT_THAT(restored["failed"][0]["why"].get<std::string>(), HasSubstr("'clock'"));
  end();
}

TEST_F(ArrangingTest, PagesAndDesktopsComeBackByUndoAndWithASession) {
  options.web_program = FAKE_PROGRAM;
  options.vnc_program = FAKE_PROGRAM;
  begin();
  Json params = stream_params("Intranet", kA);
  params["content"] = {{"media", {"web:https://intranet.example/"}}, {"program", "vitrail-web"}};
  app->expect("open_stream", params);
  anna->expect("play", {{"media", {"vnc://lab7:1"}}, {"place", sail::rect_json(kB)}});
  anna->expect("session_save", {{"name", "a"}});
  const Json kept = anna->expect("session_get", {{"name", "a"}})["windows"];
  EXPECT_EQ(kept[0]["content"],
            (Json{{"media", {"web:https://intranet.example/"}}, {"program", "vitrail-web"}}));
  EXPECT_EQ(kept[1]["content"]["program"], "vitrail-vnc");
  anna->expect("close", {{"window", 2}});
  EXPECT_FALSE(anna->expect("undo").contains("failed"));
  EXPECT_EQ(window_titled("lab7:1")["rect"], sail::rect_json(kB));
  end();
  begin();
  EXPECT_EQ(anna->expect("session_restore", {{"name", "a"}})["failed"], Json::array());
  EXPECT_EQ(window_titled("https://intranet.example/")["rect"], sail::rect_json(kA));
  EXPECT_EQ(window_titled("lab7:1")["rect"], sail::rect_json(kB));
  end();
}

// Programs that ended with the former manager are not waited for.
TEST_F(ArrangingTest, TheNextManagerBeginsWhereThisOneEnded) {
  options.times.return_ms = 10 * sail::kTestDeadlineMs;
  begin();
  anna->expect("play", {{"media", {"one"}}, {"place", sail::rect_json(kA)}});
  anna->expect("play", {{"media", {"two"}}, {"place", sail::rect_json(kA)}});
  anna->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  anna->expect("move", {{"window", 1}, {"x", 70}, {"y", 80}});
  anna->expect("raise", {{"window", 1}});
  end();
  options.restore = "autosave";
  begin();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 2; });
  EXPECT_EQ(window_titled("one")["rect"], (Json{70, 80, 160, 90}));
  EXPECT_EQ(windows()[1]["title"], "one");
  EXPECT_EQ(fs_manager->desk().arrangement().partitions().all().size(), 2U);
  end();
}

TEST_F(ArrangingTest, TheNextManagerCanUndoWhatThisOneDid) {
  options.times.return_ms = 10 * sail::kTestDeadlineMs;
  begin();
  anna->expect("play", {{"media", {"one"}}, {"place", sail::rect_json(kA)}});
  anna->expect("play", {{"media", {"two"}}, {"place", sail::rect_json(kB)}});
  bert->expect("move", {{"window", 1}, {"x", 70}, {"y", 80}});
  anna->expect("raise", {{"window", 1}});
  anna->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  anna->expect("close", {{"window", 2}});
  anna->expect("move", {{"window", 1}, {"x", 1}, {"y", 1}});
  anna->expect("undo");
  end();
  const Json kept = *sail::parse_json(
      [&] {
        std::ifstream file(options.state_folder / "sessions" / "autosave.json");
        return std::string{std::istreambuf_iterator<char>(file), {}};
      }(),
      1 << 20);
  EXPECT_EQ(kept["history"]["entries"].size(), 7U);
  options.restore = "autosave";
  begin();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 1; });
  EXPECT_FALSE(anna->expect("session_get", {{"name", "autosave"}}).contains("history"));
  Json history = anna->expect("history");
  EXPECT_EQ(history["redo"]["what"], "moved 'one'");
  EXPECT_EQ(history["undo"]["what"], "closed 'two'");
  EXPECT_EQ(anna->expect("redo")["what"], "moved 'one'");
  EXPECT_EQ(window_titled("one")["rect"], (Json{1, 1, 160, 90}));
  EXPECT_EQ(anna->expect("undo")["what"], "moved 'one'");
  EXPECT_EQ(anna->expect("undo")["what"], "closed 'two'");
  EXPECT_EQ(window_titled("two")["rect"], sail::rect_json(kB));
  anna->expect("undo");  // the partitions
  EXPECT_TRUE(fs_manager->desk().arrangement().partitions().all().empty());
  EXPECT_EQ(anna->expect("undo")["what"], "raised 'one'");
  EXPECT_EQ(windows()[0]["title"], "one");
  const Json undone = anna->expect("undo");
  EXPECT_EQ(undone, (Json{{"who", "Bert"}, {"what", "moved 'one'"}}));
  EXPECT_EQ(window_titled("one")["rect"], sail::rect_json(kA));
  end();
}

TEST_F(ArrangingTest, ProgramsThatOutlivedTheManagerHaveTheirPlaceAgain) {
  options.times.return_ms = sail::kTestDeadlineMs;
  begin();
  open_stream(*app, kB);
  open_stream(*app, kA);
  anna->expect("raise", {{"window", 1}});
  anna->expect("session_save", {{"name", "running"}});
  end();
  options.restore = "running";
  begin();
  Json params = stream_params("film");  // asks for no place
  app->expect("open_stream", params);
  app->expect("open_stream", params);
  EXPECT_EQ(rect_of(fs_manager->desk().windows().order()[0]), kA);
  EXPECT_EQ(rect_of(fs_manager->desk().windows().order()[1]), kB);
}

TEST_F(ArrangingTest, AutosaveFollowsTheWall) {
  begin();
  open_stream(*app, kA);
  const auto autosaved = [&]() -> Json {
    const auto answer = anna->call("session_get", {{"name", "autosave"}});
    return answer ? (*answer)["windows"] : Json();
  };
  wait(
      [&] { return std::filesystem::exists(options.state_folder / "sessions" / "autosave.json"); });
  EXPECT_EQ(autosaved()[0]["rect"], sail::rect_json(kA));
  anna->expect("move", {{"window", 1}, {"x", 5}, {"y", 6}});
  while (autosaved()[0]["rect"] != (Json{5, 6, 160, 90})) {
  }
  EXPECT_EQ(anna->expect("sessions")["sessions"][0]["name"], "autosave");
}

}  // namespace
}  // namespace manager
