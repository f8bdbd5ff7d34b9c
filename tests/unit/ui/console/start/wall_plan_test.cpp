// Wall files from users' answers and from the displays found.
#include "ui/console/start/wall_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/wall/wall.h"

namespace ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string mistake(const WallPlan& plan) {
  const auto file = wall_file(plan);
  return file ? "" : file.error().message;
}

TEST(WallPlanTest, TheAnswersMakeTheFile) {
  const auto file = wall_file({.name = "lab",
                               .columns = 4,
                               .rows = 2,
                               .mullion = "5.3x5.3mm",
                               .pixel_pitch_mm = 0.53,
                               .hosts = {"render1", "localhost", "wall@render3", "render4"}});
  ASSERT_TRUE(file) << file.error().message;
  const auto wall = sail::parse_wall(file->dump());
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->tiles.size(), 8U);
  EXPECT_EQ(wall->receivers.size(), 4U);
  EXPECT_EQ(wall->size.width, 4 * 1920 + 3 * 10);
  EXPECT_EQ((*file)["grid"]["tiles_per_receiver"], sail::Json({2, 1}));
  EXPECT_EQ(wall->receivers[0].host, "render1");
  EXPECT_EQ(wall->receivers[1].host, "");
  EXPECT_EQ(wall->receivers[2].host, "wall@render3");
}

TEST(WallPlanTest, WithoutAnAnswerItIsAWallOfThisHost) {
  const auto file = wall_file({});
  ASSERT_TRUE(file) << file.error().message;
  const auto wall = sail::parse_wall(file->dump());
  EXPECT_EQ(wall->tiles.size(), 4U);
  EXPECT_EQ(wall->receivers.size(), 1U);
}

TEST(WallPlanTest, MistakesAreSaid) {
  EXPECT_THAT(mistake({.resolution = "1920"}), HasSubstr("1920x1080"));
  EXPECT_THAT(mistake({.resolution = "0x0"}), HasSubstr("resolution"));
  EXPECT_THAT(mistake({.mullion = "5x5cm"}), HasSubstr("5.3x5.3mm"));
  EXPECT_THAT(mistake({.mullion = "5.5x5"}), HasSubstr("pixels"));
  EXPECT_THAT(mistake({.mullion = "5x5mm"}), HasSubstr("--pixel-pitch-mm"));
  EXPECT_THAT(mistake({.hosts = {"a", "b", "c"}}), HasSubstr("3 hosts"));
  EXPECT_THAT(mistake({.columns = 2000}), HasSubstr("columns"));
}

HostDisplays host_with(const std::string& name, size_t count, sail::Size size, double width_mm) {
  return {name, {"xrandr", std::vector(count, FoundDisplay{"DP-1", size, width_mm})}};
}

TEST(WallPlanTest, FoundDisplaysArePlanned) {
  const auto plan =
      plan_for({host_with("a", 2, {3840, 2160}, 1210), host_with("b", 2, {3840, 2160}, 1210),
                host_with("c", 2, {3840, 2160}, 1210)},
               {.hosts = {"a", "b", "c"}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->columns, 3);
  EXPECT_EQ(plan->rows, 2);
  EXPECT_EQ(plan->resolution, "3840x2160");
  EXPECT_DOUBLE_EQ(plan->pixel_pitch_mm, 0.315);
}

TEST(WallPlanTest, OutputsAreInTheOrderOfTheDesktop) {
  const HostDisplays host{"a",
                          {"xrandr",
                           {{.name = "DP-1", .resolution = {8, 8}, .x = 8, .y = 0},
                            {.name = "HDMI-1", .resolution = {8, 8}, .x = 0, .y = 0}}}};
  const auto plan = plan_for({host, host}, {.hosts = {"a", "b"}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->outputs,
              ElementsAre(ElementsAre("HDMI-1", "DP-1"), ElementsAre("HDMI-1", "DP-1")));
  const auto file = wall_file(*plan);
  ASSERT_TRUE(file) << file.error().message;
  const auto wall = sail::parse_wall(file->dump());
  ASSERT_TRUE(wall) << wall.error().message;
  ASSERT_EQ(wall->tiles.size(), 4U);
  for (const sail::Tile& tile : wall->tiles) {
    EXPECT_EQ(tile.output, tile.wall_rect.x == 0 ? "HDMI-1" : "DP-1") << tile.name;
    EXPECT_FALSE(tile.has_window_at);
  }
  EXPECT_THAT(wall_warnings(*wall), IsEmpty());
}

TEST(WallPlanTest, OneDisplayNeedsNoOutput) {
  const auto plan = plan_for({host_with("a", 1, {1920, 1080}, 0)}, {.hosts = {"a"}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->outputs, IsEmpty());
}

TEST(WallPlanTest, WhatIsNoGridIsLeftToPeople) {
  const auto why = [](const std::vector<HostDisplays>& hosts) {
    const auto plan = plan_for(hosts, {});
    return plan ? "" : plan.error().message;
  };
  const HostDisplays one = host_with("a", 1, {1920, 1080}, 0);
  EXPECT_THAT(why({one, host_with("b", 0, {}, 0)}), HasSubstr("no display found on b"));
  EXPECT_THAT(why({one, host_with("b", 2, {1920, 1080}, 0)}), HasSubstr("different numbers"));
  EXPECT_THAT(why({one, host_with("b", 1, {1280, 720}, 0)}), HasSubstr("1920×1080 and 1280×720"));
}

}  // namespace

}  // namespace ui
