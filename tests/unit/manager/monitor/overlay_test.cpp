// Pointers and figures over windows, from clients' requests to receivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/monitor/window_labels.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/overlay.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class OverlayTest : public PeopledManagerTest {
 protected:
  // The next overlay of this receiver that contains pointers, or labels.
  static sail::Overlay next_overlay(ScriptedPeer& peer, const char* list) {
    for (;;) {
      const Json params = peer.next("overlay");
      const auto overlay = sail::message_from_json<sail::Overlay>(params);
      if (!overlay) {
        ADD_FAILURE() << params << ": " << overlay.error().message;
        return {};
      }
      if (params.contains(list)) return *overlay;
    }
  }
  static void point(ScriptedPeer& peer, int x, int y) { peer.notify("pointer", {{"at", {x, y}}}); }
};

TEST_F(OverlayTest, APointerIsToldToThoseWhoseTilesItTouches) {
  point(*console, 100, 100);
  EXPECT_EQ(next_overlay(*left, "pointers").pointers->at(0).x, 100);
  point(*console, 1915, 100);
  EXPECT_EQ(next_overlay(*left, "pointers").pointers->at(0).x, 1915);
  EXPECT_EQ(next_overlay(*right, "pointers").pointers->at(0).x, 1915) << "the first that it hears";
  point(*console, 3000, 100);
  EXPECT_TRUE(next_overlay(*left, "pointers").pointers->empty());
  EXPECT_EQ(next_overlay(*right, "pointers").pointers->at(0).x, 3000);
}

TEST_F(OverlayTest, PointersGoWithTheirClient) {
  auto bob = ui();
  point(*bob, 100, 100);
  EXPECT_EQ(next_overlay(*left, "pointers").pointers->size(), 1U);
  bob.reset();
  EXPECT_TRUE(next_overlay(*left, "pointers").pointers->empty());
}

TEST_F(OverlayTest, SubscribersHearOfPointersWhenTheyAskedForThem) {
  auto bob = ui();
  auto eve = ui();
  bob->expect("subscribe", {{"pointers", true}});
  eve->expect("subscribe");
  console->expect("pointer", {{"pointer", 31}, {"at", {10.7, -0.5}}, {"pressed", true}});
  const Json reported = bob->next("pointers")["pointers"];
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0]["pointer"], 31);
  EXPECT_EQ(reported[0]["at"], Json::array({10, -1}));
  EXPECT_EQ(reported[0]["pressed"], true);
  EXPECT_EQ(reported[0]["name"], "console");
  console->expect("pointer", {{"pointer", 31}, {"hidden", true}});
  EXPECT_TRUE(bob->next("pointers")["pointers"].empty());
  eve->expect("list");
  for (const auto& message : eve->messages) EXPECT_NE(message.method, "pointers");
}

TEST_F(OverlayTest, PointersHaveStyles) {
  console->expect("pointer", {{"at", {100, 100}}, {"style", "magnifier"}, {"factor", 5}});
  const auto lens = next_overlay(*left, "pointers").pointers->at(0);
  EXPECT_EQ(lens.style, sail::PointerStyle::kMagnifier);
  EXPECT_EQ(lens.factor, 5);
  console->expect("pointer", {{"at", {100, 100}}, {"style", "spotlight"}});
  const auto light = next_overlay(*right, "pointers").pointers->at(0);
  EXPECT_EQ(light.x, 100) << "it dims tiles that it is not on";
  EXPECT_EQ(light.area, (sail::Rect{0, 0, 3840, 1080}));
  console->expect("pointer", {{"at", {100, 100}}, {"style", "laser"}});
  console->expect("pointer", {{"at", {120, 100}}, {"style", "laser"}});
  std::vector<int> trail;
  while (trail.empty()) trail = next_overlay(*left, "pointers").pointers->at(0).trail;
  EXPECT_EQ(trail, (std::vector<int>{100, 100}));
  EXPECT_TRUE(next_overlay(*left, "pointers").pointers->at(0).trail.empty()) << "it rests";
  const auto missing =
      console->call("pointer", {{"at", {1, 1}}, {"style", "spotlight"}, {"window", 99}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, sail::ErrorCode::kNotFound);
}

TEST_F(OverlayTest, SpotlightsAndMagnifiersAreBounded) {
  const auto show = [&](size_t pointer, const char* style) {
    return console->call("pointer", {{"at", {1, 1}}, {"pointer", pointer}, {"style", style}});
  };
  for (size_t i = 0; i < sail::kMaxStyledPointers; ++i) {
    EXPECT_TRUE(show(i, i % 2 == 0 ? "spotlight" : "magnifier"));
  }
  const auto more = show(sail::kMaxStyledPointers, "spotlight");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, sail::ErrorCode::kLimit);
  EXPECT_TRUE(show(0, "magnifier")) << "one of them changes";
  EXPECT_TRUE(show(sail::kMaxStyledPointers, "laser"));
}

TEST_F(OverlayTest, OddPointersAreRefused) {
  for (const char* params :
       {R"({})", R"({"at": [1]})", R"({"at": [1, 2, 3]})", R"({"at": ["1", 2]})",
        R"({"at": [1, 1e300]})", R"({"at": [1, 1000002]})", R"({"at": [1, 2], "pointer": 32})",
        R"({"at": [1, 2], "pointer": -1})", R"({"at": [1, 2], "hidden": true})",
        R"({"at": [1, 2], "pressed": 1})", R"({"at": [1, 2], "style": "torch"})",
        R"({"at": [1, 2], "factor": 3})", R"({"at": [1, 2], "style": "magnifier", "factor": 9})",
        R"({"at": [1, 2], "style": "laser", "window": 1})"}) {
    const auto answer = console->call("pointer", Json::parse(params));
    ASSERT_FALSE(answer) << params;
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kInvalidParams) << params;
  }
}

TEST_F(OverlayTest, DrawingsAreToldToTheirTiles) {
  const uint32_t window = open_stream(*app, sail::Rect{100, 100, 320, 180});
  console->expect("annotate", {{"points", {{150, 150}, {250, 250}}}, {"window", window}});
  const auto drawn = next_overlay(*left, "drawings").drawings->at(0);
  EXPECT_EQ(drawn.clip.at(0).rect, (sail::Rect{100, 100, 320, 180}));
  EXPECT_EQ(drawn.strokes.at(0).points, (std::vector<int>{150, 150, 250, 250}));
  console->expect("move", {{"window", window}, {"dx", 10}, {"dy", 20}});
  const auto moved = next_overlay(*left, "drawings").drawings->at(0);
  EXPECT_EQ(moved.strokes.at(0).points, (std::vector<int>{160, 170, 260, 270}));
  console->expect("annotate", {{"points", {{3000, 100}}}, {"colour", "#00ff00"}});
  const auto dot = next_overlay(*right, "drawings").drawings->at(0);
  EXPECT_TRUE(dot.clip.empty());
  EXPECT_EQ(dot.strokes.at(0).colour, 0x00ff00U);
  console->expect("annotate_clear", {{"windows", {window}}});
  EXPECT_TRUE(next_overlay(*left, "drawings").drawings->empty());
  console->expect("undo");
  EXPECT_EQ(next_overlay(*left, "drawings").drawings->at(0), moved);
  console->expect("blank");
  EXPECT_TRUE(next_overlay(*left, "drawings").drawings->empty());
  EXPECT_TRUE(next_overlay(*right, "drawings").drawings->empty());
  console->expect("blank", {{"on", false}});
  EXPECT_EQ(next_overlay(*left, "drawings").drawings->size(), 1U);
  console->expect("annotate_clear");
  EXPECT_TRUE(next_overlay(*left, "drawings").drawings->empty());
}

TEST_F(OverlayTest, APersonErasesOnlyOwnStrokes) {
  const uint32_t window = open_stream(*app, sail::Rect{100, 100, 320, 180});
  auto bob = welcome(sail::Role::kUi, "bob");
  const Json across = {{200, 100}, {200, 200}};
  console->expect("annotate", {{"points", across}, {"window", window}});
  bob->expect("annotate", {{"points", across}, {"window", window}});
  bob->expect("annotate", {{"points", across}});
  const Json erase = {{"points", {{150, 150}, {250, 150}}}};
  const auto counts = [window](int wall, int on_window) {
    Json windows = Json::array();
    if (on_window > 0) windows.push_back({{"window", window}, {"strokes", on_window}});
    return Json({{"strokes", wall}, {"windows", std::move(windows)}});
  };
  EXPECT_EQ(console->expect("annotate_erase", erase), counts(1, 1));
  EXPECT_EQ(bob->expect("annotate_erase", erase), counts(0, 0));
  bob->expect("undo");
  EXPECT_EQ(console->expect("annotate_clear"), counts(0, 0));
  const Json many = {{"points", Json(201, Json::array({1, 2}))}};
  EXPECT_EQ(console->call("annotate_erase", many).error().code, sail::ErrorCode::kInvalidParams);
}

TEST_F(OverlayTest, OddDrawingsAreRefused) {
  for (const char* params :
       {R"({})", R"({"points": []})", R"({"points": [[1]]})", R"({"points": [[1, "2"]]})",
        R"({"points": [[1, 1e300]]})", R"({"points": [[1, 2]], "width": 0.5})",
        R"({"points": [[1, 2]], "opacity": 0})", R"({"points": [[1, 2]], "colour": "red"})",
        R"({"points": [[1, 2]], "window": 0})"}) {
    const auto answer = console->call("annotate", Json::parse(params));
    ASSERT_FALSE(answer) << params;
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kInvalidParams) << params;
  }
  const Json many = {{"points", Json(2001, Json::array({1, 2}))}};
  EXPECT_EQ(console->call("annotate", many).error().code, sail::ErrorCode::kInvalidParams);
  EXPECT_EQ(console->call("annotate", {{"points", {{1, 2}}}, {"window", 9}}).error().code,
            sail::ErrorCode::kNotFound);
}

TEST_F(OverlayTest, FiguresStandOnTheWallWhileTheyAreOn) {
  open_stream(*app, sail::Rect{1930, 10, 1920, 1080});
  console->expect("subscribe");
  EXPECT_EQ(console->expect("overlay"), Json({{"overlay", true}}));
  EXPECT_EQ(console->next("changed")["overlay"], true);
  const auto labels = *next_overlay(*right, "labels").labels;
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].x, 1930);
  EXPECT_EQ(labels[0].lines[0], "film");
  EXPECT_EQ(console->expect("list")["overlay"], true);
  console->expect("overlay", {{"on", false}});
  EXPECT_TRUE(next_overlay(*right, "labels").labels->empty());
}

TEST_F(OverlayTest, AWindowWithoutASignalIsDimmedAndSaysSo) {
  const uint32_t number = open_stream(*app, sail::Rect{1930, 10, 1920, 1080});
  const auto opacity = [&] {
    return fs_manager->desk().windows().find(number)->current_view_transform().opacity;
  };
  Json playback{{"stream", number}, {"position_s", 0}, {"at_ns", 0}, {"live", true}};
  playback["silent_since_s"] = 1'000'000;
  app->notify("playback", playback);
  const auto labels = *next_overlay(*right, "labels").labels;
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].lines.back().find("no signal since"), 0U);
  EXPECT_LT(opacity(), 1);
  playback["fallback"] = true;  // other content is shown
  app->notify("playback", playback);
  EXPECT_TRUE(next_overlay(*right, "labels").labels->empty());
  EXPECT_EQ(opacity(), 1);
}

TEST_F(OverlayTest, AWindowThatDoesNotReachAReceiverSaysSo) {
  sail::StreamStats stats{.stream = open_stream(*app, sail::Rect{1930, 10, 1920, 1080})};
  stats.fps_wanted = 30;
  stats.links = {{.receiver = "right",
                  .trouble = sail::LinkTrouble::kRefusedPort,
                  .trouble_s = 2,
                  .trouble_text = "connection refused"}};
  for (int i = 0; i < 2; ++i) app->notify("stream_stats", to_json(stats));
  const auto labels = *next_overlay(*right, "labels").labels;
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_THAT(labels[0].lines, testing::Contains(testing::HasSubstr("'right'")));
  stats.links[0] = {.receiver = "right"};
  app->notify("stream_stats", to_json(stats));
  EXPECT_TRUE(next_overlay(*right, "labels").labels->empty());
}

TEST_F(OverlayTest, LabelsOfWindowsStandOnTheWallAndCanBeUndone) {
  const uint32_t number = open_stream(*app, sail::Rect{1000, 100, 1200, 400});
  const Json labelled =
      console->expect("label", {{"window", number}, {"text", "{title} 東京 שלום"}});
  EXPECT_EQ(labelled["label"], Json({{"text", "{title} 東京 שלום"}, {"place", "bottom"}}));
  const auto labels = *next_overlay(*left, "labels").labels;
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].lines[0], "film 東京 שלום");
  EXPECT_EQ(labels[0].y, 500);
  // Moves, and is removed.
  console->expect("move", {{"window", number}, {"x", 2000}});
  EXPECT_TRUE(next_overlay(*left, "labels").labels->empty());
  EXPECT_EQ(next_overlay(*right, "labels").labels->at(0).x, 2000);
  EXPECT_EQ(console->expect("label", {{"windows", {number}}, {"place", "top"}})["windows"],
            Json::array({number}));
  EXPECT_EQ(next_overlay(*right, "labels").labels->at(0).y, 100);
  console->expect("label", {{"window", number}, {"on", false}});
  EXPECT_TRUE(next_overlay(*right, "labels").labels->empty());
  console->expect("undo");
  EXPECT_EQ(next_overlay(*right, "labels").labels->at(0).y, 100);
  EXPECT_EQ(console->expect("history")["redo"]["what"], "removed the label of 'film'");
  // Without a text, the title; a blank wall shows no labels.
  console->expect("label", {{"window", number}, {"on", false}});
  EXPECT_EQ(console->expect("label", {{"window", number}})["label"]["text"], "{title}");
  while (next_overlay(*right, "labels").labels->empty() && !HasFailure()) {
  }
  console->expect("blank");
  while (!next_overlay(*right, "labels").labels->empty() && !HasFailure()) {
  }
}

TEST_F(OverlayTest, AClockInALabelRuns) {
  const uint32_t number = open_stream(*app, sail::Rect{0, 0, 1200, 400});
  console->expect("label", {{"window", number}, {"text", "{clock}"}});
  const auto time = [&] { return next_overlay(*left, "labels").labels->at(0).lines[0]; };
  const std::string first = time();
  EXPECT_NE(time(), first);
}

TEST_F(OverlayTest, OddLabelsAreRefused) {
  const uint32_t number = open_stream(*app);
  const std::string long_text(1 << 19, 'x');
  for (Json params : {Json{{"text", long_text}}, Json{{"text", "a\nb"}}, Json{{"text", "a\u202eb"}},
                      Json{{"text", "{titel}"}}, Json{{"text", 5}}, Json{{"place", "left"}},
                      Json{{"on", false}, {"text", "a"}}, Json{{"on", false}, {"place", "top"}}}) {
    params["window"] = number;
    const auto answer = console->call("label", params);
    ASSERT_FALSE(answer) << params.dump().substr(0, 80);
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kInvalidParams);
  }
  EXPECT_EQ(console->call("label", {{"window", 99}}).error().code, sail::ErrorCode::kNotFound);
  EXPECT_FALSE(console->expect("list")["windows"][0].contains("label"));
}

TEST_F(OverlayTest, TheNumberOfLabelsIsLimited) {
  std::vector<uint32_t> numbers;
  for (int i = 0; i <= kMaxWindowLabels; ++i) {
    numbers.push_back(open_stream(*app, sail::Rect{i, 5000, 64, 64}));
  }
  EXPECT_EQ(console->call("label", {{"windows", numbers}}).error().code, sail::ErrorCode::kLimit);
  const uint32_t last = numbers.back();
  numbers.pop_back();
  console->expect("label", {{"windows", numbers}});
  EXPECT_EQ(console->call("label", {{"window", last}}).error().code, sail::ErrorCode::kLimit);
  console->expect("label", {{"window", numbers.front()}, {"on", false}});
  console->expect("label", {{"window", last}});
}

TEST_F(OverlayTest, AReceiverThatReturnsIsToldAgain) {
  point(*console, 100, 100);
  next_overlay(*left, "pointers");
  left.reset();
  wait([&] { return !fs_manager->peers().receivers().find("left")->connected(); });
  left = receiver("left");
  EXPECT_EQ(next_overlay(*left, "pointers").pointers->at(0).x, 100);
}

}  // namespace
}  // namespace manager
