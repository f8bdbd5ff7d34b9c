#include "receiver/display/awaited_display.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "receiver/display/window_system.h"

namespace receiver {
namespace {

// A display in memory that reports another driver and may refuse to open tiles.
class Screen final : public WindowSystem {
 public:
  explicit Screen(bool opens) : opens_(opens), memory_(make_null_window_system()) {}

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override {
    if (!opens_) return sail::fail(sail::ErrorCode::kIo, "the display refuses");
    return memory_->open(tiles);
  }
  Canvas canvas(size_t tile) override { return memory_->canvas(tile); }
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    memory_->present(tile, damage);
  }
  Canvas panel(size_t tile) override { return memory_->panel(tile); }
  sail::DisplayStats stats() override { return {.driver = "screen"}; }
  Display::Request pump() override { return request; }

  Display::Request request = Display::Request::kNothing;

 private:
  const bool opens_;
  std::unique_ptr<WindowSystem> memory_;
};

TEST(AwaitedDisplayTest, TriesOnceASecondAndMovesTheTiles) {
  int64_t now_ns = 5;
  int attempts = 0;
  std::optional<bool> opens;  // empty optional: there is no screen
  AwaitedDisplay display(
      {.make_memory = [] { return make_cpu_display(make_null_window_system(), 0); },
       .make = [&]() -> sail::Result<std::unique_ptr<Display>> {
         ++attempts;
         if (!opens) return sail::fail(sail::ErrorCode::kUnavailable, "still no display");
         return make_cpu_display(std::make_unique<Screen>(*opens), 0);
       },
       .trouble = "no display",
       .now_ns = [&] { return now_ns; }},
      sail::Log("test", sail::LogLevel::kOff));
  ASSERT_TRUE(display.open({{.name = "t", .wall_rect = {0, 0, 64, 48}, .resolution = {64, 48}}}));
  EXPECT_EQ(display.stats().driver, "memory");
  EXPECT_EQ(display.stats().trouble, "no display");
  EXPECT_LE(display.pump_every_ns(), AwaitedDisplay::kTryEveryNs);

  now_ns += AwaitedDisplay::kTryEveryNs - 1;
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(attempts, 0);
  ++now_ns;
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(attempts, 1);
  EXPECT_EQ(display.stats().trouble, "still no display");

  opens = false;
  now_ns += AwaitedDisplay::kTryEveryNs;
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(display.stats().trouble, "the display refuses");
  EXPECT_EQ(display.picture(0).begin.size, (sail::Size{64, 48})) << "memory keeps the tile";

  opens = true;
  now_ns += AwaitedDisplay::kTryEveryNs;
  EXPECT_EQ(display.pump(), Display::Request::kRepaint);
  EXPECT_EQ(display.stats().driver, "screen");
  EXPECT_EQ(display.stats().trouble, "");
  EXPECT_EQ(display.picture(0).begin.size, (sail::Size{64, 48})) << "the tile is open there";

  now_ns += AwaitedDisplay::kTryEveryNs;
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(attempts, 3) << "a display that answers is not opened again";
}

TEST(AwaitedDisplayTest, OpensTheDisplayAgainWhenItsOutputsChange) {
  constexpr auto kReopen = Display::Request::kReopen;
  int64_t now_ns = 5;
  int made = 0;
  bool answers = true;
  Screen* screen = nullptr;  // of the open display
  const auto make = [&]() -> sail::Result<std::unique_ptr<Display>> {
    if (!answers) return sail::fail(sail::ErrorCode::kUnavailable, "unplugged");
    ++made;
    auto window_system = std::make_unique<Screen>(true);
    screen = window_system.get();
    return make_cpu_display(std::move(window_system), 0);
  };
  AwaitedDisplay display(
      {.make_memory = [] { return make_cpu_display(make_null_window_system(), 0); },
       .make = make,
       .display = *make(),
       .now_ns = [&] { return now_ns; }},
      sail::Log("test", sail::LogLevel::kOff));
  ASSERT_TRUE(display.open({{.name = "t", .wall_rect = {0, 0, 64, 48}, .resolution = {64, 48}}}));
  EXPECT_EQ(display.pump(), Display::Request::kNothing);
  EXPECT_EQ(display.stats().driver, "screen");

  screen->request = kReopen;
  EXPECT_EQ(display.pump(), Display::Request::kRepaint);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(display.picture(0).begin.size, (sail::Size{64, 48})) << "the tile is open there";

  screen->request = kReopen;
  answers = false;
  EXPECT_EQ(display.pump(), Display::Request::kRepaint);
  EXPECT_EQ(display.stats().driver, "memory");
  EXPECT_EQ(display.stats().trouble, "unplugged");
  EXPECT_EQ(display.picture(0).begin.size, (sail::Size{64, 48})) << "memory keeps the tile";

  answers = true;
  now_ns += AwaitedDisplay::kTryEveryNs;
  EXPECT_EQ(display.pump(), Display::Request::kRepaint);
  EXPECT_EQ(display.stats().driver, "screen");
  EXPECT_EQ(display.stats().trouble, "");
}

}  // namespace
}  // namespace receiver
