// Pointers and figures over windows, from clients' requests to receivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(OverlayTest, OddPointersAreRefused) {
  for (const char* params :
       {R"({})", R"({"at": [1]})", R"({"at": [1, 2, 3]})", R"({"at": ["1", 2]})",
        R"({"at": [1, 1e300]})", R"({"at": [1, 1000002]})", R"({"at": [1, 2], "pointer": 32})",
        R"({"at": [1, 2], "pointer": -1})", R"({"at": [1, 2], "hidden": true})",
        R"({"at": [1, 2], "pressed": 1})"}) {
    const auto answer = console->call("pointer", Json::parse(params));
    ASSERT_FALSE(answer) << params;
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kInvalidParams) << params;
  }
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
