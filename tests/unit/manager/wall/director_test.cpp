#include "manager/wall/director.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "tests/unit/manager/wall/two_tiles.h"

namespace manager {
namespace {

using sail::kMillisecondNs;

template <typename T>
std::vector<T> only(const std::vector<Order>& orders) {
  std::vector<T> found;
  for (const Order& order : orders) {
    if (const T* one = std::get_if<T>(&order)) found.push_back(*one);
  }
  return found;
}

class DirectorTest : public testing::Test {
 protected:
  explicit DirectorTest(sail::LostWindow lost = sail::LostWindow::kClose, int64_t spacing_ns = 0)
      : wall(wall_that(lost)), director(wall, windows, spacing_ns) {
    director.receiver_joined("left", {"10.0.0.1", 1001}, now);
    director.receiver_joined("right", {"10.0.0.2", 1002}, now);
    director.take_orders();
  }
  uint32_t open(const sail::Rect& place) {
    Window window;
    window.title = "w";
    window.owner = 77;
    window.frame_size = {1280, 640};
    window.block_size = sail::kDefaultBlockSize;
    window.secret = 5;
    window.wall_rect = place;
    const uint32_t number = (*windows.open(window))->number;
    director.layout_changed(now);
    return number;
  }
  void move(uint32_t number, const sail::Rect& place) {
    windows.find(number)->wall_rect = place;
    director.layout_changed(now);
  }
  // A frame of the epoch has reached all receivers.
  void ready(uint32_t stream, uint64_t frame, uint64_t epoch, int64_t lead_ns = 0) {
    director.ready({.stream = stream, .epoch = epoch, .frame = frame, .lead_ns = lead_ns}, now);
  }
  // Opens a window and shows its frame 1 on both tiles.
  uint32_t shown_window() {
    const uint32_t number = open({0, 0, 2000, 1000});
    ready(number, 1, director.epoch());
    director.take_orders();
    EXPECT_TRUE(director.settled());
    return number;
  }

  int64_t now = 1000 * kMillisecondNs;
  const sail::Wall wall;
  WindowStack windows;
  Director director;

 private:
  static sail::Wall wall_that(sail::LostWindow lost) {
    sail::Wall tiles = two_tiles();
    tiles.lost = lost;
    return tiles;
  }
};

TEST_F(DirectorTest, AFadeIsOfTheNextLayoutOnly) {
  const uint32_t number = shown_window();
  move(number, {10, 0, 2000, 1000});
  director.take_orders();
  director.fade_next(700);
  move(number, {20, 0, 2000, 1000});
  EXPECT_TRUE(only<SendScene>(director.take_orders()).empty()) << "an earlier layout is pending";
  ready(number, 2, director.epoch());
  const auto fading = only<SendScene>(director.take_orders());
  ASSERT_EQ(fading.size(), 1u);
  EXPECT_EQ(fading[0].scene.fade_ms, 700);
  EXPECT_EQ(fading[0].change.fade_ms, 700);
  ready(number, 3, director.epoch());
  move(number, {30, 0, 2000, 1000});
  const auto later = only<SendScene>(director.take_orders());
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].scene.fade_ms, 0);
  EXPECT_EQ(later[0].change.fade_ms, 0);
}

TEST_F(DirectorTest, AWindowWhoseProgramIsLostIsDimmedAndNotWaitedFor) {
  const uint32_t number = open({0, 0, 2000, 1000});
  EXPECT_FALSE(director.settled());
  windows.find(number)->owner = 0;
  windows.find(number)->lost = {.name = "render", .why = "it ended", .since_s = 1};
  director.layout_changed(now);
  EXPECT_TRUE(director.settled());
  const auto scenes = only<SendScene>(director.take_orders());
  EXPECT_DOUBLE_EQ(scenes.back().scene.windows[0].look.opacity, 0.35);
}

class SpacedDirectorTest : public DirectorTest {
 protected:
  static constexpr int64_t kSpacingNs = 8 * kMillisecondNs;
  SpacedDirectorTest() : DirectorTest(sail::LostWindow::kClose, kSpacingNs) {
    director.tick(now += kSpacingNs);  // shows the receiver that joined last
    director.take_orders();
    now += kSpacingNs;
  }
};

TEST_F(SpacedDirectorTest, ABurstOfChangesIsShownAtOnceAndThenAsOneLayout) {
  const uint32_t number = shown_window();
  const uint64_t before = director.epoch();
  now += kSpacingNs;
  move(number, {10, 0, 2000, 1000});
  EXPECT_EQ(director.epoch(), before + 1) << "the first change does not wait";
  EXPECT_EQ(director.spaced_ns(now), 0);
  ready(number, 2, director.epoch());
  director.take_orders();
  for (int x = 20; x <= 60; x += 10) {
    move(number, {x, 0, 2000, 1000});
    now += kMillisecondNs;
  }
  EXPECT_FALSE(director.settled());
  EXPECT_TRUE(director.take_orders().empty());
  EXPECT_EQ(director.spaced_ns(now), kSpacingNs - 5 * kMillisecondNs);
  EXPECT_GT(director.spaced_ns(now + 2 * kSpacingNs), 0) << "it still has to begin";
  director.tick(now += director.spaced_ns(now) - 1);
  EXPECT_TRUE(director.take_orders().empty());
  director.tick(now += 1);
  const auto scenes = only<SendScene>(director.take_orders());
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].scene.epoch, before + 2);
  EXPECT_EQ(scenes[0].scene.windows[0].wall_rect, (sail::Rect{60, 0, 2000, 1000}));
  EXPECT_EQ(director.spaced_ns(now), 0);
  ready(number, 3, director.epoch());
  EXPECT_TRUE(director.settled());
}

TEST_F(SpacedDirectorTest, AChangeDuringALongLayoutFollowsAtOnce) {
  const uint32_t number = shown_window();
  now += kSpacingNs;
  move(number, {10, 0, 2000, 1000});
  move(number, {20, 0, 2000, 1000});
  const uint64_t running = director.epoch();
  EXPECT_EQ(director.spaced_ns(now), 0) << "it waits for the layout";
  now += 2 * kSpacingNs;
  ready(number, 2, running);
  EXPECT_EQ(director.epoch(), running + 1);
}

class DarkDirectorTest : public DirectorTest {
 protected:
  DarkDirectorTest() : DirectorTest(sail::LostWindow::kDark) {}
};

TEST_F(DarkDirectorTest, ALostWindowIsBlack) {
  const uint32_t number = shown_window();
  windows.find(number)->playback = sail::Playback{.live = true, .silent_since_s = 5};
  director.layout_changed(now);
  const auto silent = only<SendScene>(director.take_orders());
  EXPECT_TRUE(silent.back().scene.windows[0].dark);
  EXPECT_EQ(silent.back().scene.windows[0].look, sail::ViewTransform());
  ready(number, 2, director.epoch());
  windows.find(number)->playback.reset();
  director.layout_changed(now);
  const auto shown = only<SendScene>(director.take_orders());
  ASSERT_FALSE(shown.empty());
  EXPECT_FALSE(shown.back().scene.windows[0].dark);
  ready(number, 3, director.epoch());
  windows.find(number)->owner = 0;
  windows.find(number)->lost = {.name = "demo", .why = "it ended", .since_s = 1};
  director.layout_changed(now);
  const auto lost = only<SendScene>(director.take_orders());
  ASSERT_FALSE(lost.empty());
  EXPECT_TRUE(lost.back().scene.windows[0].dark);
}

TEST_F(DirectorTest, AStreamInThePlaceOfAnotherIsWaitedForWhateverElseChanges) {
  const uint32_t number = shown_window();
  windows.replace(number, Window(*windows.find(number)));
  director.layout_changed(now);
  move(number, {0, 0, 1000, 500});
  EXPECT_FALSE(director.settled());
  EXPECT_TRUE(only<SendGo>(director.take_orders()).empty());
}

TEST_F(DirectorTest, NewWindowIsShownWithItsFirstFrame) {
  const uint64_t before = director.epoch();
  const uint32_t number = open({0, 0, 2000, 1000});
  const auto begun = director.take_orders();

  // The scene first, then the routes, all with the same new epoch.
  ASSERT_EQ(begun.size(), 2U);
  const auto& scene = std::get<SendScene>(begun[0]);
  EXPECT_EQ(scene.receivers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(scene.scene.epoch, before + 1);
  ASSERT_EQ(scene.scene.windows.size(), 1U);
  EXPECT_EQ(scene.scene.windows[0].window, number);
  EXPECT_EQ(scene.scene.windows[0].secret, 5U);
  EXPECT_EQ(scene.scene.windows[0].epoch, before + 1) << "receivers drop what was routed before";
  const auto& routes = std::get<SendRoutes>(begun[1]);
  EXPECT_EQ(routes.owner, 77U);
  EXPECT_EQ(routes.routes.epoch, before + 1);
  EXPECT_EQ(routes.routes.wall_rect, (sail::Rect{0, 0, 2000, 1000}));
  ASSERT_EQ(routes.routes.routes.size(), 2U);
  EXPECT_EQ(routes.routes.routes[0].receiver, "left");
  EXPECT_EQ(routes.routes.routes[0].host, "10.0.0.1");
  EXPECT_EQ(routes.routes.routes[0].port, 1001);
  EXPECT_EQ(routes.routes.routes[1].host, "10.0.0.2");
  EXPECT_FALSE(director.settled());

  ready(number, 1, before + 1);
  const auto done = director.take_orders();
  // The application is notified before any receiver shows the layout.
  ASSERT_EQ(done.size(), 3U);
  const auto& taken = std::get<SendTakeEffect>(done[0]);
  EXPECT_EQ(taken.owner, 77U);
  EXPECT_EQ(taken.taken.stream, number);
  EXPECT_EQ(taken.taken.epoch, before + 1);
  EXPECT_EQ(taken.taken.frame, 1U);
  const auto gos = only<SendGo>(done);
  ASSERT_EQ(gos.size(), 2U);
  EXPECT_EQ(taken.taken.at_ns, gos[0].go.at_ns);
  for (const SendGo& go : gos) {
    EXPECT_EQ(go.go.scene_epoch, before + 1);
    ASSERT_EQ(go.go.frames.size(), 1U);
    EXPECT_EQ(go.go.frames[0].stream, number);
    EXPECT_EQ(go.go.frames[0].frame, 1U);
    EXPECT_EQ(go.go.frames[0].epoch, before + 1);
    EXPECT_EQ(go.go.at_ns, gos[0].go.at_ns);
  }
  EXPECT_TRUE(director.settled());
}

TEST_F(DirectorTest, HearsOfOneFrameOfEachMap) {
  const uint32_t number = shown_window();
  const uint64_t old_epoch = director.epoch();
  ready(number, 2, old_epoch);
  EXPECT_TRUE(director.take_orders().empty());
  move(number, {0, 0, 1000, 500});  // now only on "left"
  director.take_orders();
  ready(number, 3, old_epoch);
  EXPECT_TRUE(director.take_orders().empty()) << "of the map before";

  // A frame of the new map commits the layout on both tiles.
  ready(number, 2, old_epoch + 1);
  const auto commit = only<SendGo>(director.take_orders());
  ASSERT_EQ(commit.size(), 2U);
  EXPECT_EQ(commit[0].receiver, "left");
  EXPECT_EQ(commit[0].go.frames.size(), 1U);
  EXPECT_EQ(commit[1].receiver, "right");
  EXPECT_TRUE(commit[1].go.frames.empty());
  EXPECT_EQ(commit[1].go.scene_epoch, old_epoch + 1);
}

// The recorder gets routes like a tile, but no layout waits for it.
TEST_F(DirectorTest, ARecorderIsRoutedToAndNotWaitedFor) {
  const uint32_t hidden = open({5000, 0, 400, 200});
  const uint32_t number = shown_window();
  director.recorder_joined("camera", {"10.0.0.3", 1003}, {{0, 0, 5400, 200}, {540, 20}}, 42, now);
  auto orders = director.take_orders();
  auto routes = only<SendRoutes>(orders);
  ASSERT_EQ(routes.size(), 2U);
  for (const SendRoutes& one : routes) {
    const auto& receivers = one.routes.routes;
    EXPECT_EQ(receivers.size(), one.routes.stream == hidden ? 1U : 3U);
    for (const sail::Route& route : receivers)
      EXPECT_EQ(route.recorder, route.receiver == "camera" ? 42U : 0U);
  }
  const SendScene scene = only<SendScene>(orders)[0];
  EXPECT_EQ(scene.receivers.size(), 3U);
  EXPECT_EQ(scene.recorders, (std::map<std::string, uint64_t>{{"camera", 42}}));
  EXPECT_FALSE(director.settled()) << "the tiles are waited for";
  ready(number, 2, director.epoch());
  EXPECT_TRUE(director.settled()) << "the recorder is not";
  EXPECT_EQ(only<SendGo>(director.take_orders()).size(), 3U);

  director.recorder_left("camera", now);
  orders = director.take_orders();
  routes = only<SendRoutes>(orders);
  ASSERT_EQ(routes.size(), 2U);
  for (const SendRoutes& one : routes) {
    EXPECT_EQ(one.routes.routes.size(), one.routes.stream == hidden ? 0U : 2U);
  }
  EXPECT_EQ(only<SendScene>(orders)[0].receivers.size(), 2U);
}

// The routes of the only stream whose map changed.
std::vector<sail::Route> only_routes(const std::vector<Order>& orders) {
  const auto routes = only<SendRoutes>(orders);
  EXPECT_EQ(routes.size(), 1U);
  return routes.empty() ? std::vector<sail::Route>() : routes[0].routes.routes;
}

TEST_F(DirectorTest, ABridgeGetsWholeFramesInFullSize) {
  const std::vector<sail::BlockRect> all = {{0, 0, 10, 10}};
  const uint32_t number = open({0, 0, 100, 50});
  ready(number, 1, director.epoch());
  windows.find(number)->max_reduction = 2;
  move(number, {0, 0, 120, 60});
  ready(number, 2, director.epoch());
  director.take_orders();
  move(number, {0, 0, 140, 70});
  EXPECT_EQ(only_routes(director.take_orders())[0].reduction, 2) << "for the tile alone";
  ready(number, 3, director.epoch());
  director.take_orders();

  director.bridge_joined("bridge", {"10.0.0.3", 1003}, {}, 42, now);
  auto orders = director.take_orders();
  auto routes = only_routes(orders);
  ASSERT_EQ(routes.size(), 2U);
  EXPECT_EQ(routes[0].receiver, "left");
  EXPECT_EQ(routes[0].reduction, 0) << "frames have one size for all";
  EXPECT_EQ(routes[0].recorder, 0U);
  EXPECT_EQ(routes[1].receiver, "bridge");
  EXPECT_EQ(routes[1].reduction, 0);
  EXPECT_EQ(routes[1].recorder, 42U);
  EXPECT_EQ(routes[1].blocks, all);
  EXPECT_EQ(only<SendScene>(orders)[0].receivers.size(), 3U);
  ready(number, 4, director.epoch());
  EXPECT_TRUE(director.settled()) << "the bridge is not waited for";
  director.take_orders();

  director.recorder_left("bridge", now);
  routes = only_routes(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].reduction, 2);
}

TEST_F(DirectorTest, ABridgeGetsTheWindowsThatItNamesAlsoWhereNoTileShowsThem) {
  const uint32_t outside = open({5000, 0, 400, 200});
  shown_window();
  director.bridge_joined("bridge", {"10.0.0.3", 1003}, {outside}, 42, now);
  const auto orders = director.take_orders();
  const auto changed = only<SendRoutes>(orders);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].routes.stream, outside);
  ASSERT_EQ(changed[0].routes.routes.size(), 1U);
  EXPECT_EQ(changed[0].routes.routes[0].receiver, "bridge");
  EXPECT_TRUE(director.settled()) << "no tile waits for the window";
}

TEST_F(DirectorTest, OtherStreamsAreNotDisturbed) {
  const uint32_t still = open({0, 0, 400, 200});
  ready(still, 1, director.epoch());
  const uint64_t still_epoch = director.epoch();
  const uint32_t moved = open({1200, 0, 400, 200});
  ready(moved, 1, director.epoch());
  director.take_orders();
  ASSERT_TRUE(director.settled());

  move(moved, {1300, 100, 400, 200});
  const auto begun = director.take_orders();
  for (const SendRoutes& routes : only<SendRoutes>(begun)) EXPECT_EQ(routes.routes.stream, moved);
  EXPECT_EQ(only<SendScene>(begun)[0].scene.windows[0].epoch, still_epoch);
  ready(moved, 1, director.epoch());
  const auto done = director.take_orders();
  for (const SendTakeEffect& each : only<SendTakeEffect>(done)) EXPECT_EQ(each.taken.stream, moved);
}

TEST_F(DirectorTest, MembersOfAGroupHearHowManyOfThemChangeTogether) {
  std::vector<uint32_t> numbers;
  for (int i = 0; i < 4; ++i) {
    numbers.push_back(open({i * 450, 0, 400, 200}));
    ready(numbers.back(), 1, director.epoch());
  }
  director.take_orders();
  ASSERT_TRUE(director.settled());
  for (const uint32_t number : numbers) {
    windows.find(number)->wall_rect.y = 100;
    if (number != numbers.back()) windows.find(number)->group = "film";
  }
  windows.find(numbers[0])->owner = 0;  // gone, so not waited for
  director.layout_changed(now);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 4U);
  for (const SendRoutes& one : routes) {
    EXPECT_EQ(one.routes.group_members, one.routes.stream == numbers.back() ? 0U : 2U);
  }
}

TEST_F(DirectorTest, ChangesDuringATransactionGoTogetherInTheNext) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  move(number, {10, 0, 2000, 1000});
  director.take_orders();
  move(number, {20, 0, 2000, 1000});
  move(number, {30, 0, 2000, 1000});
  EXPECT_TRUE(director.take_orders().empty());
  EXPECT_FALSE(director.settled());

  ready(number, 1, epoch + 1);
  const auto orders = director.take_orders();
  const auto scenes = only<SendScene>(orders);
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].scene.epoch, epoch + 2);
  EXPECT_EQ(scenes[0].scene.windows[0].wall_rect.x, 30);
  EXPECT_TRUE(std::holds_alternative<SendTakeEffect>(orders.front()))
      << "the first change is shown first";
}

TEST_F(DirectorTest, LayoutIsShownAfterTheTimeoutWithWhatHasArrived) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  move(number, {10, 0, 2000, 1000});
  director.take_orders();
  now += sail::kTransactionTimeoutMs * kMillisecondNs - 1;
  director.tick(now);
  EXPECT_TRUE(only<SendGo>(director.take_orders()).empty());
  now += 1;
  director.tick(now);
  const auto orders = director.take_orders();
  const auto gos = only<SendGo>(orders);
  ASSERT_EQ(gos.size(), 2U);
  EXPECT_EQ(gos[0].go.scene_epoch, epoch + 1);
  EXPECT_TRUE(gos[0].go.frames.empty());
  const auto taken = only<SendTakeEffect>(orders);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].taken.frame, 0U) << "its sender shows what comes later";
  EXPECT_EQ(director.counters().layouts_timed_out, 1U);
}

TEST_F(DirectorTest, StreamThatNeverSendsDelaysOnlyOneLayout) {
  const uint32_t mute = open({0, 0, 2000, 1000});
  now += sail::kTransactionTimeoutMs * kMillisecondNs;
  director.tick(now);
  ASSERT_TRUE(director.settled());
  move(mute, {5, 5, 2000, 1000});
  EXPECT_TRUE(director.settled()) << "it was not waited for";
  ready(mute, 1, director.epoch());
  move(mute, {6, 6, 2000, 1000});
  EXPECT_FALSE(director.settled()) << "it has frames now: it is waited for again";
}

// If windows move without pause, the stream's report always concerns an earlier layout.
TEST_F(DirectorTest, StreamThatWasLateForALayoutIsWaitedForWhateverItSpeaksOf) {
  const uint32_t late = shown_window();
  move(late, {5, 5, 2000, 1000});
  const uint64_t missed = director.epoch();
  now += sail::kTransactionTimeoutMs * kMillisecondNs;
  director.tick(now);
  move(late, {6, 6, 2000, 1000});
  ASSERT_TRUE(director.settled()) << "it was not waited for";
  ready(late, 2, missed);
  move(late, {7, 7, 2000, 1000});
  EXPECT_FALSE(director.settled());
}

// The layout was cancelled when the manager stalled; the report was in flight then.
TEST_F(DirectorTest, AWordOfALayoutThatIsNotToBeMeansNothing) {
  const uint32_t number = shown_window();
  director.tick(now);
  move(number, {100, 0, 2000, 1000});
  EXPECT_FALSE(director.settled());
  director.take_orders();
  now += PeerReturn::kStallNs;
  director.tick(now);
  ready(number, 2, director.epoch());
  EXPECT_TRUE(director.take_orders().empty());
}

TEST_F(DirectorTest, WindowOffTheWallIsNotWaitedFor) {
  const uint32_t number = shown_window();
  move(number, {5000, 5000, 100, 100});
  EXPECT_TRUE(director.settled());
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_TRUE(routes[0].routes.routes.empty());
}

TEST_F(DirectorTest, WindowThatClosesDuringItsTransactionIsNotWaitedFor) {
  const uint32_t number = open({0, 0, 2000, 1000});
  EXPECT_FALSE(director.settled());
  windows.remove(number);
  director.layout_changed(now);
  EXPECT_TRUE(director.settled());
  const auto scenes = only<SendScene>(director.take_orders());
  EXPECT_TRUE(scenes.back().scene.windows.empty());
}

TEST_F(DirectorTest, ReceiverThatDiesLeavesTheRoutes) {
  shown_window();
  const uint64_t epoch = director.epoch();
  director.receiver_left("right", now);
  const auto orders = director.take_orders();
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(std::get<SendScene>(orders[0]).receivers, std::vector<std::string>{"left"});
  const auto& routes = std::get<SendRoutes>(orders[1]).routes;
  EXPECT_EQ(routes.epoch, epoch + 1);
  ASSERT_EQ(routes.routes.size(), 1U);
  EXPECT_EQ(routes.routes[0].receiver, "left");
}

// After a network outage this receiver is only the first one found missing.
TEST_F(DirectorTest, NobodyHearsOfAReceiverThatFellSilentAndIsBackSoon) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  director.peer_fell_silent(now);
  director.receiver_left("right", now);
  move(number, {10, 0, 2000, 1000});
  director.tick(now += 900 * kMillisecondNs);
  director.receiver_joined("right", {"10.0.0.2", 1002}, now, {epoch, {number}});
  EXPECT_TRUE(director.take_orders().empty());
  director.tick(now += PeerReturn::kSilenceNs - 900 * kMillisecondNs - 1);
  EXPECT_TRUE(director.take_orders().empty());
  director.tick(now += 1);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.epoch, epoch + 1) << "there was no layout without it";
  EXPECT_EQ(routes[0].routes.routes.size(), 2U);
  EXPECT_EQ(routes[0].routes.wall_rect.x, 10) << "what changed meanwhile is shown with it";
}

// Its application was cut off with the receivers, and may return after them.
TEST_F(DirectorTest, ASilentApplicationMayReturnAfterTheReceivers) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  director.peer_fell_silent(now);
  for (const char* receiver : {"left", "right"}) director.receiver_left(receiver, now);
  now += 4 * PeerReturn::kSilenceNs;
  EXPECT_TRUE(director.may_return(now));
  director.receiver_joined("left", {"10.0.0.1", 1001}, now, {epoch, {number}});
  EXPECT_TRUE(director.may_return(now + PeerReturn::kLateNs - 1));
  EXPECT_FALSE(director.may_return(now + PeerReturn::kLateNs));
}

TEST_F(DirectorTest, AReceiverThatFellSilentAndStaysAwayIsLeftOut) {
  shown_window();
  director.peer_fell_silent(now);
  director.receiver_left("right", now);
  director.tick(now += PeerReturn::kSilenceNs);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.routes.size(), 1U);
}

// A layout begun before is committed in time.
TEST_F(DirectorTest, ALayoutOnItsWayIsNotHeldUpByOneThatFellSilent) {
  const uint32_t number = open({0, 0, 2000, 1000});
  director.take_orders();
  director.peer_fell_silent(now);
  director.receiver_left("right", now);
  ready(number, 1, director.epoch());
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_EQ(gos.size(), 1U);
  EXPECT_EQ(gos[0].receiver, "left");
  EXPECT_FALSE(director.settled());
}

TEST_F(DirectorTest, PeersThatFallSilentAgainAndAgainDoNotStopTheWall) {
  const uint32_t number = shown_window();
  const int64_t until_ns = now + PeerReturn::kSilenceNs + PeerReturn::kStallNs;
  const uint64_t epoch = director.epoch();
  for (int x = 1; now < until_ns; ++x, now += 100 * kMillisecondNs) {
    director.peer_fell_silent(now);
    move(number, {x, 0, 2000, 1000});
    ready(number, static_cast<uint64_t>(x) + 1, director.epoch());
  }
  EXPECT_GE(director.epoch(), epoch + 30);
}

TEST_F(DirectorTest, StreamWhoseReceiversHaveAllDiedIsNotWaitedFor) {
  open({1000, 0, 1000, 1000});  // only on "right"
  const uint64_t epoch = director.epoch();
  director.take_orders();
  director.receiver_left("right", now);
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_FALSE(gos.empty());
  EXPECT_EQ(gos[0].receiver, "left");
  EXPECT_EQ(gos[0].go.scene_epoch, epoch);
  EXPECT_EQ(director.epoch(), epoch + 1) << "and a layout without it follows";
}

TEST_F(DirectorTest, ReceiverThatReturnsGetsItsStreamsByANewEpoch) {
  const uint32_t number = shown_window();
  director.receiver_left("right", now);
  ready(number, 1, director.epoch());
  director.take_orders();
  ASSERT_TRUE(director.settled());
  director.receiver_joined("right", {"10.0.0.9", 2002}, now);
  const auto orders = director.take_orders();
  EXPECT_EQ(only<SendScene>(orders)[0].receivers, (std::vector<std::string>{"left", "right"}));
  const auto routes = only<SendRoutes>(orders);
  ASSERT_EQ(routes.size(), 1U);
  ASSERT_EQ(routes[0].routes.routes.size(), 2U);
  EXPECT_EQ(routes[0].routes.routes[1].host, "10.0.0.9");
  EXPECT_EQ(routes[0].routes.routes[1].port, 2002);
}

// It left and came back during another change: equal maps, but a new receiver.
TEST_F(DirectorTest, ReceiverThatReturnsAtTheSameAddressIsANewOne) {
  const uint32_t number = shown_window();
  move(number, {10, 0, 2000, 1000});
  director.receiver_left("right", now);
  director.receiver_joined("right", {"10.0.0.2", 1002}, now);
  director.take_orders();
  const uint64_t epoch = director.epoch();
  ready(number, 1, epoch);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.epoch, epoch + 1);
  EXPECT_EQ(routes[0].routes.routes.size(), 2U);
}

TEST_F(DirectorTest, WhoWasAwayWhenItsMapChangedIsRoutedAnew) {
  const uint32_t number = open({0, 0, 2000, 1000});
  const sail::Routes routes = only<SendRoutes>(director.take_orders()).at(0).routes;
  ready(number, 1, director.epoch());
  const auto come_back = [&] {
    director.take_orders();
    director.resume(routes, now);
    director.layout_changed(now);
    return only<SendRoutes>(director.take_orders());
  };
  EXPECT_TRUE(come_back().empty()) << "nothing has changed";
  move(number, {0, 0, 1000, 500});
  ready(number, 2, director.epoch());
  const auto sent = come_back();
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_GT(sent[0].routes.epoch, routes.epoch);
}

TEST_F(DirectorTest, LayoutIsAsFarAheadAsTheSlowestNeeds) {
  const auto ahead_ns = [&](uint32_t number) {
    const auto gos = only<SendGo>(director.take_orders());
    EXPECT_FALSE(gos.empty()) << number;
    return gos.empty() ? 0 : gos[0].go.at_ns - now;
  };
  const uint32_t number = shown_window();
  move(number, {1, 0, 2000, 1000});
  ready(number, 2, director.epoch(), 9 * kMillisecondNs);
  EXPECT_EQ(ahead_ns(number), 9 * kMillisecondNs) << "its sender knows";
  director.measured("left", 12 * kMillisecondNs);
  director.measured("nobody", 20 * kMillisecondNs);
  move(number, {2, 0, 2000, 1000});
  ready(number, 3, director.epoch(), 9 * kMillisecondNs);
  EXPECT_EQ(ahead_ns(number), 12 * kMillisecondNs + sail::kMessageLeadNs);
  // Absurd times are limited.
  director.measured("left", INT64_MAX);
  move(number, {3, 0, 2000, 1000});
  ready(number, 4, director.epoch(), INT64_MAX);
  EXPECT_EQ(ahead_ns(number), sail::kMaxLeadNs + sail::kMessageLeadNs);
}

TEST_F(DirectorTest, IdentifyIsALayoutOfItsOwn) {
  director.set_identify(true, now);
  const auto orders = director.take_orders();
  EXPECT_TRUE(only<SendScene>(orders)[0].scene.identify);
  EXPECT_EQ(only<SendGo>(orders)[0].go.scene_epoch, director.epoch());
  director.set_identify(true, now);
  EXPECT_TRUE(director.take_orders().empty());
}

TEST_F(DirectorTest, ATestPatternIsALayoutOfItsOwn) {
  director.set_pattern(sail::TestPattern::kRamp, now);
  const auto orders = director.take_orders();
  EXPECT_EQ(only<SendScene>(orders)[0].scene.pattern, sail::TestPattern::kRamp);
  EXPECT_EQ(only<SendScene>(orders)[0].change.pattern, sail::TestPattern::kRamp);
  director.set_pattern(sail::TestPattern::kRamp, now);
  EXPECT_TRUE(director.take_orders().empty());
}

// --- peers that continued without this manager ---

class ReturnTest : public testing::Test {
 protected:
  static constexpr uint64_t kFormerEpoch = 40;
  static constexpr uint32_t kStream = 3;

  void receiver(const std::string& name, uint16_t port, const ShownBefore& shown) {
    director.receiver_joined(name, {"10.0.0.1", port}, now, shown);
  }
  // Routes that the router computes for this place.
  sail::Routes routes_for(const sail::Rect& place) {
    WindowStack other;
    Director former(wall, other);
    former.receiver_joined("left", {"10.0.0.1", 1001}, now);
    former.receiver_joined("right", {"10.0.0.1", 1002}, now);
    (void)other.open(window(place));
    former.layout_changed(now);
    sail::Routes routes = only<SendRoutes>(former.take_orders()).at(0).routes;
    routes.stream = kStream;
    routes.epoch = kFormerEpoch;
    return routes;
  }
  static Window window(const sail::Rect& place) {
    Window window;
    window.title = "w";
    window.owner = 77;
    window.number = window.stream = kStream;
    window.frame_size = {1280, 640};
    window.block_size = sail::kDefaultBlockSize;
    window.secret = 5;
    window.wall_rect = place;
    return window;
  }
  void resume(const sail::Routes& routes, const sail::Rect& place) {
    director.resume(routes, now);
    (void)windows.open(window(place));
    director.layout_changed(now);
  }
  const sail::Rect kPlace{0, 0, 2000, 1000};
  const ShownBefore kShown{kFormerEpoch + 2, {kStream}};
  int64_t now = 1000 * kMillisecondNs;
  sail::Wall wall = two_tiles();
  WindowStack windows;
  Director director{wall, windows};
};

TEST_F(ReturnTest, ARecorderThatIsBackFirstHearsOfNoEmptyWall) {
  director.recorder_joined("camera", {"10.0.0.3", 1003}, {{0, 0, 400, 200}, {400, 200}}, 42, now);
  EXPECT_TRUE(director.take_orders().empty());
  director.tick(now += 100 * kMillisecondNs);
  receiver("left", 1001, kShown);
  receiver("right", 1002, kShown);
  resume(routes_for(kPlace), kPlace);
  const auto scenes = only<SendScene>(director.take_orders());
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].scene.windows.size(), 1U);
}

TEST_F(ReturnTest, ARecorderAloneHearsOfTheWallSoon) {
  director.recorder_joined("camera", {"10.0.0.3", 1003}, {{0, 0, 400, 200}, {400, 200}}, 42, now);
  director.tick(now += PeerReturn::kReturnNs);
  EXPECT_EQ(only<SendScene>(director.take_orders()).size(), 1U);
}

TEST_F(ReturnTest, WhatHasGoneOnIsLeftAlone) {
  receiver("left", 1001, kShown);
  EXPECT_TRUE(director.waits_for_peers(now));
  resume(routes_for(kPlace), kPlace);
  EXPECT_TRUE(director.take_orders().empty()) << "'right' is not back";
  receiver("right", 1002, kShown);
  EXPECT_FALSE(director.waits_for_peers(now)) << "all are back";
  const auto orders = director.take_orders();
  EXPECT_TRUE(only<SendRoutes>(orders).empty()) << "the stream goes on by the routes that it has";
  EXPECT_TRUE(only<SendTakeEffect>(orders).empty());
  const auto scenes = only<SendScene>(orders);
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].scene.epoch, kFormerEpoch + 3);
  EXPECT_EQ(scenes[0].scene.windows.at(0).epoch, kFormerEpoch) << "its frames stay good";
  EXPECT_EQ(only<SendGo>(orders).size(), 2U);
  EXPECT_TRUE(director.settled());
}

// The application reconnects last: no layout without its window may be shown.
TEST_F(ReturnTest, NothingIsShownWithoutTheWindow) {
  receiver("left", 1001, kShown);
  receiver("right", 1002, kShown);
  director.resume(routes_for(kPlace), now);
  EXPECT_TRUE(director.take_orders().empty());
  (void)windows.open(window(kPlace));
  director.layout_changed(now);
  const auto orders = director.take_orders();
  ASSERT_EQ(only<SendScene>(orders).size(), 1U);
  EXPECT_EQ(only<SendScene>(orders)[0].scene.windows.size(), 1U);
  EXPECT_TRUE(only<SendRoutes>(orders).empty());
}

// A receiver that restarted, and a stream visible only there, reconnect first.
TEST_F(ReturnTest, WhoKnowsOfNoOthersIsNotAll) {
  const sail::Rect on_left{0, 0, 500, 500};
  receiver("left", 1001, {});
  resume(routes_for(on_left), on_left);
  EXPECT_TRUE(director.waits_for_peers(now)) << "others may go on by that layout";
  EXPECT_TRUE(only<SendRoutes>(director.take_orders()).empty());
  receiver("right", 1002, kShown);
  EXPECT_FALSE(director.waits_for_peers(now)) << "it knows of all";
}

TEST_F(ReturnTest, WhoDoesNotComeBackIsNotWaitedForLong) {
  receiver("left", 1001, kShown);
  resume(routes_for(kPlace), kPlace);
  director.tick(now);
  EXPECT_TRUE(director.take_orders().empty());
  now += PeerReturn::kReturnNs;
  director.tick(now);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U) << "without 'right'";
  EXPECT_EQ(routes[0].routes.routes.size(), 1U);
  EXPECT_GT(routes[0].routes.epoch, kFormerEpoch + 2);
}

TEST_F(ReturnTest, WhatStandsElsewhereNowIsRoutedAnew) {
  const sail::Routes former = routes_for({500, 0, 1000, 500});
  receiver("left", 1001, kShown);
  receiver("right", 1002, kShown);
  resume(former, kPlace);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.wall_rect, kPlace);
}

TEST_F(ReturnTest, ReceiverThatCameBackElsewhereIsRoutedAnew) {
  receiver("left", 1001, kShown);
  resume(routes_for(kPlace), kPlace);
  receiver("right", 2002, {});
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.routes.at(1).port, 2002);
}

TEST_F(ReturnTest, NobodyHoldsUpLayoutsAgainAndAgain) {
  receiver("left", 1001, kShown);
  now += PeerReturn::kReturnNs;
  director.tick(now);
  sail::Routes routes = routes_for(kPlace);
  routes.epoch = 1000;
  director.resume(routes, now);
  EXPECT_FALSE(director.waits_for_peers(now));
  director.layout_changed(now);
  EXPECT_GT(director.epoch(), 1000U) << "epochs grow";
  receiver("right", 1002, {sail::kMaxCounter, {}});
  EXPECT_LT(director.epoch(), 2000U) << "and do not end";
}

TEST_F(ReturnTest, AFreshWallWaitsForNobody) {
  receiver("left", 1001, {});
  receiver("right", 1002, {});
  EXPECT_FALSE(director.waits_for_peers(now));
  EXPECT_EQ(only<SendScene>(director.take_orders()).size(), 2U);
}

TEST_F(ReturnTest, AManagerThatStoodStillWaitsForItsPeers) {
  receiver("left", 1001, {});
  receiver("right", 1002, {});
  (void)windows.open(window(kPlace));
  director.layout_changed(now);
  director.ready({.stream = kStream, .epoch = director.epoch(), .frame = 1}, now);
  director.tick(now);
  ASSERT_TRUE(director.settled());
  sail::Routes routes = only<SendRoutes>(director.take_orders()).back().routes;
  const uint64_t epoch = director.epoch();

  now += PeerReturn::kStallNs;
  director.receiver_left("left", now);
  director.receiver_left("right", now);
  EXPECT_TRUE(director.take_orders().empty()) << "they will be back";
  receiver("left", 1001, {epoch, {kStream}});
  director.resume(routes, now);
  director.layout_changed(now);
  EXPECT_TRUE(director.take_orders().empty());
  receiver("right", 1002, {epoch, {kStream}});
  EXPECT_FALSE(director.waits_for_peers(now));
  EXPECT_TRUE(only<SendRoutes>(director.take_orders()).empty());
}

// The peers timed out one after the other, while the manager's clock continued.
TEST_F(ReturnTest, AManagerThatWasCutOffWaitsForItsPeers) {
  receiver("left", 1001, {});
  receiver("right", 1002, {});
  (void)windows.open(window(kPlace));
  director.layout_changed(now);
  director.ready({.stream = kStream, .epoch = director.epoch(), .frame = 1}, now);
  sail::Routes routes = only<SendRoutes>(director.take_orders()).back().routes;
  const uint64_t epoch = director.epoch();
  now += PeerReturn::kStallNs;
  director.tick(now - PeerReturn::kStallNs / 2);
  director.tick(now);
  director.receiver_left("left", now);
  windows.find(kStream)->owner = 0;
  director.layout_changed(now);
  director.receiver_left("right", now);
  EXPECT_FALSE(director.take_orders().empty()) << "it goes on without them";

  receiver("left", 1001, {epoch, {kStream}});
  EXPECT_TRUE(director.take_orders().empty());
  windows.find(kStream)->owner = 78;
  director.resume(routes, now);
  director.layout_changed(now);
  EXPECT_TRUE(director.take_orders().empty());
  receiver("right", 1002, {epoch, {kStream}});
  EXPECT_FALSE(director.waits_for_peers(now));
  EXPECT_TRUE(only<SendRoutes>(director.take_orders()).empty()) << "the stream never stopped";
}

TEST_F(DirectorTest, RoutesSayWhichReceiversCanBeInMulticastGroups) {
  const uint32_t number = open({0, 0, 2000, 1000});
  const auto flags = [&](const sail::Wall& of_wall) {
    WindowStack one;
    Director alone(of_wall, one);
    alone.receiver_joined("left", {"10.0.0.1", 1001}, now, {}, Multicast::kYes);
    alone.receiver_joined("right", {"10.0.0.2", 1002}, now);
    (void)one.open(*windows.find(number));
    alone.layout_changed(now);
    std::map<std::string, bool> flags_of;
    const sail::Routes routes = only<SendRoutes>(alone.take_orders()).back().routes;
    for (const sail::Route& route : routes.routes) {
      flags_of[route.receiver] = route.multicast;
    }
    return flags_of;
  };
  using Flags = std::map<std::string, bool>;
  EXPECT_EQ(flags(wall), (Flags{{"left", false}, {"right", false}}));
  sail::Wall with_groups = wall;
  with_groups.multicast = sail::MulticastRange{.first = *sail::parse_ip("239.1.2.0"), .prefix = 24};
  EXPECT_EQ(flags(with_groups), (Flags{{"left", true}, {"right", false}}));
}

// The network returns after the last peer timed out, or before: no stream is notified.
TEST_F(ReturnTest, AManagerThatIsCutOffTellsNobodyOfTheFirstThatItMisses) {
  now = 10 * PeerReturn::kStallNs;
  for (const bool misses_all : {true, false}) {
    SCOPED_TRACE(misses_all);
    WindowStack one;
    Director alone(wall, one);
    alone.receiver_joined("left", {"10.0.0.1", 1001}, now);
    alone.receiver_joined("right", {"10.0.0.1", 1002}, now);
    (void)one.open(window(kPlace));
    alone.layout_changed(now);
    alone.ready({.stream = kStream, .epoch = alone.epoch(), .frame = 1}, now);
    alone.tick(now);
    const sail::Routes routes = only<SendRoutes>(alone.take_orders()).back().routes;
    const uint64_t epoch = alone.epoch();

    const auto lose = [&](const char* receiver) {
      alone.peer_fell_silent(now);
      alone.receiver_left(receiver, now);
      alone.tick(now += 300 * kMillisecondNs);
    };
    lose("left");
    alone.peer_fell_silent(now);
    one.find(kStream)->owner = 0;
    alone.layout_changed(now);
    if (misses_all) lose("right");
    alone.tick(now += 300 * kMillisecondNs);
    alone.receiver_joined("left", {"10.0.0.1", 1001}, now, {epoch, {kStream}});
    one.find(kStream)->owner = 78;
    alone.resume(routes, now);
    alone.layout_changed(now);
    if (misses_all) alone.receiver_joined("right", {"10.0.0.1", 1002}, now, {epoch, {kStream}});
    EXPECT_TRUE(alone.take_orders().empty());
    alone.tick(now += PeerReturn::kSilenceNs);
    const auto orders = alone.take_orders();
    EXPECT_EQ(only<SendScene>(orders).size(), 1U);
    for (const SendRoutes& reported : only<SendRoutes>(orders)) {
      EXPECT_EQ(reported.owner, 78U);
      EXPECT_EQ(reported.routes.routes.size(), 2U) << "nobody is left out";
    }
    EXPECT_EQ(only<SendRoutes>(orders).empty(), misses_all);
  }
}

// A notification would wait in the network, and later hide a visible stream.
TEST_F(ReturnTest, AManagerThatMayBeCutOffTellsNobodyThatThereIsNoReceiver) {
  receiver("left", 1001, {});
  (void)windows.open(window(kPlace));
  director.layout_changed(now);
  director.ready({.stream = kStream, .epoch = director.epoch(), .frame = 1}, now);
  (void)director.take_orders();
  director.receiver_left("left", now);
  director.tick(now += PeerReturn::kStallNs - 1);
  EXPECT_TRUE(director.take_orders().empty());
  director.tick(now += 1);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_TRUE(routes[0].routes.routes.empty()) << "it is gone for good";
}

TEST_F(ReturnTest, AReceiverThatWasAloneIsNotHeldUpForStreamsThatAreThere) {
  receiver("left", 1001, {});
  (void)windows.open(window(kPlace));
  director.layout_changed(now);
  (void)director.take_orders();
  const uint64_t epoch = director.epoch();
  director.receiver_left("left", now);
  (void)director.take_orders();
  receiver("left", 1001, {epoch, {kStream}});
  EXPECT_FALSE(director.waits_for_peers(now));
}

TEST_F(DirectorTest, ReportsAboutNothingAreIgnored) {
  const uint32_t number = shown_window();
  ready(4711, 2, director.epoch());
  ready(number, 2, director.epoch() + 5);
  ready(number, 2, 0);
  EXPECT_TRUE(director.take_orders().empty());
}

}  // namespace
}  // namespace manager
