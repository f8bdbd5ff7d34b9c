// Choice of the display if OpenGL is available in software only. Needs an environment in which SDL
// finds Mesa's software renderers.
#include <gtest/gtest.h>

#include "receiver/display/display.h"

namespace receiver {
namespace {

// Log output while the display is created and destroyed.
std::string said_by(DisplayKind kind) {
  testing::internal::CaptureStderr();
  const auto display = make_display({.kind = kind, .node = "node", .threads = 0},
                                    sail::Log("test", sail::LogLevel::kInfo));
  EXPECT_TRUE(display) << display.error().message;
  if (display) {
    EXPECT_TRUE((*display)->open({{.name = "t", .wall_rect = {0, 0, 8, 8}, .resolution = {8, 8}}}));
  }
  return testing::internal::GetCapturedStderr();
}

TEST(GlChoiceTest, AutoTakesTheCpuWhenTheRendererIsSoftware) {
  const std::string said = said_by(DisplayKind::kAuto);
  EXPECT_NE(said.find("display: cpu, OpenGL is rendered in software: "), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(GlChoiceTest, GlByHandWorksWithAWarning) {
  const std::string said = said_by(DisplayKind::kGl);
  EXPECT_NE(said.find("display: gl, but rendered by the CPU"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

}  // namespace
}  // namespace receiver
