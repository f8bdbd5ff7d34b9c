#include "receiver/display/window_system.h"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "receiver/display/sdl_windows.h"
#include "receiver/frame/canvas.h"
#include "sail/core/routing/cadence.h"
#include "tests/support/environment_variable.h"

namespace receiver {
namespace {

sail::TileInfo tile(sail::Size resolution, int rotation) {
  return {.name = "t", .wall_rect = {0, 0, 64, 48}, .resolution = resolution, .rotation = rotation};
}

// Each pixel encodes its upright position.
void paint_positions(const Canvas& canvas, const sail::Rect& rect, uint8_t mark) {
  for (int y = rect.y; y < rect.bottom(); ++y) {
    for (int x = rect.x; x < rect.right(); ++x) {
      uint8_t* pixel = canvas.target.pixels + y * canvas.target.stride + ptrdiff_t{x} * 4;
      pixel[0] = static_cast<uint8_t>(x);
      pixel[1] = static_cast<uint8_t>(y);
      pixel[2] = mark;
      pixel[3] = 255;
    }
  }
}

// As defined in sail/core/wall/wall.h.
std::pair<int, int> panel_place(int x, int y, sail::Size upright, int rotation) {
  switch (rotation) {
    case 90:
      return {upright.height - 1 - y, x};
    case 180:
      return {upright.width - 1 - x, upright.height - 1 - y};
    case 270:
      return {y, upright.width - 1 - x};
    default:
      return {x, y};
  }
}

// Shows two rectangles and checks the panel.
void expect_presented(WindowSystem& window_system, int rotation) {
  const sail::Size resolution = rotation % 180 == 0 ? sail::Size{64, 48} : sail::Size{48, 64};
  ASSERT_TRUE(window_system.open({tile(resolution, rotation)}));
  const Canvas canvas = window_system.canvas(0);
  ASSERT_EQ(canvas.size, (sail::Size{64, 48}));
  const sail::Rect all{0, 0, 64, 48};
  const sail::Rect part{10, 20, 30, 5};
  paint_positions(canvas, all, 1);
  window_system.present(0, std::vector{all});
  paint_positions(canvas, part, 2);
  window_system.present(0, std::vector{part});

  const Canvas panel = window_system.panel(0);
  ASSERT_EQ(panel.size, resolution);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      const auto [px, py] = panel_place(x, y, {64, 48}, rotation);
      const uint8_t* pixel = panel.target.pixels + py * panel.target.stride + ptrdiff_t{px} * 4;
      ASSERT_EQ(pixel[0], x) << x << ", " << y << " turned by " << rotation;
      ASSERT_EQ(pixel[1], y) << x << ", " << y << " turned by " << rotation;
      ASSERT_EQ(pixel[2], part.contains(x, y) ? 2 : 1) << x << ", " << y;
      ASSERT_EQ(pixel[3], 255);
    }
  }
}

TEST(CanvasTest, TurnedRectHoldsTheTurnedPixels) {
  const sail::Size upright{7, 5};
  for (const int rotation : {0, 90, 180, 270}) {
    const sail::Rect rect{1, 2, 3, 2};
    const sail::Rect turned = turned_rect(rect, upright, rotation);
    EXPECT_EQ(turned.width * turned.height, rect.width * rect.height);
    for (int y = rect.y; y < rect.bottom(); ++y) {
      for (int x = rect.x; x < rect.right(); ++x) {
        const auto [px, py] = panel_place(x, y, upright, rotation);
        EXPECT_TRUE(turned.contains(px, py)) << rotation;
      }
    }
  }
}

TEST(NullWindowSystemTest, ShowsTurnedPixels) {
  const auto window_system = make_null_window_system();
  for (const int rotation : {0, 90, 180, 270}) expect_presented(*window_system, rotation);
}

TEST(NullWindowSystemTest, OpensBlack) {
  const auto window_system = make_null_window_system();
  ASSERT_TRUE(window_system->open({tile({48, 64}, 90)}));
  const Canvas panel = window_system->panel(0);
  for (int i = 0; i < 48 * 64 * 4; ++i) {
    ASSERT_EQ(panel.target.pixels[i], i % 4 == 3 ? 255 : 0);
  }
}

TEST(NullWindowSystemTest, ShowsTurnedPixelsWithTheNextRefresh) {
  int64_t now_ns = 0;
  const auto window_system =
      make_null_window_system({.hz = 60, .now_ns = [&] { return now_ns += 20'000'000; }});
  for (const int rotation : {0, 90, 180, 270}) expect_presented(*window_system, rotation);
}

// The panel's picture at each refresh, as a camera would record it.
TEST(NullWindowSystemTest, TwentyFourFramesASecondAreTwoAndThreeRefreshesOfSixtyInPixels) {
  constexpr double kPeriodNs = 1e9 / 60;
  constexpr int64_t kPhaseNs = 3'000'000;
  constexpr int64_t kFrames = 48;
  int64_t now_ns = 0;
  const auto window_system =
      make_null_window_system({.hz = 60, .phase_ns = kPhaseNs, .now_ns = [&] { return now_ns; }});
  ASSERT_TRUE(window_system->open({tile({8, 8}, 0)}));
  ASSERT_EQ(window_system->refreshes().size(), 1u);
  sail::Cadence cadence(1e9 / 24);
  std::vector<int64_t> swaps;
  for (int64_t frame = 0; frame < kFrames; ++frame) {
    const int64_t jitter_ns = frame % 3 == 0 ? 1'000'000 : -1'000'000;
    const int64_t wanted_ns = 100'000'000 + std::llround(static_cast<double>(frame) * 1e9 / 24);
    swaps.push_back(cadence.place(wanted_ns + jitter_ns, 0, window_system->refreshes()[0].refresh));
  }
  std::vector<int> refreshes_of(kFrames + 1);
  size_t next = 0;
  for (int64_t refresh = 1; next < swaps.size(); ++refresh) {
    // Presents frames until just before the display's next refresh, then checks the current one.
    const int64_t ends_ns = kPhaseNs + std::llround(static_cast<double>(refresh + 1) * kPeriodNs);
    for (; next < swaps.size() && swaps[next] < ends_ns; ++next) {
      now_ns = swaps[next];
      paint_positions(window_system->canvas(0), {0, 0, 8, 8}, static_cast<uint8_t>(next + 1));
      window_system->present(0, std::vector{sail::Rect{0, 0, 8, 8}});
    }
    now_ns = ends_ns - 100'000;
    ++refreshes_of[window_system->panel(0).target.pixels[2]];
  }
  for (size_t frame = 2; frame + 2 < refreshes_of.size(); ++frame) {
    EXPECT_EQ(refreshes_of[frame] + refreshes_of[frame + 1], 5) << frame;
    EXPECT_TRUE(refreshes_of[frame] == 2 || refreshes_of[frame] == 3) << frame;
  }
}

// SDL's driver without a screen gives real window surfaces.
class SdlWindowSystemTest : public testing::Test {
 protected:
  void SetUp() override { setenv("SDL_VIDEODRIVER", "dummy", 1); }
  void TearDown() override { unsetenv("SDL_VIDEODRIVER"); }
  sail::Log log_{"test", sail::LogLevel::kOff};
};

TEST_F(SdlWindowSystemTest, ShowsTurnedPixels) {
  auto windows = SdlWindows::start("node");
  ASSERT_TRUE(windows) << windows.error().message;
  const auto window_system = make_sdl_window_system(*std::move(windows), log_);
  for (const int rotation : {0, 90, 180, 270}) expect_presented(*window_system, rotation);
  EXPECT_EQ(window_system->pump(), Display::Request::kNothing);
}

TEST_F(SdlWindowSystemTest, ReportsWindowsThatAreNotAsInTheWallFile) {
  auto windows = SdlWindows::start("node");
  ASSERT_TRUE(windows) << windows.error().message;
  const auto window_system = make_sdl_window_system(*windows, log_);
  sail::TileInfo placed = tile({64, 48}, 0);
  placed.window_at = {30, 20};
  ASSERT_TRUE(window_system->open({placed}));
  sail::DisplayStats stats = window_system->stats();
  EXPECT_EQ(stats.driver, "dummy");
  EXPECT_EQ(stats.trouble, "");
  ASSERT_EQ(stats.windows.size(), 1u);
  EXPECT_EQ(stats.windows[0].tile, "t");
  EXPECT_EQ(stats.windows[0].rect, (sail::Rect{30, 20, 64, 48}));

  SDL_SetWindowPosition((*windows)->window(0), 31, 20);
  EXPECT_THAT(window_system->stats().trouble, testing::HasSubstr("is at 31,20 instead of 30,20"));
  SDL_SetWindowSize((*windows)->window(0), 32, 48);
  EXPECT_THAT(window_system->stats().trouble,
              testing::HasSubstr("has 32×48 pixels instead of 64×48"));
}

TEST_F(SdlWindowSystemTest, ATileIsShownOnItsOutput) {
  auto windows = SdlWindows::start("node");
  ASSERT_TRUE(windows) << windows.error().message;
  ASSERT_THAT((*windows)->outputs(), testing::SizeIs(1));
  const auto window_system = make_sdl_window_system(*windows, log_);
  sail::TileInfo shown = tile({64, 48}, 0);
  shown.output = "0";  // this driver does not tell a name
  ASSERT_TRUE(window_system->open({shown}));
  const sail::DisplayStats stats = window_system->stats();
  EXPECT_EQ(stats.trouble, "");
  ASSERT_EQ(stats.windows.size(), 1u);
  EXPECT_EQ(stats.windows[0].display, "0");
}

TEST_F(SdlWindowSystemTest, ATileWithoutItsOutputIsKeptInMemory) {
  auto windows = SdlWindows::start("node");
  ASSERT_TRUE(windows) << windows.error().message;
  const auto window_system = make_sdl_window_system(*windows, log_);
  sail::TileInfo shown = tile({64, 48}, 0);
  sail::TileInfo missing = tile({48, 64}, 90);
  missing.name = "m";
  missing.output = "HDMI-A-2";
  ASSERT_TRUE(window_system->open({shown, missing}));
  EXPECT_EQ((*windows)->window(1), nullptr);
  const sail::DisplayStats stats = window_system->stats();
  EXPECT_EQ(stats.trouble, "node has no output HDMI-A-2 for tile 'm'; it has 0");
  ASSERT_EQ(stats.windows.size(), 1u);
  EXPECT_EQ(stats.windows[0].tile, "t");

  paint_positions(window_system->canvas(1), {0, 0, 64, 48}, 1);
  window_system->present(1, std::vector{sail::Rect{0, 0, 64, 48}});
  const Canvas panel = window_system->panel(1);
  EXPECT_EQ(panel.size, (sail::Size{48, 64}));
  const auto [x, y] = panel_place(10, 20, {64, 48}, 90);
  const uint8_t* pixel = panel.target.pixels + y * panel.target.stride + ptrdiff_t{x} * 4;
  EXPECT_EQ(pixel[0], 10);
  EXPECT_EQ(pixel[1], 20);
  EXPECT_EQ(window_system->pump(), Display::Request::kNothing);
  EXPECT_EQ((*windows)->reported_hz(1), 0);
}

// SDL would take another of its drivers, such as the console.
TEST_F(SdlWindowSystemTest, ADesktopThatDoesNotAnswerIsAwaitedInMemory) {
  unsetenv("SDL_VIDEODRIVER");
  const test::EnvironmentVariable x11("DISPLAY", ":987654");
  const test::EnvironmentVariable wayland("WAYLAND_DISPLAY", "");
  for (const DisplayKind kind : {DisplayKind::kCpu, DisplayKind::kGl, DisplayKind::kAuto}) {
    const auto display = make_display({.kind = kind, .node = "node"}, log_);
    ASSERT_TRUE(display) << display.error().message;
    EXPECT_EQ((*display)->stats().driver, "memory");
    EXPECT_NE((*display)->stats().trouble, "");
  }
}

TEST_F(SdlWindowSystemTest, CpuIsRefusedAndAutoIsMemoryWithoutADisplay) {
  unsetenv("SDL_VIDEODRIVER");
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const auto cpu = make_display({.kind = DisplayKind::kCpu, .node = "node"}, log_);
  ASSERT_FALSE(cpu);
  EXPECT_EQ(cpu.error().code, sail::ErrorCode::kUnavailable);
  EXPECT_TRUE(make_display({.kind = DisplayKind::kAuto, .node = "node"}, log_));
}

}  // namespace
}  // namespace receiver
