#include "ui/console/copied_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using sail::Json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const Json kFilm = Json::parse(R"({"number": 3, "title": "a.mp4", "rect": [100, 50, 640, 360],
    "volume": 0.5, "muted": true, "look": {"flip": true}, "label": {"text": "{title}", "place": "top"},
    "content": {"media": ["/films/a.mp4"], "program": "bplay", "opener": "operator", "on": "app",
                "title": "a.mp4", "at_end": "loop", "codec": "auto"},
    "playback": {"position_s": 12.5, "paused": true, "rate": 2, "loop": true, "volume": 0.8}})");
constexpr sail::Size kHere{1000, 500};
constexpr sail::Size kThere{3000, 1000};

std::string refusal_of(const Json& window) {
  const auto copied = copied_window(window, kHere, kThere);
  EXPECT_FALSE(copied) << window;
  return copied ? "" : copied.error().message;
}

TEST(CopiedWindow, AFilmGoesOnWhereItIs) {
  const auto copied = copied_window(kFilm, kHere, kThere);
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->play, Json::parse(R"({"media": ["/films/a.mp4"], "at_end": "loop",
      "codec": "auto", "place": [300, 100, 1920, 720], "rate": 2, "volume": 0.8, "start": 12.5})"));
  EXPECT_EQ(copied->then,
            (std::vector<WindowRequest>{{"look", {{"flip", true}}},
                                        {"sound", {{"muted", true}, {"volume", 0.5}}},
                                        {"label", {{"text", "{title}"}, {"place", "top"}}},
                                        {"control", {{"action", "pause"}}}}));
}

TEST(CopiedWindow, AListStartsAndADocumentKeepsItsPage) {
  Json list = kFilm;
  list["content"]["media"] = {"/films/a.mp4", "/films/b.mp4"};
  EXPECT_FALSE(copied_window(list, kHere, kThere)->play.contains("start"));
  Json document = kFilm;
  document["playback"] = {
      {"position_s", 4}, {"paused", false}, {"rate", 1}, {"loop", false}, {"page", 4}};
  const auto copied = copied_window(document, kHere, kThere);
  ASSERT_TRUE(copied);
  EXPECT_FALSE(copied->play.contains("start"));
  EXPECT_EQ(copied->play["at_end"], "hold") << "somebody has ended the loop";
  EXPECT_EQ(copied->then.back(), (WindowRequest{"control", {{"action", "page"}, {"value", 4}}}));
}

TEST(CopiedWindow, WhatCannotBeCopiedIsNamedWithItsReason) {
  Json own = kFilm;
  own.erase("content");
  EXPECT_THAT(refusal_of(own), HasSubstr("window 3 'a.mp4'"));
  Json command = kFilm;
  command["content"] = {{"command", "Browser"}};
  EXPECT_THAT(refusal_of(command), HasSubstr("command"));
  Json camera = kFilm;
  camera["content"]["media"] = {"rtsp://ann:…@camera/1"};
  EXPECT_THAT(refusal_of(camera), HasSubstr("password"));
  for (const char* address : {"fallback", "subtitles"}) {
    Json film = kFilm;
    film["content"][address] = "https://ann:…@server/1";
    EXPECT_THAT(refusal_of(film), HasSubstr("password")) << address;
  }
  Json named = kFilm;
  named["content"]["media"] = {"/films/wait….mp4", "note:https: soon …"};
  EXPECT_TRUE(copied_window(named, kHere, kThere)) << "nothing is hidden in these";
  Json logo = kFilm;
  logo["content"]["decoration"] = {{"kind", "logo"}};
  EXPECT_THAT(refusal_of(logo), HasSubstr("logo"));
  Json nowhere = kFilm;
  nowhere.erase("rect");
  EXPECT_THAT(refusal_of(nowhere), HasSubstr("place"));
  EXPECT_FALSE(copied_window(kFilm, {}, kThere));

  Json session = {{"windows", {kFilm, own, command, camera}}, {"wall_size", {1000, 500}}};
  EXPECT_THAT(make_portable(session), SizeIs(3));
  ASSERT_THAT(session["windows"], SizeIs(1));
  EXPECT_EQ(session["windows"][0]["rect"], kFilm["rect"]) << "its manager scales it";
  EXPECT_FALSE(session["windows"][0]["content"].contains("on"));
}

}  // namespace
}  // namespace ui
