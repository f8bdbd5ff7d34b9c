// End-to-end flows over loopback: layout transactions, and receivers and applications that come and
// go.
#include <gtest/gtest.h>

#include <map>

#include "sail/core/wire/scene_change.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class LayoutTest : public PeopledManagerTest {
 protected:
  void SetUp() override {
    options.times.close_ms = 50;
    PeopledManagerTest::SetUp();
  }
  // The next scene of this receiver with `windows` windows. The first scene is complete, later ones
  // are changes.
  sail::Scene scene_of(ScriptedPeer& peer, size_t windows) {
    for (;;) {
      const auto known = scenes_.find(&peer);
      const bool first = known == scenes_.end();
      const Json params = peer.next(first ? "scene" : "scene_change");
      const auto scene =
          first
              ? sail::message_from_json<sail::Scene>(params)
              : sail::message_from_json<sail::SceneChange>(params).and_then(
                    [&](const auto& change) { return sail::changed_scene(known->second, change); });
      if (!scene) {
        ADD_FAILURE() << params << ": " << scene.error().message;
        return {};
      }
      scenes_[&peer] = *scene;
      if (scene->windows.size() == windows) return *scene;
    }
  }
  static sail::Go next_go(ScriptedPeer& peer) {
    const Json params = peer.next("go");
    const auto go = sail::message_from_json<sail::Go>(params);
    EXPECT_TRUE(go) << params;
    return go ? *go : sail::Go{};
  }
  static sail::Routes next_routes(ScriptedPeer& peer) {
    const Json params = peer.next("routes");
    const auto routes = sail::message_from_json<sail::Routes>(params);
    EXPECT_TRUE(routes) << params;
    return routes ? *routes : sail::Routes{};
  }
  // Opens a window across both tiles that shows frame 1.
  uint64_t show_window() {
    open_stream(*app, sail::Rect{0, 0, 3840, 1080});
    const uint64_t epoch = next_routes(*app).epoch;
    scene_of(*left, 1);
    scene_of(*right, 1);
    ready(*app, 1, 1, epoch);
    while (next_go(*left).scene_epoch != epoch) {
    }
    while (next_go(*right).scene_epoch != epoch) {
    }
    return epoch;
  }

  std::map<ScriptedPeer*, sail::Scene> scenes_;  // the last scene sent to each
};

TEST_F(LayoutTest, ABlankWallIsBlackAndItsStreamsGoOn) {
  show_window();
  EXPECT_EQ(console->expect("list")["blank"], false);
  EXPECT_EQ(console->expect("blank")["blank"], true);
  EXPECT_TRUE(scene_of(*left, 1).windows[0].dark);
  const Json state = console->expect("list");
  EXPECT_EQ(state["blank"], true);
  EXPECT_EQ(state["health"]["problems"][0]["cause"], "blank");
  EXPECT_EQ(next_go(*left).scene_epoch, scenes_[left.get()].epoch) << "no frame is waited for";
  // The routes are unchanged, and a window that opens meanwhile is dark too.
  for (const auto& message : app->messages) EXPECT_NE(message.method, "routes");
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  for (const sail::SceneWindow& window : scene_of(*left, 2).windows) EXPECT_TRUE(window.dark);
  ready(*app, 2, 1, next_routes(*app).epoch);
  console->expect("blank", {{"on", false}});
  for (const sail::SceneWindow& window : scene_of(*left, 2).windows) EXPECT_FALSE(window.dark);
}

TEST_F(LayoutTest, ABlankWindowIsBlackWhereverItStandsAndItsTextMovesAlong) {
  show_window();
  const Json answer = console->expect("blank", {{"windows", {1}}, {"text", "back at 11:15"}});
  EXPECT_EQ(answer["windows"], Json::array({1}));
  EXPECT_EQ(answer["blank"], false);
  const sail::Scene scene = scene_of(*left, 1);
  EXPECT_TRUE(scene.windows[0].dark);
  const std::vector<sail::SceneBlank> line = {
      {.wall_rect = scene.windows[0].wall_rect, .text = "back at 11:15"}};
  EXPECT_EQ(scene.blanks, line);
  EXPECT_EQ(console->expect("list")["windows"][0]["blank"]["text"], "back at 11:15");
  const Json area{0, 0, 10, 10};
  console->expect("blank", {{"areas", Json::array({area})}});
  const sail::Scene both = scene_of(*left, 1);
  ASSERT_EQ(both.blanks.size(), 2U);
  EXPECT_EQ(both.blanks[1], (sail::SceneBlank{{0, 0, 10, 10}, true, ""}));
  console->expect("blank", {{"windows", {1}}, {"on", false}});
  EXPECT_FALSE(scene_of(*left, 1).windows[0].dark);
  console->expect("blank", {{"on", false}});
  EXPECT_TRUE(scene_of(*left, 1).blanks.empty()) << "it ends all blanking";
  const Json outside{-20, 0, 10, 10};
  EXPECT_FALSE(console->call("blank", {{"areas", Json::array({outside})}}));
  EXPECT_FALSE(console->call("blank", {{"windows", {7}}}));
  EXPECT_FALSE(console->call("blank", {{"text", std::string(201, 'x')}}));
}

TEST_F(LayoutTest, AreasAndTextsAreBounded) {
  Json areas = Json::array();
  for (int i = 0; i < 64; ++i) areas.push_back({i, 0, 1, 1});
  console->expect("blank", {{"areas", areas}});
  console->expect("blank", {{"areas", areas}, {"text", "the same areas"}});
  const Json another{64, 0, 1, 1};
  const auto refused = console->call("blank", {{"areas", Json::array({another})}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kLimit);
}

TEST_F(LayoutTest, AWindowFreezesAndGoesOnWithOneFrameOnAllTiles) {
  const uint64_t epoch = show_window();
  EXPECT_EQ(console->expect("freeze", {{"windows", {1}}})["frozen"], Json::array({1}));
  const sail::Scene frozen = scene_of(*left, 1);
  EXPECT_TRUE(frozen.windows[0].frozen);
  EXPECT_GT(frozen.windows[0].epoch, epoch) << "a new map names the frame that stays";
  const sail::Routes routes = next_routes(*app);
  EXPECT_EQ(routes.epoch, frozen.windows[0].epoch);
  EXPECT_EQ(routes.routes.size(), 2U) << "frames are still sent";
  ready(*app, 1, 2, routes.epoch);
  sail::Go go = next_go(*right);
  while (go.scene_epoch != frozen.epoch) go = next_go(*right);
  ASSERT_EQ(go.frames.size(), 1U);
  EXPECT_EQ(go.frames[0].frame, 2U);
  EXPECT_EQ(console->expect("list")["windows"][0]["frozen"]["mute"], false);
  EXPECT_EQ(console->expect("freeze", {{"on", false}})["frozen"], Json::array());
  const sail::Scene shown = scene_of(*left, 1);
  EXPECT_FALSE(shown.windows[0].frozen);
  EXPECT_EQ(next_routes(*app).epoch, shown.windows[0].epoch);
}

TEST_F(LayoutTest, NewWindowIsShownOnAllTilesAtOneInstant) {
  open_stream(*app, sail::Rect{0, 0, 3840, 1080});
  const sail::Scene left_scene = scene_of(*left, 1);
  const sail::Scene right_scene = scene_of(*right, 1);
  EXPECT_EQ(left_scene.epoch, right_scene.epoch);
  EXPECT_EQ(left_scene.windows[0].wall_rect, (sail::Rect{960, 0, 1920, 1080}));
  EXPECT_NE(left_scene.windows[0].secret, 0U);

  const sail::Routes routes = next_routes(*app);
  EXPECT_EQ(routes.epoch, left_scene.epoch);
  ASSERT_EQ(routes.routes.size(), 2U);
  EXPECT_EQ(routes.routes[0].receiver, "left");
  EXPECT_EQ(routes.routes[0].host, "127.0.0.1");
  EXPECT_EQ(routes.routes[0].port, 5001);
  EXPECT_EQ(routes.routes[1].port, 5002);

  ready(*app, 1, 1, routes.epoch);
  const auto taken = sail::message_from_json<sail::TakeEffect>(app->next("take_effect"));
  const sail::Go left_go = next_go(*left);
  sail::Go go = left_go;
  while (go.scene_epoch != routes.epoch) go = next_go(*left);
  sail::Go right_go = next_go(*right);
  while (right_go.scene_epoch != routes.epoch) right_go = next_go(*right);
  EXPECT_EQ(go.at_ns, right_go.at_ns);
  EXPECT_EQ(taken.value().at_ns, go.at_ns);
  EXPECT_EQ(taken.value().frame, 1U);
  ASSERT_EQ(go.frames.size(), 1U);
  EXPECT_EQ(go.frames[0].frame, 1U);
  EXPECT_EQ(go.frames[0].epoch, routes.epoch);
  EXPECT_TRUE(console->expect("list")["settled"]);
}

TEST_F(LayoutTest, SceneOfAStoppedApplicationIsShownAfterTheTimeout) {
  const uint64_t epoch = show_window();
  console->expect("move", {{"window", 1}, {"x", 10}, {"y", 0}});
  EXPECT_FALSE(console->expect("list")["settled"]);
  const sail::Go go = next_go(*left);  // although no frame was reported
  EXPECT_EQ(go.scene_epoch, epoch + 1);
  EXPECT_TRUE(go.frames.empty());
  EXPECT_EQ(console->expect("stats")["manager"]["layouts_timed_out"], 1);
}

TEST_F(LayoutTest, ReceiverThatDiesIsLeftOutAndReturnsUnderItsName) {
  const uint64_t epoch = show_window();
  scenes_.erase(right.get());  // the next receiver may have its address
  right.reset();
  sail::Routes routes = next_routes(*app);
  EXPECT_GT(routes.epoch, epoch);
  ASSERT_EQ(routes.routes.size(), 1U);
  EXPECT_EQ(routes.routes[0].receiver, "left");
  // The wall continues without it.
  ready(*app, 1, 2, routes.epoch);
  sail::Go go = next_go(*left);
  EXPECT_EQ(go.frames.at(0).frame, 2U);

  right = receiver("right", 6002);
  EXPECT_EQ(scene_of(*right, 1).windows[0].window, 1U);
  routes = next_routes(*app);
  ASSERT_EQ(routes.routes.size(), 2U);
  EXPECT_EQ(routes.routes[1].port, 6002);
  ready(*app, 1, 3, routes.epoch);
  go = next_go(*right);
  EXPECT_EQ(go.scene_epoch, routes.epoch);
  EXPECT_EQ(go.frames.at(0).frame, 3U);
}

TEST_F(LayoutTest, ReceiverThatFellSilentIsMissedAndNobodyToldYet) {
  const uint64_t epoch = show_window();
  const auto& peers = fs_manager->peers();
  const uint64_t silent = peers.receivers().find("right")->peer;
  peers.service().peers().at(silent)->rpc().keep_alive(1, 0);  // too short to answer a ping
  wait([&] { return !peers.receivers().find("right")->connected(); });
  EXPECT_FALSE(console->expect("list")["settled"]);
  EXPECT_EQ(fs_manager->desk().director().epoch(), epoch);
}

TEST_F(LayoutTest, ApplicationThatDiesTakesItsWindowsWithIt) {
  show_window();
  open_stream(*app);
  auto other = application();
  open_stream(*other);
  app.reset();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 1; });
  const sail::Scene scene = scene_of(*left, 1);
  EXPECT_EQ(scene.windows.size(), 1U);
  EXPECT_EQ(console->expect("list")["windows"][0]["window"], 3);
}

TEST_F(LayoutTest, ApplicationThatDoesNotCloseIsDisconnected) {
  open_stream(*app);
  const Json closed = console->expect("close", {{"window", 1}});
  EXPECT_EQ(closed["forced"], true);
  EXPECT_TRUE(app->wait_closed());
  EXPECT_TRUE(fs_manager->desk().windows().bottom_to_top().empty());
}

// libsail reconnects automatically with all its streams.
TEST_F(LayoutTest, AWindowThatWasClosedByForceCannotBeResumed) {
  const Json opened = app->expect("open_stream", stream_params());
  console->expect("close", {{"window", 1}});
  app = application();
  sail::OpenStream open = sail::message_from_json<sail::OpenStream>(stream_params()).value();
  open.resume = sail::Resume{
      .window = 1,
      .secret = std::stoull(opened["secret"].get<std::string>(), nullptr, 16),
      .routes = {.stream = 1, .epoch = 1, .wall_rect = {0, 0, 640, 360}, .routes = {}}};
  const auto resumed = app->call("open_stream", to_json(open));
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, sail::ErrorCode::kNotFound);
  EXPECT_TRUE(fs_manager->desk().windows().bottom_to_top().empty());
  EXPECT_GT(open_stream(*app), 0U) << "another window of it is welcome";
}

TEST_F(LayoutTest, ClosingTwiceAnswersBoth) {
  auto second = ui();
  open_stream(*app);
  second->send(sail::request_line(900, "close", {{"window", 1}}));
  EXPECT_EQ(console->expect("close", {{"window", 1}})["window"], 1);
  EXPECT_TRUE(second->call("list"));
}

// A stream opened by a former manager keeps its number, secret and place.
TEST_F(LayoutTest, StreamOfAFormerManagerGoesOn) {
  sail::OpenStream open = sail::message_from_json<sail::OpenStream>(stream_params()).value();
  const sail::Routes routes{
      .stream = 12, .epoch = 30, .wall_rect = {10, 20, 640, 360}, .routes = {}};
  open.resume = sail::Resume{.window = 9, .secret = 0xabc, .routes = routes};
  const Json opened = app->expect("open_stream", to_json(open));
  EXPECT_EQ(opened["stream"], 12);
  EXPECT_EQ(opened["window"], 9);
  EXPECT_EQ(opened["secret"], "0000000000000abc");
  EXPECT_EQ(console->expect("list")["windows"][0]["rect"], Json({10, 20, 640, 360}));
  // Numbers are not reused, and another client cannot take over the stream.
  EXPECT_EQ(open_stream(*app), 13U);
  const Json again = app->expect("open_stream", to_json(open));
  EXPECT_EQ(again["stream"], 14);
  EXPECT_NE(again["secret"], "0000000000000abc");
}

// A manager that was stopped may see the new connection before the end of the former one.
TEST_F(LayoutTest, AnApplicationThatIsBackHasItsStreamsThoughItsFormerSessionIsThere) {
  const Json opened = app->expect("open_stream", stream_params());
  sail::OpenStream open = sail::message_from_json<sail::OpenStream>(stream_params()).value();
  sail::Routes routes{.stream = opened["stream"].get<uint32_t>(),
                      .epoch = 1,
                      .wall_rect = {10, 20, 640, 360},
                      .routes = {}};
  open.resume =
      sail::Resume{.window = opened["window"].get<uint32_t>(), .secret = 1, .routes = routes};
  auto back = application();
  EXPECT_NE(back->expect("open_stream", to_json(open))["stream"], opened["stream"]) << "a stranger";
  open.resume->secret = std::stoull(opened["secret"].get<std::string>(), nullptr, 16);
  EXPECT_EQ(back->expect("open_stream", to_json(open))["stream"], opened["stream"]);
  EXPECT_TRUE(app->wait_closed());
  EXPECT_EQ(console->expect("list")["windows"].size(), 2U);
}

// A number so high that none is left for other streams is refused.
TEST_F(LayoutTest, StrangeNumbersOfAStreamAreNotTakenUp) {
  sail::OpenStream open = sail::message_from_json<sail::OpenStream>(stream_params()).value();
  const sail::Routes routes{
      .stream = 12, .epoch = 30, .wall_rect = {10, 20, 640, 360}, .routes = {}};
  uint32_t number = 0;
  for (int i = 0; i < 3; ++i) {
    open.resume = sail::Resume{.window = 9, .secret = 0xabc, .routes = routes};
    if (i == 0) open.resume->window = UINT32_MAX;
    if (i == 1) open.resume->routes.stream = UINT32_MAX;
    if (i == 2) open.resume->routes.epoch = sail::kMaxCounter;
    EXPECT_EQ(app->expect("open_stream", to_json(open))["stream"], ++number);
  }
  EXPECT_LT(next_routes(*app).epoch, routes.epoch) << "layouts go on as they did";
}

TEST_F(LayoutTest, ReportsThatMakeNoSenseHarmNobody) {
  const uint64_t epoch = show_window();
  ready(*app, 99, 1, epoch);
  ready(*app, 1, 1, epoch + 100);
  auto other = application();
  console->expect("move", {{"window", 1}, {"x", 10}, {"y", 0}});
  EXPECT_EQ(next_routes(*app).epoch, epoch + 1);
  ready(*other, 1, 2, epoch + 1);  // another client's stream
  app->notify("epoch_ready", {{"stream", "x"}});
  left->notify("nonsense", Json::object());
  app->notify("close_stream", {{"stream", 1000}});
  EXPECT_FALSE(console->expect("list")["settled"]);
  ready(*app, 1, 3, epoch + 1);
  EXPECT_EQ(next_go(*left).frames.at(0).frame, 3U);
}

}  // namespace
}  // namespace manager
