// The output of display tools.
#include "ui/console/start/found_displays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
