#include "ui/console/start/node_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace ui {
namespace {

constexpr const char* kPackaged =
    "# The manager's address.\n"
    "#VITRAIL_MANAGER=wall-head:7440\n"
    "#NODE=node1\n"
    "# Options.\n"
    "#OPTIONS=\"--data-port 7450\"\n"
    "MORE=1\n";

TEST(NodeSettingsTest, CommentedLinesAreReplaced) {
  const NodeSettings settings{"head:7440", "left", "--data-port 7501"};
  const std::string text = with_settings(kPackaged, settings);
  EXPECT_EQ(text,
            "# The manager's address.\n"
            "VITRAIL_MANAGER=head:7440\n"
            "NODE=left\n"
            "# Options.\n"
            "OPTIONS=\"--data-port 7501\"\n"
            "MORE=1\n");
  EXPECT_EQ(settings_in(text), settings);
  EXPECT_EQ(with_settings(text, settings), text) << "twice is as once";
}

TEST(NodeSettingsTest, OnlyGivenValuesChange) {
  EXPECT_EQ(with_settings(kPackaged, {}), kPackaged);
  EXPECT_EQ(settings_in(kPackaged), NodeSettings());
  EXPECT_EQ(with_settings("NODE=a\nNODE=b\n", {.node = "c"}), "NODE=a\nNODE=c\n")
      << "systemd takes the last line";
  EXPECT_EQ(with_settings("OPTIONS=--fps\n", {.options = ""}), "OPTIONS=\n") << "no options";
  EXPECT_EQ(with_settings("", {.node = "a b\"\\"}), "NODE=\"a b\\\"\\\\\"\n");
  EXPECT_EQ(settings_in("NODE=\"a b\\\"\\\\\"\n").node, "a b\"\\");
  EXPECT_EQ(settings_in("NODE='left' \n").node, "left");
}

TEST(NodeSettingsTest, MistakesAreSaid) {
  EXPECT_EQ(setting_mistake({"head:7440", "left", "--data-port 7450"}), "");
  EXPECT_EQ(setting_mistake({.manager = "mdns:"}), "");
  EXPECT_NE(setting_mistake({.manager = "head:port"}), "");
  EXPECT_NE(setting_mistake({.manager = ""}), "");
  EXPECT_NE(setting_mistake({.node = ""}), "");
  EXPECT_NE(setting_mistake({.node = std::string(65, 'n')}), "");
  EXPECT_NE(setting_mistake({.options = "a\nVITRAIL_KEY_FILE=b"}), "");
}

TEST(KernelDisplaysTest, OnlyConnectedOnes) {
  const sail::TempFolder root;
  const auto connector = [&](const char* name, const char* status, const char* modes) {
    const auto folder = root.path() / "sys/class/drm" / name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "status") << status << '\n';
    std::ofstream(folder / "modes") << modes;
  };
  EXPECT_TRUE(kernel_displays(root.path()).empty());
  connector("card0-HDMI-A-1", "connected", "1920x1080\n1280x720\n");
  connector("card0-DP-1", "disconnected", "");
  EXPECT_EQ(kernel_displays(root.path()),
            sail::Json::array({{{"output", "HDMI-A-1"}, {"rect", {0, 0, 1920, 1080}}}}));
}

}  // namespace
}  // namespace ui
