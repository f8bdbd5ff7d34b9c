// Content and size of the messages to subscribers.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "manager/peers/change_feed.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class FeedsTest : public ManagerTest {
 protected:
  FeedsTest() { start(); }

  std::set<uint32_t> open_windows(ScriptedPeer& app, size_t count) {
    std::set<uint32_t> numbers;
    for (size_t i = 0; i < count; ++i) numbers.insert(open_stream(app, sail::Rect{0, 0, 100, 100}));
    return numbers;
  }
};

// Adds the window numbers of one message.
void collect(const Json& message, std::set<uint32_t>& numbers) {
  for (const Json& window : message["windows"]) numbers.insert(window["window"].get<uint32_t>());
}

TEST_F(FeedsTest, ManyWindowsFollowTheAnswerInPortions) {
  const auto app = application();
  constexpr size_t kWindows = 2 * kMaxInBatch + 10;
  const std::set<uint32_t> opened = open_windows(*app, kWindows);
  const auto console = ui();
  const Json state = console->expect("subscribe");
  EXPECT_EQ(state["total"], kWindows);
  EXPECT_EQ(state["windows"].size(), kMaxInBatch);
  std::set<uint32_t> reported;
  collect(state, reported);
  for (int portion = 0; portion < 2; ++portion) {
    const Json rest = console->next("changed");
    EXPECT_EQ(rest["revision"], state["revision"]);
    collect(rest, reported);
    EXPECT_EQ(rest.value("order", Json::array()).size(), portion == 1 ? kWindows : 0);
  }
  EXPECT_EQ(reported, opened);
  console->expect("move", {{"window", *opened.begin()}, {"x", 5}, {"y", 5}});
  EXPECT_EQ(console->next("changed")["revision"], state["revision"].get<uint64_t>() + 1);
}

TEST_F(FeedsTest, ANewClientGetsTheStateThatAListHas) {
  const auto left = receiver("left");
  const auto app = application();
  open_windows(*app, 3);
  const auto ann = ui();
  const auto bert = welcome(sail::Role::kUi, "b\"é");
  const auto same_as_list = [this](ScriptedPeer& client) {
    Json state;
    wait_asking([&] {
      state = client.expect("subscribe");
      return state == client.expect("list");
    });
    return state;
  };
  EXPECT_EQ(same_as_list(*ann)["clients"].size(), 1U);
  const Json state = same_as_list(*bert);
  EXPECT_EQ(state["clients"].size(), 2U);
  EXPECT_EQ(state["clients"][1]["name"], "b\"é");
  EXPECT_EQ(same_as_list(*ann)["clients"], state["clients"]);
}

TEST_F(FeedsTest, ANewClientGetsWhatChangedJustBefore) {
  const auto app = application();
  const uint32_t window = open_stream(*app);
  const auto ann = ui();
  const auto bert = ui();
  const Json before = ann->expect("subscribe");
  ann->expect("move", {{"window", window}, {"x", 7}, {"y", 5}});
  const Json after = bert->expect("subscribe");
  EXPECT_GT(after["revision"], before["revision"]);
  EXPECT_EQ(after["windows"][0]["rect"][0], 7);
  const auto left = receiver("left");
  EXPECT_EQ(ann->expect("subscribe")["receivers"][0]["connected"], true);
  app->expect("close_stream", {{"stream", window}});
  EXPECT_TRUE(ann->expect("subscribe")["windows"].empty());
}

TEST_F(FeedsTest, AListIsHadInPortions) {
  const auto app = application();
  const std::set<uint32_t> opened = open_windows(*app, kMaxInBatch + 10);
  const auto console = ui();
  std::set<uint32_t> reported;
  collect(console->expect("list"), reported);
  EXPECT_EQ(reported.size(), kMaxInBatch);
  collect(console->expect("list", {{"skip", kMaxInBatch}}), reported);
  EXPECT_EQ(reported, opened);
  EXPECT_EQ(console->expect("stats", {{"skip", kMaxInBatch}})["windows"].size(), 10U);
}

TEST_F(FeedsTest, FiguresComeToThoseWhoWantThem) {
  const auto left = receiver("left");
  const auto app = application();
  const auto wanting = ui();
  const auto other = ui();
  const uint32_t window = open_stream(*app);
  wanting->expect("subscribe", {{"figures", true}});
  other->expect("subscribe");
  app->notify("stream_stats",
              to_json(sail::StreamStats{.stream = window, .frames_dropped = 3, .fps_shown = 29.5}));
  left->notify("receiver_stats", to_json(sail::ReceiverStats{.frames_shown = 7}));
  bool window_told = false;
  bool receiver_told = false;
  while (!window_told || !receiver_told) {
    const Json figures = wanting->next("figures");
    ASSERT_TRUE(figures.is_object());
    for (const Json& one : figures["windows"]) {
      EXPECT_EQ(one["window"], window);
      EXPECT_EQ(one["fps"], 29.5);
      EXPECT_EQ(one["frames_dropped"], 3);
      window_told = true;
    }
    for (const Json& one : figures["receivers"]) {
      EXPECT_EQ(one["name"], "left");
      EXPECT_EQ(one["frames_shown"], 7);
      receiver_told = true;
    }
  }
  // Unchanged figures are not sent again at once, but to each new client.
  app->notify("stream_stats",
              to_json(sail::StreamStats{.stream = window, .frames_dropped = 3, .fps_shown = 29.5}));
  left->notify("receiver_stats", to_json(sail::ReceiverStats{.frames_shown = 8}));
  EXPECT_TRUE(wanting->next("figures")["windows"].empty());
  const auto late = ui();
  late->expect("subscribe", {{"figures", true}});
  EXPECT_EQ(late->next("figures")["windows"].size(), 1U);
  other->expect("list");
  for (const ScriptedPeer::Message& message : other->messages) {
    EXPECT_NE(message.method, "figures");
    EXPECT_FALSE(message.params.contains("stats"));
  }
}

TEST_F(FeedsTest, SwitchesOfTheWallAreSentWhenTheyChange) {
  const auto app = application();
  const uint32_t window = open_stream(*app);
  const auto operating = ui();
  const auto identify = [&](bool on) { operating->expect("identify", {{"on", on}}); };
  identify(true);  // nobody follows
  const auto console = ui();
  EXPECT_EQ(console->expect("subscribe")["identify"], true);
  const auto next = [&] {
    Json change = console->next("changed");
    while (change.contains("clients")) change = console->next("changed");
    return change;
  };
  identify(false);
  Json change = next();
  EXPECT_EQ(change["identify"], false);
  EXPECT_FALSE(change.contains("overlay"));
  operating->expect("move", {{"window", window}, {"x", 5}, {"y", 5}});
  change = next();
  EXPECT_TRUE(change.contains("windows"));
  for (const char* name : {"identify", "calibrate", "overlay", "sound", "strokes", "blank_areas"}) {
    EXPECT_FALSE(change.contains(name)) << name;
  }
}

TEST_F(FeedsTest, DrawingsComeToThoseWhoWantThem) {
  const auto app = application();
  const auto ann = ui();
  const auto other = ui();
  const uint32_t window = open_stream(*app, sail::Rect{100, 100, 200, 100});
  const auto rect = ann->expect("list")["windows"][0]["rect"].get<std::array<int, 4>>();
  const auto [x, y, width, height] = rect;
  ann->expect("annotate", {{"points", {{x, y}, {x + width, y + height}}}, {"window", window}});
  ann->expect("subscribe", {{"drawings", true}});
  other->expect("subscribe");
  const Json drawn = ann->next("drawings")["drawings"];
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_EQ(drawn[0]["window"], window);
  EXPECT_EQ(drawn[0]["strokes"][0]["points"], Json({0, 0, 65535, 65535})) << "parts of the window";
  ann->expect("move", {{"window", window}, {"x", 500}, {"y", 500}});
  ann->expect("annotate", {{"points", {{1, 1}}}, {"opacity", 0.5}});
  const Json on_wall = ann->next("drawings")["drawings"];
  ASSERT_EQ(on_wall.size(), 1U) << "a moved window has the same strokes";
  EXPECT_FALSE(on_wall[0].contains("window"));
  EXPECT_EQ(on_wall[0]["strokes"][0]["opacity"], 50);
  ann->expect("annotate_erase", {{"points", {{1, 1}}}});
  EXPECT_EQ(ann->next("drawings")["drawings"][0], Json({{"keep", 0}, {"strokes", Json::array()}}));
  ann->expect("undo");
  EXPECT_EQ(ann->next("drawings")["drawings"][0]["strokes"].size(), 1U);
  other->expect("list");
  for (const ScriptedPeer::Message& message : other->messages) {
    EXPECT_NE(message.method, "drawings");
  }
}

}  // namespace
}  // namespace manager
