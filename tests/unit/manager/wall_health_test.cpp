#include "manager/wall_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace manager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// "left" has the tiles a and b, "right" has c, 1000×1000 each, in a row.
sail::Wall three_tiles() {
  sail::Wall wall;
  wall.name = "three";
  wall.size = {3000, 1000};
  wall.receivers = {{"left", ""}, {"right", ""}};
  for (int i = 0; i < 3; ++i) {
    sail::Tile tile;
    tile.name = std::string(1, static_cast<char>('a' + i));
    tile.receiver = i < 2 ? "left" : "right";
    tile.wall_rect = {1000 * i, 0, 1000, 1000};
    tile.resolution = {1000, 1000};
    wall.tiles.push_back(tile);
  }
  return wall;
}

class WallHealthTest : public testing::Test {
 protected:
  WallHealthTest() {
    receivers.find("left")->peer = 1;
    receivers.find("right")->peer = 2;
  }
  Window& open(const sail::Rect& place) {
    Window window;
    window.title = "Film";
    window.wall_rect = place;
    return **windows.open(window);
  }
  bool look(const std::string& disk_trouble = "") {
    return health.look(wall, windows, receivers, disk_trouble);
  }

  sail::Wall wall = three_tiles();
  WindowStack windows;
  ReceiverRoster receivers{wall};
  WallHealth health;
};

TEST_F(WallHealthTest, AWallOfWhichNothingIsMissingIsWell) {
  EXPECT_FALSE(look());
  EXPECT_EQ(health.grade(), Grade::kWell);
  EXPECT_EQ(health.sentence(), "all is well");
}

TEST_F(WallHealthTest, AReceiverThatIsAwayIsNamedWithItsTiles) {
  receivers.find("left")->peer = 0;
  EXPECT_TRUE(look());
  EXPECT_FALSE(look()) << "told already";
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "receiver 'left' is away: nothing is shown on 'a', 'b'");
  EXPECT_EQ(to_json(health)["problems"][0]["receiver"], "left");
  receivers.find("left")->peer = 3;
  EXPECT_TRUE(look());
  EXPECT_THAT(health.problems(), IsEmpty());
}

TEST_F(WallHealthTest, AWindowWithoutASignalIsNamedAtOnce) {
  Window& window = open({0, 0, 500, 500});
  window.playback = sail::Playback{.live = true, .silent_since_s = 1'000'000};
  EXPECT_TRUE(look());
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_THAT(health.sentence(), HasSubstr("no signal since"));
}

TEST_F(WallHealthTest, AWindowThatStaysSlowIsNamed) {
  Window& window = open({0, 0, 500, 500});
  window.health.report({Grade::kSlow, Narrow::kEncoding, "160 ms"});
  EXPECT_FALSE(look());
  for (int i = 0; i < 2; ++i) window.health.report({Grade::kSlow, Narrow::kEncoding, "161 ms"});
  EXPECT_TRUE(look());
  EXPECT_EQ(health.sentence(), "window 1 “Film” shows fewer frames than it should");
  window.health.report({Grade::kSlow, Narrow::kEncoding, "162 ms"});
  EXPECT_FALSE(look()) << "figures change all the time";
}

TEST_F(WallHealthTest, ARankThatIsAwayIsNamedAtOnce) {
  Window& window = open({0, 0, 1000, 1000});
  window.parts = {{.owner = 1, .owner_name = "sim", .region = {0, 0, 100, 50}},
                  {.owner = 2, .owner_name = "sim", .region = {0, 50, 100, 50}},
                  {.owner = 3, .owner_name = "sim", .region = {0, 100, 100, 50}}};
  EXPECT_FALSE(look());
  window.parts[1].silent = true;
  window.parts[1].since_s = 1'000'000'000;
  ASSERT_TRUE(look());
  EXPECT_THAT(health.sentence(), HasSubstr("window 1 “Film”: rank 1 of 3 (sim) hands over no "
                                           "frames since "));
  EXPECT_THAT(health.sentence(), HasSubstr(": the others wait for it"));
  window.absent = sail::AbsentPart::kDark;
  window.parts[1].owner = 0;
  window.parts[2].owner = 0;
  ASSERT_TRUE(look());
  EXPECT_THAT(health.sentence(), HasSubstr("rank 1 of 3 (sim) is gone since "));
  EXPECT_THAT(health.sentence(), HasSubstr(": its part is dark (and 1 more)"));
  EXPECT_EQ(window.measured_stream(), window.parts[0].stream) << "of a rank that tells some";
}

TEST_F(WallHealthTest, WhatIsWorseComesFirst) {
  for (int i = 0; i < 3; ++i) {
    Window& window = open({0, 0, 500, 500});
    for (int k = 0; k < 3; ++k) window.health.report({Grade::kSlow, Narrow::kUnknown, ""});
  }
  EXPECT_TRUE(look("no space left on device"));
  EXPECT_THAT(health.problems(), SizeIs(4));
  EXPECT_EQ(health.sentence(), "the wall cannot be saved: no space left on device (and 3 more)");
}

TEST_F(WallHealthTest, AWindowWithADarkPartIsToldByItsReceiver) {
  Window& window = open({0, 0, 500, 500});
  for (int i = 0; i < 3; ++i) window.health.report({Grade::kBad, Narrow::kReceiverAway, ""});
  EXPECT_FALSE(look());
}

TEST_F(WallHealthTest, AStreamPassesTheReceiversThatShowIt) {
  Window& window = open({500, 0, 1000, 1000});
  receivers.find("left")->stats = sail::ReceiverStats{.decode_pct = 12};
  receivers.find("right")->stats = sail::ReceiverStats{.decode_pct = 34};
  sail::StreamStats stats;
  stats.links.push_back({.receiver = "left"});
  const Flow flow = flow_of(window, stats, wall, receivers);
  ASSERT_THAT(flow.nodes, SizeIs(1));
  EXPECT_EQ(flow.nodes[0].name, "left");
  EXPECT_EQ(flow.nodes[0].stats.decode_pct, 12);
  EXPECT_THAT(flow.away, IsEmpty());
}

TEST_F(WallHealthTest, ReceiversBeneathAWindowThatAreAwayAreFound) {
  Window& window = open({1500, 0, 1000, 1000});
  receivers.find("left")->peer = 0;
  receivers.find("right")->peer = 0;
  EXPECT_THAT(flow_of(window, {}, wall, receivers).away, ElementsAre("left", "right"));
  window.wall_rect.x = 2000;
  EXPECT_THAT(flow_of(window, {}, wall, receivers).away, ElementsAre("right"));
}

}  // namespace
}  // namespace manager
