// Volumes of windows: messages to receivers and applications, and undo.
#include <gtest/gtest.h>

#include "sail/core/wire/sound.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class SoundTest : public PeopledManagerTest {
 protected:
  void SetUp() override {
    options.wall.audio = {{.receiver = "right", .device = "HDMI", .latency_ms = 40, .pan = true}};
    options.state_folder = folder_.path();
    PeopledManagerTest::SetUp();
  }
  Json open() {
    return app->expect("open_stream", stream_params("film", sail::Rect{0, 0, 960, 540}));
  }
  Json window() { return console->expect("list")["windows"][0]; }
  Json sound(const Json& params) {
    Json all = {{"window", 1}};
    all.update(params);
    return console->expect("sound", all);
  }
  // The next mix with a stream; returns that stream's entry.
  Json heard() {
    for (;;) {
      const Json mix = right->next("sound_mix");
      if (mix.is_null() || !mix["streams"].empty()) return mix["streams"][0];
    }
  }

  const sail::TempFolder folder_;
};

TEST_F(SoundTest, ReceiversThatTheWallNamesAndApplicationsAreTold) {
  const Json opened = open();
  EXPECT_EQ(opened["sound"], true);
  const auto mix = sail::message_from_json<sail::SoundMix>(right->next("sound_mix"));
  ASSERT_TRUE(mix) << mix.error().message;
  EXPECT_EQ(mix->device, "HDMI");
  EXPECT_EQ(mix->channels, 2);
  EXPECT_EQ(mix->latency_ms, 40);
  const Json stream = mix->streams.empty() ? heard() : to_json(mix->streams[0]);
  EXPECT_EQ(stream["stream"], 1);
  EXPECT_EQ(stream["secret"], opened["secret"]);
  EXPECT_EQ(stream["volume"], 1.0);
  EXPECT_LT(stream["pan"], 0) << "it stands at the left";
  const Json routes = app->next("sound_routes");
  EXPECT_EQ(routes["stream"], 1);
  ASSERT_EQ(routes["routes"].size(), 1u);
  EXPECT_EQ(routes["routes"][0]["receiver"], "right");
  EXPECT_EQ(routes["routes"][0]["port"], 5002);
  // When the receiver disconnects no receiver plays it; a new one does.
  right.reset();
  EXPECT_EQ(app->next("sound_routes")["routes"], Json::array());
  right = receiver("right", 5003);
  EXPECT_EQ(app->next("sound_routes")["routes"][0]["port"], 5003);
  EXPECT_EQ(heard()["stream"], 1);
  for (const auto& message : left->messages) EXPECT_NE(message.method, "sound_mix");
}

TEST_F(SoundTest, RecordersHearTheWindowsThatStandWhereTheyLook) {
  open();
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  auto camera = welcome(sail::Role::kRecorder, "camera", 5004);
  EXPECT_EQ(camera->expect("record", {{"wall_rect", {900, 0, 900, 540}},
                                      {"secret", "00000000000000aa"}})["sound"],
            true);
  const Json mix = camera->next("sound_mix");
  ASSERT_EQ(mix["streams"].size(), 1u);
  const Json heard_there = mix["streams"][0];
  EXPECT_EQ(heard_there["stream"], 1);
  EXPECT_EQ(heard_there["volume"], 1.0);
  EXPECT_EQ(heard_there["pan"], -1.0) << "its centre is left of that";
  EXPECT_EQ(heard_there["secret"], "00000000000000aa")
      << "with the stream's one could show something";
  const Json route = app->next("sound_routes")["routes"].at(1);
  EXPECT_EQ(route["port"], 5004);
  EXPECT_EQ(route["recorder"], heard_there["secret"]);
  sound({{"volume", 0.25}});
  EXPECT_EQ(camera->next("sound_mix")["streams"][0]["volume"], 0.25);
  console->expect("move", {{"window", 1}, {"x", 2000}, {"y", 0}});
  EXPECT_EQ(camera->next("sound_mix")["streams"], Json::array());
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  console->expect("undo");
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 2u);
  camera.reset();
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
}

TEST_F(SoundTest, BridgesHearTheirWindowsWhateverTheVolumeHere) {
  open();
  open();
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  auto bridge = welcome(sail::Role::kRecorder, "vitrail-bridge", 5004);
  EXPECT_EQ(bridge->expect("record", {{"whole", {1}}, {"secret", "00000000000000aa"}})["sound"],
            true);
  const Json mix = bridge->next("sound_mix");
  ASSERT_EQ(mix["streams"].size(), 1u) << "only of the window that was named";
  EXPECT_EQ(mix["streams"][0]["stream"], 1);
  EXPECT_EQ(mix["streams"][0]["secret"], "00000000000000aa");
  EXPECT_EQ(app->next("sound_routes")["routes"].at(1)["port"], 5004);
  sound({{"muted", true}});
  const Json muted = app->next("sound_routes")["routes"];
  ASSERT_EQ(muted.size(), 1u) << "the loudspeakers here get nothing, the bridge does";
  EXPECT_EQ(muted[0]["port"], 5004);
  bridge.reset();
  EXPECT_EQ(app->next("sound_routes")["routes"], Json::array());
}

TEST_F(SoundTest, TheMasterVolumeMultipliesEachWindows) {
  open();
  sound({{"volume", 0.5}});
  while (heard()["volume"] != 0.5) continue;
  EXPECT_EQ(console->expect("master_volume", {{"volume", 0.25}}),
            (Json{{"volume", 0.25}, {"muted", false}}));
  EXPECT_EQ(heard()["volume"], 0.125);
  EXPECT_EQ(window()["volume"], 0.5);
  EXPECT_EQ(console->expect("list")["sound"], (Json{{"volume", 0.25}, {"muted", false}}));
  while (app->next("sound_routes")["routes"].empty()) continue;
  console->expect("master_volume", {{"muted", true}});
  EXPECT_EQ(heard()["volume"], 0.0);
  EXPECT_EQ(app->next("sound_routes")["routes"], Json::array()) << "what nobody hears is not sent";
  console->expect("master_volume", {{"muted", false}});
  EXPECT_EQ(heard()["volume"], 0.125);
  console->expect("undo");
  EXPECT_EQ(heard()["volume"], 0.25) << "it is no step of the history";
  for (const Json& wrong : {Json::object(), Json{{"volume", 2}}, Json{{"muted", 1}}}) {
    EXPECT_FALSE(console->call("master_volume", wrong)) << wrong.dump();
  }
}

TEST_F(SoundTest, OneWindowIsHeardAloneByOneStep) {
  for (int i = 0; i < 3; ++i) open();
  const auto silent = [&] {
    std::vector<int64_t> muted;
    const Json list = console->expect("list");
    for (const Json& one : list["windows"]) {
      if (one.value("muted", false)) muted.push_back(one["window"].get<int64_t>());
    }
    return muted;
  };
  using Numbers = std::vector<int64_t>;
  console->expect("sound", {{"window", 2}, {"muted", true}});
  console->expect("sound", {{"window", 2}, {"solo", true}, {"volume", 0.5}});
  EXPECT_EQ(silent(), (Numbers{1, 3}));
  EXPECT_EQ(console->expect("list")["windows"][1]["volume"], 0.5);
  console->expect("sound", {{"window", 3}, {"solo", true}});
  EXPECT_EQ(silent(), (Numbers{1, 2}));
  console->expect("undo");
  EXPECT_EQ(silent(), (Numbers{1, 3}));
  console->expect("undo");
  EXPECT_EQ(silent(), (Numbers{2}));
  EXPECT_FALSE(console->call("sound", {{"window", 1}, {"solo", true}, {"muted", true}}));
  EXPECT_FALSE(console->call("sound", {{"window", 1}, {"solo", false}}));
  EXPECT_EQ(silent(), (Numbers{2}));
}

TEST_F(SoundTest, WhatIsBlankFadesOutAndBackToItsVolume) {
  open();
  sound({{"volume", 0.5}});
  while (heard()["volume"] != 0.5) continue;
  while (app->next("sound_routes")["routes"].empty()) continue;
  const Json area{0, 0, 1000, 600};  // contains the window
  const std::vector<std::pair<std::string, Json>> conceal = {{"blank", Json::object()},
                                                             {"blank", {{"windows", {1}}}},
                                                             {"blank", {{"areas", {area}}}},
                                                             {"freeze", {{"mute", true}}}};
  for (const auto& [verb, params] : conceal) {
    console->expect(verb, params);
    const Json silent = heard();
    EXPECT_EQ(silent["volume"], 0.0) << verb << params;
    EXPECT_GT(silent["fade_ms"], 0);
    console->expect(verb, {{"on", false}});
    EXPECT_EQ(heard()["volume"], 0.5) << verb << params;
    EXPECT_EQ(window()["volume"], 0.5);
  }
  for (const auto& message : app->messages) EXPECT_NE(message.method, "sound_routes");
  console->expect("freeze");
  console->expect("blank", {{"areas", {{0, 0, 900, 600}}}});  // contains a part of the window
  console->expect("move", {{"window", 1}, {"x", 30}, {"y", 0}});
  EXPECT_EQ(heard()["volume"], 0.5);
}

TEST_F(SoundTest, WhatLeavesTheWallByAFadeIsHeardUntilItsEnd) {
  console->expect("session_save", {{"name", "nothing"}});
  open();
  while (heard()["volume"] != 1.0) continue;
  while (app->next("sound_routes")["routes"].empty()) continue;
  const auto shown = console->ask("scene_show", {{"name", "nothing"}, {"fade", 1}});
  const Json fades = heard();
  EXPECT_EQ(fades["volume"], 0.0);
  EXPECT_EQ(fades["fade_ms"], 1000);
  EXPECT_FALSE(heard().contains("fade_ms")) << "what people change later takes effect at once";
  for (const auto& message : app->messages) EXPECT_NE(message.method, "sound_routes");
  EXPECT_EQ(app->next("sound_routes")["routes"], Json::array());
}

// An application reports the product of both volumes.
TEST_F(SoundTest, PlayersSayBackWhatTheyAreTold) {
  open();
  const auto reported = [this](double volume) {
    app->notify("playback", {{"stream", 1}, {"position_s", 0}, {"at_ns", 0}, {"volume", volume}});
  };
  reported(1.0);
  console->expect("master_volume", {{"volume", 0.25}});
  const Json event = app->next("event");
  EXPECT_EQ(event["type"], "volume");
  EXPECT_EQ(event["value"], 0.25);
  reported(0.25);
  reported(0.25);
  EXPECT_FALSE(window().contains("volume"));
  reported(0.125);  // turned down in the application
  EXPECT_EQ(window()["volume"], 0.5);
  reported(0.125);
  console->expect("master_volume", {{"volume", 1}});
  EXPECT_EQ(app->next("event")["value"], 0.5);
  EXPECT_EQ(window()["volume"], 0.5);
}

TEST_F(SoundTest, AVolumeThatIsSetBeforeTheFilmPlaysIsKept) {
  open();
  sound({{"volume", 0.5}});
  app->notify("playback", {{"stream", 1}, {"position_s", 0}, {"at_ns", 0}, {"volume", 1}});
  const Json event = app->next("event");
  EXPECT_EQ(event["type"], "volume");
  EXPECT_EQ(event["value"], 0.5);
  EXPECT_EQ(window()["volume"], 0.5);
}

TEST_F(SoundTest, VolumeAndMuteAreStepsThatCanBeTakenBack) {
  open();
  EXPECT_EQ(heard()["volume"], 1.0);
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  EXPECT_EQ(sound({{"volume", 0.25}})["volume"], 0.25);
  EXPECT_EQ(heard()["volume"], 0.25);
  EXPECT_EQ(sound({{"muted", true}})["muted"], true);
  EXPECT_EQ(heard()["volume"], 0.0);
  EXPECT_EQ(app->next("sound_routes")["routes"], Json::array()) << "what nobody hears is not sent";
  console->expect("undo");
  EXPECT_EQ(heard()["volume"], 0.25);
  EXPECT_EQ(app->next("sound_routes")["routes"].size(), 1u);
  EXPECT_FALSE(window().contains("muted"));
  console->expect("undo");
  EXPECT_EQ(heard()["volume"], 1.0);
  EXPECT_FALSE(window().contains("volume"));
  console->expect("redo");
  EXPECT_EQ(window()["volume"], 0.25);
  // Moving a window changes only its pan.
  console->expect("move", {{"window", 1}, {"x", 2000}, {"y", 0}});
  EXPECT_EQ(window()["volume"], 0.25);
  Json stream;
  while ((stream = heard())["pan"] < 0) continue;
  EXPECT_EQ(stream["volume"], 0.25);
}

TEST_F(SoundTest, ADragOfTheSliderIsOneStep) {
  open();
  for (const double volume : {0.9, 0.7, 0.5}) sound({{"volume", volume}, {"gesture", "slide"}});
  console->expect("undo");
  EXPECT_FALSE(window().contains("volume"));
}

TEST_F(SoundTest, LayoutsKeepIt) {
  open();
  sound({{"volume", 0.5}, {"muted", true}});
  console->expect("layout_save", {{"name", "quiet"}});
  sound({{"volume", 1}, {"muted", false}});
  console->expect("layout_apply", {{"name", "quiet"}});
  EXPECT_EQ(window()["volume"], 0.5);
  EXPECT_EQ(window()["muted"], true);
}

// An application that changes its own volume, by keys or command line.
TEST_F(SoundTest, ApplicationsAreToldAndMaySayOtherwise) {
  const uint32_t number = open()["stream"];
  const auto say = [&](double volume) {
    app->notify("playback",
                {{"stream", number}, {"position_s", 0}, {"at_ns", 1}, {"volume", volume}});
    app->expect("clock");
  };
  say(0.75);
  EXPECT_EQ(window()["volume"], 0.75) << "as it was started";
  sound({{"volume", 0.5}});
  Json event = app->next("event");
  EXPECT_EQ(event["type"], "volume");
  EXPECT_EQ(event["value"], 0.5);
  say(0.75);
  EXPECT_EQ(window()["volume"], 0.5) << "it had not heard of it";
  say(0.5);
  say(0.55);
  EXPECT_EQ(window()["volume"], 0.55) << "somebody pressed a key";
  sound({{"muted", true}});
  EXPECT_EQ(app->next("event")["value"], 0.0);
  say(0);
  EXPECT_EQ(window()["volume"], 0.55) << "that is what it will be";
  sound({{"muted", false}});
  EXPECT_EQ(app->next("event")["value"], 0.55);
}

TEST_F(SoundTest, AReceiverWithoutACardIsAProblemOfTheWall) {
  sail::ReceiverStats stats;
  stats.sound = sail::SoundStats{.trouble = "no sound card “HDMI”: none"};
  right->notify("receiver_stats", to_json(stats));
  Json why;
  while ((why = console->expect("why"))["problems"].empty()) continue;
  EXPECT_EQ(why["problems"][0]["sentence"],
            "receiver 'right' plays no sound: no sound card “HDMI”: none");
  EXPECT_EQ(why["problems"][0]["receiver"], "right");
}

TEST_F(SoundTest, LevelsAreMeasuredAndReportedWhileSomebodyLooks) {
  open();
  EXPECT_FALSE(right->next("sound_mix").contains("metered"));
  auto ada = welcome(sail::Role::kUi, "Ada");
  ada->expect("watch_levels", {{"on", true}});
  Json mix;
  while (!(mix = right->next("sound_mix")).is_null() && !mix.contains("metered")) continue;
  ASSERT_TRUE(mix.contains("metered"));
  // Stream 99 has just ended.
  right->notify("sound_levels", to_json(sail::SoundLevels{{{1, 0.5, 0.25}, {99, 1, 1}}}));
  EXPECT_EQ(ada->next("levels")["windows"],
            Json::array({{{"window", 1}, {"peak", 0.5}, {"rms", 0.25}}}));
  right->notify("sound_levels", to_json(sail::SoundLevels()));
  EXPECT_EQ(ada->next("levels")["windows"], Json::array());
  ada.reset();
  while (!(mix = right->next("sound_mix")).is_null() && mix.contains("metered")) continue;
  EXPECT_FALSE(mix.is_null()) << "nobody looks any more";
}

TEST_F(SoundTest, StatisticsHaveTheLevelsAndAreALook) {
  open();
  EXPECT_FALSE(console->expect("stats")["windows"][0].contains("level"));
  Json mix;
  while (!(mix = right->next("sound_mix")).is_null() && !mix.contains("metered")) continue;
  ASSERT_TRUE(mix.contains("metered"));
  right->notify("sound_levels", to_json(sail::SoundLevels{{{1, 0.5, 0.25}}}));
  right->expect("clock");
  EXPECT_EQ(console->expect("stats")["windows"][0]["level"], (Json{{"peak", 0.5}, {"rms", 0.25}}));
}

class TwoSoundReceiversTest : public SoundTest {
 protected:
  void SetUp() override {
    options.wall.audio = {{.receiver = "left", .device = ""}, {.receiver = "right", .device = ""}};
    options.state_folder = folder_.path();
    PeopledManagerTest::SetUp();
  }
  static Json level(double peak) { return to_json(sail::SoundLevels{{{1, peak, peak / 2}}}); }
};

// The first receiver may have no card.
TEST_F(TwoSoundReceiversTest, EachMeasuresAndTheLoudestCounts) {
  open();
  console->expect("watch_levels", {{"on", true}});
  for (auto* receiver : {left.get(), right.get()}) {
    Json mix;
    while (!(mix = receiver->next("sound_mix")).is_null() && !mix.contains("metered")) continue;
    EXPECT_TRUE(mix.contains("metered"));
  }
  right->notify("sound_levels", level(0.25));
  EXPECT_EQ(console->next("levels")["windows"][0]["peak"], 0.25);
  left->notify("sound_levels", level(0.5));
  left->expect("clock");
  EXPECT_EQ(console->expect("stats")["windows"][0]["level"]["peak"], 0.5);
  for (auto* receiver : {left.get(), right.get()}) {
    receiver->notify("sound_levels", to_json(sail::SoundLevels()));
    receiver->expect("clock");
  }
  EXPECT_FALSE(console->expect("stats")["windows"][0].contains("level"));
  Json last = console->next("levels");
  while (!last["windows"].empty()) last = console->next("levels");
  EXPECT_EQ(last["windows"], Json::array()) << "clients hear of the silence";
}

TEST_F(TwoSoundReceiversTest, OneThatIsSilentDoesNotHoldUpTheOther) {
  open();
  console->expect("watch_levels", {{"on", true}});
  const auto report = [](ScriptedPeer& receiver, const Json& levels) {
    receiver.notify("sound_levels", levels);
    receiver.expect("clock");
  };
  const auto expect_level = [&](double peak) {
    Json levels;
    while (!(levels = console->next("levels")).is_null()) {
      if (!levels["windows"].empty() && levels["windows"][0]["peak"] == peak) return;
    }
    ADD_FAILURE() << "no level of " << peak;
  };
  report(*left, level(0.5));
  report(*right, level(0.5));
  report(*left, to_json(sail::SoundLevels()));
  report(*right, level(0.25));
  expect_level(0.25);
  report(*left, level(0.5));
  report(*right, to_json(sail::SoundLevels()));
  report(*left, level(0.125));
  expect_level(0.125);
}

class SilentWallTest : public PeopledManagerTest {};

TEST_F(SilentWallTest, NobodyIsToldOfSound) {
  const Json opened = app->expect("open_stream", stream_params());
  EXPECT_FALSE(opened.contains("sound"));
  console->expect("sound", {{"window", 1}, {"volume", 0.5}});
  app->expect("clock");
  for (const auto* peer : {app.get(), left.get(), right.get()}) {
    for (const auto& message : peer->messages) {
      EXPECT_FALSE(message.method.starts_with("sound")) << message.method;
    }
  }
}

}  // namespace
}  // namespace manager
