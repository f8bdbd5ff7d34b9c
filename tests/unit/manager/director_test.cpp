#include "manager/director.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sail/wire/limits.h"
#include "tests/unit/manager/two_tiles.h"

namespace manager {
namespace {

constexpr int64_t kMs = 1'000'000;

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
  DirectorTest() {
    director.receiver_joined("left", "10.0.0.1", 1001, now);
    director.receiver_joined("right", "10.0.0.2", 1002, now);
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
  void ready(const std::string& receiver, uint32_t stream, uint64_t frame, uint64_t epoch,
             int64_t render_ns = 0) {
    director.ready(receiver, {stream, frame, epoch, render_ns}, now);
  }
  // Opens the window and shows its frame 1 on both tiles.
  uint32_t shown_window() {
    const uint32_t number = open({0, 0, 2000, 1000});
    ready("left", number, 1, director.epoch());
    ready("right", number, 1, director.epoch());
    director.take_orders();
    EXPECT_TRUE(director.settled());
    return number;
  }

  int64_t now = 1000 * kMs;
  sail::Wall wall = two_tiles();
  WindowStack windows;
  Director director{wall, windows};
};

TEST_F(DirectorTest, NewWindowIsShownWithItsFirstFrame) {
  const uint64_t before = director.epoch();
  const uint32_t number = open({0, 0, 2000, 1000});
  const auto begun = director.take_orders();

  // The scene first, then the routes, all of the same new epoch.
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

  ready("left", number, 1, before + 1);
  EXPECT_TRUE(director.take_orders().empty());
  ready("right", number, 1, before + 1);
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_EQ(gos.size(), 2U);
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

TEST_F(DirectorTest, FramesGoTogetherWithoutATransaction) {
  const uint32_t number = shown_window();
  ready("left", number, 2, director.epoch());
  EXPECT_TRUE(director.take_orders().empty());
  ready("right", number, 2, director.epoch());
  const auto orders = director.take_orders();
  ASSERT_EQ(orders.size(), 1U);
  const auto& go = std::get<SendGo>(orders[0]);
  EXPECT_EQ(go.receivers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(go.go.scene_epoch, 0U);
  EXPECT_EQ(go.go.frames[0].frame, 2U);
}

TEST_F(DirectorTest, OldMapGoesOnUntilTheLayoutChangesAndThenIsOver) {
  const uint32_t number = shown_window();
  const uint64_t old_epoch = director.epoch();
  move(number, {0, 0, 1000, 500});  // now on "left" alone
  director.take_orders();

  // A frame that was on its way by the old map is still shown by it.
  ready("left", number, 2, old_epoch);
  ready("right", number, 2, old_epoch);
  const auto before = only<SendGo>(director.take_orders());
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].go.scene_epoch, 0U);

  // The same frame by the new map: the layout changes with it, on both tiles.
  ready("left", number, 2, old_epoch + 1);
  const auto commit = only<SendGo>(director.take_orders());
  ASSERT_EQ(commit.size(), 2U);
  EXPECT_EQ(commit[0].receivers, std::vector<std::string>{"left"});
  EXPECT_EQ(commit[0].go.frames.size(), 1U);
  EXPECT_EQ(commit[1].receivers, std::vector<std::string>{"right"});
  EXPECT_TRUE(commit[1].go.frames.empty());
  EXPECT_EQ(commit[1].go.scene_epoch, old_epoch + 1);

  // Frames of the old map that come now do nothing.
  ready("left", number, 3, old_epoch);
  ready("right", number, 3, old_epoch);
  EXPECT_TRUE(director.take_orders().empty());
}

TEST_F(DirectorTest, OtherStreamsAreNotDisturbed) {
  const uint32_t still = open({0, 0, 400, 200});
  ready("left", still, 1, director.epoch());
  const uint64_t still_epoch = director.epoch();
  const uint32_t moved = open({1200, 0, 400, 200});
  ready("right", moved, 1, director.epoch());
  director.take_orders();
  ASSERT_TRUE(director.settled());

  move(moved, {1300, 100, 400, 200});
  for (const SendRoutes& routes : only<SendRoutes>(director.take_orders())) {
    EXPECT_EQ(routes.routes.stream, moved);
  }
  // During the transaction and after it, the other stream's map has the epoch it had.
  ready("left", still, 2, still_epoch);
  EXPECT_EQ(only<SendGo>(director.take_orders()).size(), 1U);
  ready("right", moved, 1, director.epoch());
  director.take_orders();
  ready("left", still, 3, still_epoch);
  EXPECT_EQ(only<SendGo>(director.take_orders()).size(), 1U);
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

  ready("left", number, 1, epoch + 1);
  ready("right", number, 1, epoch + 1);
  const auto orders = director.take_orders();
  const auto scenes = only<SendScene>(orders);
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].scene.epoch, epoch + 2);
  EXPECT_EQ(scenes[0].scene.windows[0].wall_rect.x, 30);
  EXPECT_TRUE(std::holds_alternative<SendGo>(orders.front())) << "the first change is shown first";
}

TEST_F(DirectorTest, LayoutIsShownAfterTheTimeoutWithWhatHasArrived) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  move(number, {10, 0, 2000, 1000});
  ready("left", number, 1, epoch + 1);
  director.take_orders();
  now += sail::kTransactionTimeoutMs * kMs - 1;
  director.tick(now);
  EXPECT_TRUE(only<SendGo>(director.take_orders()).empty());
  now += 1;
  director.tick(now);
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_EQ(gos.size(), 2U);
  EXPECT_EQ(gos[0].go.scene_epoch, epoch + 1);
  EXPECT_TRUE(gos[0].go.frames.empty());
  EXPECT_EQ(director.counters().layouts_timed_out, 1U);
  // What comes later is shown as usual.
  ready("right", number, 1, epoch + 1);
  EXPECT_EQ(only<SendGo>(director.take_orders()).size(), 1U);
}

TEST_F(DirectorTest, StreamThatNeverSendsDelaysOnlyOneLayout) {
  const uint32_t mute = open({0, 0, 2000, 1000});
  now += sail::kTransactionTimeoutMs * kMs;
  director.tick(now);
  ASSERT_TRUE(director.settled());
  move(mute, {5, 5, 2000, 1000});
  EXPECT_TRUE(director.settled()) << "it was not waited for";
  ready("left", mute, 1, director.epoch());
  ready("right", mute, 1, director.epoch());
  move(mute, {6, 6, 2000, 1000});
  EXPECT_FALSE(director.settled()) << "it has frames now: it is waited for again";
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

TEST_F(DirectorTest, ReceiverThatDiesLeavesTheBarrierAtOnceAndTheRoutesNext) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  ready("left", number, 2, epoch);
  EXPECT_TRUE(director.take_orders().empty());
  director.receiver_left("right", now);
  const auto orders = director.take_orders();
  ASSERT_GE(orders.size(), 3U);
  const auto& go = std::get<SendGo>(orders[0]);
  EXPECT_EQ(go.receivers, std::vector<std::string>{"left"});
  EXPECT_EQ(go.go.frames[0].frame, 2U);
  EXPECT_EQ(std::get<SendScene>(orders[1]).receivers, std::vector<std::string>{"left"});
  const auto& routes = std::get<SendRoutes>(orders[2]).routes;
  EXPECT_EQ(routes.epoch, epoch + 1);
  ASSERT_EQ(routes.routes.size(), 1U);
  EXPECT_EQ(routes.routes[0].receiver, "left");
}

TEST_F(DirectorTest, ReceiverThatDiesDuringATransactionEndsTheWait) {
  const uint32_t number = open({0, 0, 2000, 1000});
  const uint64_t epoch = director.epoch();
  ready("left", number, 1, epoch);
  director.take_orders();
  director.receiver_left("right", now);
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_FALSE(gos.empty());
  EXPECT_EQ(gos[0].go.scene_epoch, epoch);
  EXPECT_EQ(gos[0].go.frames.size(), 1U);
  EXPECT_EQ(director.epoch(), epoch + 1) << "and routes without it follow";
}

TEST_F(DirectorTest, ReceiverThatReturnsGetsItsStreamsByANewEpoch) {
  const uint32_t number = shown_window();
  director.receiver_left("right", now);
  ready("left", number, 1, director.epoch());
  director.take_orders();
  ASSERT_TRUE(director.settled());
  director.receiver_joined("right", "10.0.0.9", 2002, now);
  const auto orders = director.take_orders();
  EXPECT_EQ(only<SendScene>(orders)[0].receivers, (std::vector<std::string>{"left", "right"}));
  const auto routes = only<SendRoutes>(orders);
  ASSERT_EQ(routes.size(), 1U);
  ASSERT_EQ(routes[0].routes.routes.size(), 2U);
  EXPECT_EQ(routes[0].routes.routes[1].host, "10.0.0.9");
  EXPECT_EQ(routes[0].routes.routes[1].port, 2002);
}

// Gone and back while another change is under way: the maps look the same and yet are not.
TEST_F(DirectorTest, ReceiverThatReturnsAtTheSameAddressIsANewOne) {
  const uint32_t number = shown_window();
  move(number, {10, 0, 2000, 1000});
  director.receiver_left("right", now);
  director.receiver_joined("right", "10.0.0.2", 1002, now);
  director.take_orders();
  const uint64_t epoch = director.epoch();
  ready("left", number, 1, epoch);
  const auto routes = only<SendRoutes>(director.take_orders());
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].routes.epoch, epoch + 1);
  EXPECT_EQ(routes[0].routes.routes.size(), 2U);
}

TEST_F(DirectorTest, HangingReceiverIsLeftBehindAndCaughtUpLater) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  ready("left", number, 2, epoch);
  now += sail::kBarrierTimeoutMs * kMs;
  director.tick(now);
  EXPECT_EQ(only<SendGo>(director.take_orders()).size(), 1U);
  EXPECT_EQ(director.counters().left_behind, 1U);
  // The frame comes after all: it is shown there alone.
  ready("right", number, 2, epoch);
  const auto gos = only<SendGo>(director.take_orders());
  ASSERT_EQ(gos.size(), 1U);
  EXPECT_EQ(gos[0].receivers, std::vector<std::string>{"right"});
  EXPECT_EQ(gos[0].go.frames[0].frame, 2U);
  // And it counts again.
  ready("left", number, 3, epoch);
  EXPECT_TRUE(director.take_orders().empty());
}

TEST_F(DirectorTest, GoIsAsFarAheadAsTheSlowestMemberNeeds) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  ready("left", number, 2, epoch, 3 * kMs);
  ready("right", number, 2, epoch, 9 * kMs);
  const auto go = only<SendGo>(director.take_orders())[0].go;
  EXPECT_EQ(go.at_ns, now + 9 * kMs + kMessageLeadNs);
}

TEST_F(DirectorTest, AbsurdRenderTimesAreBounded) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  ready("left", number, 2, epoch, INT64_MAX);
  ready("right", number, 2, epoch, INT64_MIN);
  const auto go = only<SendGo>(director.take_orders())[0].go;
  EXPECT_EQ(go.at_ns, now + kMaxLeadNs + kMessageLeadNs);
}

TEST_F(DirectorTest, InstantsOfAStreamNeverGoBack) {
  const uint32_t number = shown_window();
  const uint64_t epoch = director.epoch();
  int64_t last_ns = 0;
  for (uint64_t frame = 2; frame < 200; ++frame) {
    const int64_t render_ns = frame == 2 ? kMaxLeadNs : 0;
    ready("left", number, frame, epoch, render_ns);
    ready("right", number, frame, epoch, render_ns);
    const auto go = only<SendGo>(director.take_orders()).at(0).go;
    EXPECT_GE(go.at_ns, last_ns);
    EXPECT_GE(go.at_ns, now + kMessageLeadNs);
    last_ns = go.at_ns;
    now += kMs / 4;
  }
  // The slow frame is forgotten in the end.
  EXPECT_LT(last_ns - now, 2 * kMs);
}

TEST_F(DirectorTest, IdentifyIsALayoutOfItsOwn) {
  director.set_identify(true, now);
  const auto orders = director.take_orders();
  EXPECT_TRUE(only<SendScene>(orders)[0].scene.identify);
  EXPECT_EQ(only<SendGo>(orders)[0].go.scene_epoch, director.epoch());
  director.set_identify(true, now);
  EXPECT_TRUE(director.take_orders().empty());
}

TEST_F(DirectorTest, ReportsAboutNothingAreIgnored) {
  const uint32_t number = shown_window();
  ready("nobody", number, 2, director.epoch());
  ready("left", 4711, 2, director.epoch());
  ready("left", number, 2, director.epoch() + 5);
  ready("left", number, 2, 0);
  EXPECT_TRUE(director.take_orders().empty());
}

}  // namespace
}  // namespace manager
