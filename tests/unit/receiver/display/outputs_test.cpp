#include "receiver/display/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "receiver/display/display.h"
#include "tests/support/desktop/x_desktop.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"

namespace receiver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const std::vector<Output>& outputs) {
  std::vector<std::string> names;
  for (const Output& output : outputs) names.push_back(output.name);
  return names;
}

TEST(OutputsTest, DescriptionsIdentifyDisplays) {
  const std::vector<ReportedOutput> reported = {{"HDMI-A-1", {"model", "left"}},
                                                {"DP-1", {"model", "right"}}};
  EXPECT_THAT(names(name_displays({{"right", {}}, {"left", {}}}, reported)),
              ElementsAre("DP-1", "HDMI-A-1"));
}

TEST(OutputsTest, EqualDescriptionsLeaveTheOrder) {
  const std::vector<ReportedOutput> reported = {{"HDMI-A-1", {"model"}}, {"DP-1", {"model"}}};
  EXPECT_THAT(names(name_displays({{"model", {}}, {"model", {}}}, reported)),
              ElementsAre("HDMI-A-1", "DP-1"));
  EXPECT_THAT(names(name_displays({{"0", {}}, {"1", {}}}, reported)),
              ElementsAre("HDMI-A-1", "DP-1"));
}

TEST(OutputsTest, DisplaysWithoutNamesAreNumbered) {
  EXPECT_THAT(names(name_displays({{"a", {}}, {"b", {}}}, {{"HDMI-A-1"}})), ElementsAre("0", "1"));
  EXPECT_THAT(names(name_displays({{"a", {}}, {"b", {}}}, {{"X"}, {""}})), ElementsAre("X", "1"));
  EXPECT_EQ(output_names({{"X", {}}, {"1", {}}}), "X, 1");
  EXPECT_EQ(output_names({}), "none");
}

TEST(OutputsTest, NobodyAnswers) {
  const test::EnvironmentVariable x11("DISPLAY", ":987654");
  const test::EnvironmentVariable wayland("WAYLAND_DISPLAY", "nowhere");
  EXPECT_THAT(reported_outputs("x11"), IsEmpty());
  EXPECT_THAT(reported_outputs("wayland"), IsEmpty());
  EXPECT_THAT(reported_outputs("dummy"), IsEmpty());
}

// An X server with monitors that come and go.
class XOutputsTest : public testing::Test {
 protected:
  static sail::TileInfo tile(const std::string& output) {
    return {
        .name = output, .wall_rect = {0, 0, 320, 200}, .resolution = {320, 200}, .output = output};
  }
  bool eventually(const std::function<bool()>& condition) {
    sail::Loop loop;
    return sail::run_until(loop, condition);
  }

  test::XDesktop desktop_{{640, 200}, {"-noreset"}};
  const test::EnvironmentVariable display_{"DISPLAY", desktop_.display()};
  const test::EnvironmentVariable driver_{"SDL_VIDEODRIVER", "x11"};
  sail::Log log_{"test", sail::LogLevel::kOff};
};

TEST_F(XOutputsTest, TilesFollowTheirOutputs) {
  // The server's own output, "screen", is a monitor, too.
  desktop_.set_monitor("LEFT", {0, 0, 320, 200});
  desktop_.set_monitor("RIGHT", {320, 0, 320, 200});
  const auto display = make_display({.kind = DisplayKind::kCpu, .node = "node"}, log_);
  ASSERT_TRUE(display) << display.error().message;
  ASSERT_TRUE((*display)->open({tile("RIGHT"), tile("LEFT")}));
  const auto is_shown = [&](size_t i, const std::string& output, const sail::Rect& rect) {
    const sail::DisplayStats stats = (*display)->stats();
    return i < stats.windows.size() && stats.windows[i].display == output &&
           stats.windows[i].rect == rect;
  };
  const auto pumped = [&](const std::function<bool()>& condition) {
    return eventually([&] {
      (*display)->pump();
      return condition();
    });
  };
  EXPECT_TRUE(pumped([&] { return is_shown(0, "RIGHT", {320, 0, 320, 200}); }));
  EXPECT_TRUE(pumped([&] { return is_shown(1, "LEFT", {0, 0, 320, 200}); }));
  EXPECT_EQ((*display)->stats().trouble, "");

  desktop_.remove_monitor("RIGHT");
  EXPECT_TRUE(pumped([&] {
    return (*display)->stats().trouble ==
           "node has no output RIGHT for tile 'RIGHT'; it has LEFT, screen";
  })) << (*display)->stats().trouble;
  EXPECT_TRUE(is_shown(0, "LEFT", {0, 0, 320, 200}));

  desktop_.set_monitor("RIGHT", {320, 0, 320, 200});
  EXPECT_TRUE(pumped([&] { return is_shown(0, "RIGHT", {320, 0, 320, 200}); }));
  EXPECT_EQ((*display)->stats().trouble, "");
}

}  // namespace
}  // namespace receiver
