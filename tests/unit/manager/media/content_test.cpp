// Messages between users and the applications of windows.
#include <gtest/gtest.h>

#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

class ContentTest : public PeopledManagerTest {
 protected:
  void SetUp() override {
    PeopledManagerTest::SetUp();
    Json params = stream_params("paint", sail::Rect{1000, 100, 960, 2160});
    params["takes_input"] = true;
    params["content"] = {{"media", {"/a.mp4"}}, {"program", "bplay"}};
    number = app->expect("open_stream", params)["stream"].get<uint32_t>();
    console->expect("place",
                    {{"windows", {{{"window", number}, {"rect", {1000, 100, 960, 2160}}}}}});
  }
  Json window() { return console->expect("list")["windows"][0]; }
  Json touch(double x, double y) {
    return {{"window", number}, {"type", "touch_down"}, {"at", {x, y}}, {"touch", 4}};
  }

  uint32_t number = 0;
};

// The window is half as wide and twice as high as its frames.
TEST_F(ContentTest, PointsBecomeThoseOfTheApplication) {
  console->expect("input", touch(1000.25, 100.5));
  Json came = app->next("input");
  EXPECT_EQ(came["at"], Json::array({0.5, 0.25}));
  EXPECT_EQ(came["touch"], 4);
  EXPECT_EQ(came["stream"], number);
  console->expect("input", touch(1960, 2260));
  EXPECT_EQ(app->next("input")["at"], Json::array({1920.0, 1080.0}));
  console->expect("move", {{"window", number}, {"x", 0}, {"y", 0}});
  console->notify("input", touch(-10, 20));  // dragged out of the window
  came = app->next("input");
  EXPECT_EQ(came["at"], Json::array({-20.0, 10.0}));
  const auto other = ui();
  other->expect("input", {{"window", number}, {"type", "key_down"}, {"key", "a"}});
  const Json key = app->next("input");
  EXPECT_FALSE(key.contains("at"));
  EXPECT_NE(key["client"], came["client"]);
}

TEST_F(ContentTest, WindowsThatTakeNoneAndMistakesAreRefused) {
  const uint32_t film = open_stream(*app);
  const auto code = [&](const Json& params) { return console->call("input", params).error().code; };
  EXPECT_EQ(code({{"window", film}, {"type", "move"}, {"at", {1, 1}}}), ErrorCode::kConflict);
  EXPECT_EQ(code({{"window", 99}, {"type", "move"}, {"at", {1, 1}}}), ErrorCode::kNotFound);
  EXPECT_EQ(code({{"window", number}, {"type", "move"}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(code({{"window", number}, {"type", "leave"}, {"x", 1}}), ErrorCode::kInvalidParams);
  EXPECT_TRUE(console->call("input", {{"window", number}, {"type", "leave"}}));
}

TEST_F(ContentTest, PlaybackIsShownAndSubscribersHearOfIt) {
  EXPECT_TRUE(window()["input"].get<bool>());
  EXPECT_EQ(window()["media"], Json::array({"/a.mp4"}));
  EXPECT_FALSE(window().contains("playback"));
  console->expect("subscribe");
  app->notify("playback", {{"stream", number}, {"position_s", 3.5}, {"at_ns", 7}, {"volume", 0.5}});
  const Json changed = console->next("changed");
  ASSERT_TRUE(changed.contains("windows")) << changed;
  EXPECT_EQ(changed["windows"][0]["playback"]["position_s"], 3.5);
  EXPECT_EQ(changed["windows"][0]["playback"]["volume"], 0.5);
  EXPECT_EQ(window()["playback"]["rate"], 1.0);
  const auto other = application();
  const auto answer =
      other->call("playback", {{"stream", number}, {"position_s", 0}, {"at_ns", 0}});
  EXPECT_EQ(answer.error().code, ErrorCode::kNotFound);
}

TEST_F(ContentTest, ControlPassesValuesOn) {
  for (const auto& [action, value] :
       {std::pair("loop", Json(1)), std::pair("volume", Json(0.25)), std::pair("page", Json(12)),
        std::pair("subtitles", Json(0)), std::pair("subtitles", Json(-1)),
        std::pair("sound_track", Json(2)), std::pair("sound_track", Json(-1))}) {
    console->expect("control", {{"window", number}, {"action", action}, {"value", value}});
    const Json event = app->next("event");
    EXPECT_EQ(event["type"], action);
    EXPECT_EQ(event["value"], value);
  }
  for (const auto& [action, value] :
       {std::pair("loop", Json(2)), std::pair("volume", Json(1.5)), std::pair("page", Json(0)),
        std::pair("subtitles", Json(65)), std::pair("subtitles", Json(-2)),
        std::pair("sound_track", Json(100)), std::pair("sound_track", Json(1.5))}) {
    EXPECT_FALSE(
        console->call("control", {{"window", number}, {"action", action}, {"value", value}}));
  }
}

TEST_F(ContentTest, ControlRefusesWhatTheApplicationWouldIgnore) {
  const auto refusal = [&](const char* action, double value) {
    const auto answer =
        console->call("control", {{"window", number}, {"action", action}, {"value", value}});
    EXPECT_FALSE(answer) << action << " " << value;
    return answer ? ErrorCode::kInternal : answer.error().code;
  };
  const auto plays = [&](Json playback) {
    playback.update({{"stream", number}, {"position_s", 0}, {"at_ns", 7}});
    app->expect("playback", playback);
  };
  plays({{"duration_s", 60}});
  console->expect("control", {{"window", number}, {"action", "seek"}, {"value", 60}});
  EXPECT_EQ(app->next("event")["value"], 60);
  EXPECT_EQ(refusal("seek", 60.5), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal("page", 1), ErrorCode::kConflict);
  plays({{"live", true}});
  EXPECT_EQ(refusal("seek", 5), ErrorCode::kConflict);
  plays({{"page", 2}, {"pages", 3}});
  EXPECT_EQ(refusal("seek", 0), ErrorCode::kConflict);
  EXPECT_EQ(refusal("page", 4), ErrorCode::kInvalidParams);
  console->expect("control", {{"window", number}, {"action", "page"}, {"value", 3}});
  EXPECT_EQ(app->next("event")["type"], "page");
  EXPECT_EQ(refusal("subtitles", 1), ErrorCode::kConflict) << "pages have none";
  plays({{"duration_s", 60}});
  EXPECT_EQ(refusal("sound_track", 1), ErrorCode::kConflict) << "there is no sound";
  console->expect("control", {{"window", number}, {"action", "subtitles"}, {"value", 1}});
  EXPECT_EQ(app->next("event")["value"], 1) << "its tracks are unknown";
  plays({{"volume", 1}, {"tracks", {{"sound", 0}}}});
  EXPECT_EQ(refusal("subtitles", 1), ErrorCode::kConflict) << "it has no tracks";
  EXPECT_EQ(refusal("sound_track", 1), ErrorCode::kConflict) << "it has no tracks";
  console->expect("control", {{"window", number}, {"action", "subtitles"}, {"value", 0}});
  EXPECT_EQ(app->next("event")["value"], 0);
  const Json mono{{"format", "flac"}, {"channels", 1}};
  const Json stereo{{"format", "flac"}, {"channels", 2}};
  plays({{"volume", 1},
         {"tracks",
          {{"subtitles", {{{"format", "subrip"}}}}, {"sounds", {mono, stereo}}, {"sound", 2}}}});
  EXPECT_EQ(window()["playback"]["tracks"]["sounds"][1]["channels"], 2);
  EXPECT_EQ(refusal("subtitles", 2), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal("sound_track", 3), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal("sound_track", -1), ErrorCode::kConflict) << "one is stereo";
  plays({{"volume", 1}, {"tracks", {{"sounds", {mono, mono}}, {"sound", 1}}}});
  console->expect("control", {{"window", number}, {"action", "sound_track"}, {"value", -1}});
}

TEST_F(ContentTest, ThumbnailsComeToThoseWhoWatchThem) {
  const Json thumbnail{{"stream", number}, {"size", {4, 3}}, {"jpeg", "/9j/2wBD"}};
  console->expect("watch_thumbnails", {{"windows", "all"}, {"width", 100}});
  EXPECT_EQ(app->next("thumbnails")["width"], 100);
  app->notify("thumbnail", thumbnail);
  EXPECT_EQ(console->next("thumbnail")["jpeg"], "/9j/2wBD");
  // A later subscriber gets the thumbnail at once; the request grows to its size.
  auto other = ui();
  other->expect("watch_thumbnails",
                {{"windows", {number, 99}}, {"width", 640}, {"per_second", 10}});
  EXPECT_EQ(other->next("thumbnail")["window"], number);
  EXPECT_EQ(app->next("thumbnails")["per_second"], 10.0);
  // After it leaves, only the other client's request remains.
  other.reset();
  EXPECT_EQ(app->next("thumbnails")["width"], 100);
  console->expect("watch_thumbnails", {{"windows", Json::array()}});
  EXPECT_EQ(app->next("thumbnails")["per_second"], 0.0);
  EXPECT_FALSE(console->call("watch_thumbnails", {{"windows", "some"}}));
  EXPECT_FALSE(console->call("watch_thumbnails", {{"windows", {0}}}));
  EXPECT_FALSE(console->call("watch_thumbnails", {{"windows", "all"}, {"per_second", 11}}));
  EXPECT_FALSE(app->call("thumbnail", {{"stream", number}, {"size", {4, 3}}, {"jpeg", "AAAA"}}));
}

using CarriedThumbnailTest = PeopledManagerTest;

// The application has no pictures.
TEST_F(CarriedThumbnailTest, OneReceiverThatShowsTheStreamIsAsked) {
  Json params = stream_params("film", sail::Rect{1000, 100, 1920, 1080});
  params["codecs"] = {"h264"};
  params["block_size"] = {1920, 1080};
  const auto stream = app->expect("open_stream", params)["stream"].get<uint32_t>();
  app->next("routes");
  console->expect("watch_thumbnails", {{"windows", "all"}, {"width", 100}});
  const Json asked = left->next("thumbnails");
  EXPECT_EQ(asked["stream"], stream);
  EXPECT_EQ(asked["width"], 100);
  const auto thumbnail = [&](const char* jpeg) {
    return Json{{"stream", stream}, {"size", {4, 3}}, {"jpeg", jpeg}};
  };
  right->notify("thumbnail", thumbnail("/9j/AAAA"));  // it was not asked
  left->notify("thumbnail", thumbnail("/9j/2wBD"));
  EXPECT_EQ(console->next("thumbnail")["jpeg"], "/9j/2wBD");
  left.reset();
  EXPECT_EQ(right->next("thumbnails")["width"], 100);
  right->notify("thumbnail", thumbnail("/9j/2wBE"));
  EXPECT_EQ(console->next("thumbnail")["jpeg"], "/9j/2wBE");
  console->expect("watch_thumbnails", {{"windows", Json::array()}});
  EXPECT_EQ(right->next("thumbnails")["per_second"], 0.0);
  for (const auto& message : app->messages) EXPECT_NE(message.method, "thumbnails");
}

}  // namespace
}  // namespace manager
