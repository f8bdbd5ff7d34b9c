#include "sail/core/wall/power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/wall/wall.h"

namespace sail {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPowerWall = R"({
  "power": {"on": ["tv", "1"], "off": ["tv", "0"], "status": ["tv"], "status_on": "is on"},
  "receivers": [
    {"name": "left", "power": {"pjlink": "10.0.0.21", "password_file": "projector"}},
    {"name": "right"}],
  "tiles": [
    {"name": "a", "receiver": "left", "at": [0, 0], "resolution": [64, 64]},
    {"name": "b", "receiver": "left", "at": [64, 0], "resolution": [64, 64],
     "power": {"pjlink": "10.0.0.22", "port": 4353}},
    {"name": "c", "receiver": "right", "at": [128, 0], "resolution": [64, 64]}]})";

std::string power_mistake(const std::string& power) {
  const auto wall = parse_wall(
      R"({"grid": {"columns": 1, "rows": 1, "resolution": [64, 64]}, "power": )" + power + "}");
  EXPECT_FALSE(wall) << power;
  return wall ? "" : wall.error().message;
}

TEST(Power, ATilesControlPrecedesThatOfTheReceiverAndOfTheWall) {
  const auto wall = parse_wall(kPowerWall);
  ASSERT_TRUE(wall) << wall.error().message;
  const NodePower left = node_power(*wall, "left");
  ASSERT_TRUE(left.find("a"));
  EXPECT_EQ(*left.find("a"), (PowerControl{.pjlink = "10.0.0.21", .password_file = "projector"}));
  EXPECT_EQ(*left.find("b"), (PowerControl{.pjlink = "10.0.0.22", .port = 4353}));
  const NodePower right = node_power(*wall, "right");
  ASSERT_TRUE(right.find("c"));
  EXPECT_EQ(*right.find("c"),
            (PowerControl{
                .on = {"tv", "1"}, .off = {"tv", "0"}, .status = {"tv"}, .status_on = "is on"}));
  EXPECT_TRUE(right.tiles.empty());
  EXPECT_TRUE(NodePower().empty());
  EXPECT_EQ(NodePower().find("c"), nullptr);
}

TEST(Power, AWallAndAReceiversOptionAreReadBackAsTheyWere) {
  const auto wall = parse_wall(kPowerWall);
  ASSERT_TRUE(wall) << wall.error().message;
  const auto again = parse_wall(wall_json(*wall).dump());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == *wall);
  for (const char* receiver : {"left", "right"}) {
    const NodePower power = node_power(*wall, receiver);
    const auto option = parse_node_power(node_power_json(power).dump());
    ASSERT_TRUE(option) << option.error().message;
    EXPECT_TRUE(option->node == power.node);
    EXPECT_TRUE(option->tiles == power.tiles);
  }
}

TEST(Power, MistakesAreNamed) {
  EXPECT_THAT(power_mistake("{}"), HasSubstr("wall: power: 'on'"));
  EXPECT_THAT(power_mistake("{}"), HasSubstr("'status_on'"));
  EXPECT_THAT(power_mistake(R"({"on": "tv 1"})"), HasSubstr("'on'"));
  EXPECT_THAT(power_mistake(R"({"pjlink": "10.0.0.21:4352"})"),
              HasSubstr("'port' is a key of its own"));
  EXPECT_THAT(power_mistake(R"({"pjlink": "a", "port": 0})"), HasSubstr("'port'"));
  EXPECT_THAT(power_mistake(R"({"pjlink": "a", "on": ["tv"]})"), HasSubstr("'on'"));
  EXPECT_THAT(power_mistake("7"), HasSubstr("'power'"));
  const std::string word(256, 'w');
  EXPECT_THAT(power_mistake(R"({"on": [")" + word + R"("]})"), HasSubstr("at most 16 words"));
}

TEST(Power, MistakesOfAReceiversOptionAreNamed) {
  EXPECT_TRUE(parse_node_power("{}")->empty());
  EXPECT_FALSE(parse_node_power("on"));
  const auto wrong = parse_node_power(R"({"node": {"pjlink": ""}, "tiles": {"a": {}}, "b": 1})");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("power: node: 'pjlink'"));
  EXPECT_THAT(wrong.error().message, HasSubstr("power: tiles: a: 'on'"));
  EXPECT_THAT(wrong.error().message, HasSubstr("'b'"));
}

}  // namespace
}  // namespace sail
