// Wall files from users' answers and from the displays found; the output of display tools.
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

constexpr const char* kXrandr =
    R"(Screen 0: minimum 320 x 200, current 4920 x 2160, maximum 16384 x 16384
HDMI-1 connected primary 3840x2160+0+0 (normal left inverted right x axis y axis) 1210mm x 680mm
   3840x2160     60.00*+  50.00    30.00
   1920x1080     60.00    50.00
DP-1 connected 1080x1920+3840+0 left (normal left inverted right x axis y axis) 527mm x 296mm
   1920x1080     60.00*+
DP-2 connected (normal left inverted right x axis y axis)
   1920x1080     60.00 +
VGA-1 disconnected (normal left inverted right x axis y axis)
)";

constexpr const char* kWlrRandr =
    R"text(HDMI-A-1 "Acme Corp. LCD55 (HDMI-A-1)"
  Make: Acme Corp.
  Physical size: 1210x680 mm
  Enabled: yes
  Modes:
    3840x2160 px, 60.000000 Hz (preferred, current)
    1920x1080 px, 60.000000 Hz
  Position: 0,0
  Transform: normal
  Scale: 1.000000
DP-1 "Acme Corp. LCD24 (DP-1)"
  Physical size: 528x297 mm
  Enabled: yes
  Modes:
    1920x1080 px, 60.000000 Hz (preferred, current)
  Position: 3840,120
  Transform: 90
DP-2 "Acme Corp. off"
  Enabled: no
  Modes:
    1920x1080 px, 60.000000 Hz (preferred)
)text";

TEST(FoundDisplays, OfXrandr) {
  EXPECT_THAT(displays_of_xrandr(kXrandr),
              ElementsAre(FoundDisplay{"HDMI-1", {3840, 2160}, 1210},
                          FoundDisplay{"DP-1", {1080, 1920}, 296, 3840, 0}));
}

TEST(FoundDisplays, OfWlrRandr) {
  EXPECT_THAT(displays_of_wlr_randr(kWlrRandr),
              ElementsAre(FoundDisplay{"HDMI-A-1", {3840, 2160}, 1210},
                          FoundDisplay{"DP-1", {1080, 1920}, 297, 3840, 120}));
}

TEST(FoundDisplays, OfTheKernel) {
  EXPECT_THAT(displays_of_kernel("card0-HDMI-A-1 1920x1080\ncard0-DP-1 \ncard1-DP-2 0x0\n"),
              ElementsAre(FoundDisplay{"HDMI-A-1", {1920, 1080}, 0}));
}

TEST(FoundDisplays, WhoShowsADesktopIsAskedFirst) {
  const std::string kernel = "== kernel\ncard0-DP-1 1280x720\n";
  const auto both =
      found_displays(std::string("== xrandr\n") + kXrandr + "== wlr-randr\n" + kernel);
  EXPECT_EQ(both.by, "xrandr");
  EXPECT_EQ(both.displays.size(), 2U);
  EXPECT_EQ(found_displays("== xrandr\n== wlr-randr\n" + kernel).by, "kernel");
  EXPECT_EQ(found_displays("").by, "");
}

TEST(FoundDisplays, NonsenseIsNoDisplay) {
  for (const char* text :
       {"", "connected", "a connected", "a connected primary", "a connected 0x1+0+0",
        "a connected 99999x1+0+0", "a connected 1920+0+0", "  current",
        "x\n  Enabled:", "x\n  Transform: 90\n  Physical size:", "\n\n \n", "a connected x"}) {
    EXPECT_THAT(displays_of_xrandr(text), IsEmpty()) << text;
    EXPECT_THAT(displays_of_wlr_randr(text), IsEmpty()) << text;
    EXPECT_THAT(displays_of_kernel(text), IsEmpty()) << text;
  }
}

}  // namespace

}  // namespace ui
