// When overlays are presented while swaps wait for their presentation times.
#include "receiver/render_thread.h"

#include <gtest/gtest.h>

#include <random>

#include "sail/core/time/clock.h"
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using sail::Rect;

constexpr int64_t kHourNs = 3'600'000'000'000;
const sail::BlockGrid kStageGrid({64, 64}, {32, 32});

// Records each presented picture, and whether it was painted before.
class NotingDisplay final : public Display {
 public:
  sail::Result<void> open(const std::vector<sail::TileInfo>&) override { return {}; }
  void paint(const Changes& changes) override {
    for (const TileChanges& tile : changes.tiles) frames_painted += tile.parts.empty() ? 0 : 1;
  }
  void present(size_t, std::span<const Rect> damage) override {
    presented.emplace_back(damage.begin(), damage.end());
  }
  TileImage picture(size_t) override { return {}; }

  int frames_painted = 0;
  std::vector<std::vector<Rect>> presented;
};

class RenderThreadTest : public testing::Test {
 protected:
  RenderThreadTest()
      : render_thread_(display_, {[this](Swapped) { ++swapped_; }, [](SnapshotTaken) {}},
                       2 * kHourNs) {
    EXPECT_TRUE(render_thread_.set_tiles(
        {.tiles = {{.name = "t", .wall_rect = {0, 0, 200, 100}, .resolution = {200, 100}}}}));
    auto scene = std::make_shared<sail::Scene>();
    scene->epoch = 1;
    for (uint32_t number = 1; number <= 2; ++number) {
      scene->windows.push_back({.window = number,
                                .secret = number,
                                .wall_rect = {number == 1 ? 0 : 100, 0, 64, 64},
                                .frame_size = kStageGrid.frame_size(),
                                .block_size = kStageGrid.block_size()});
    }
    Swap swap{.at_ns = 0, .arrived_ns = 0, .scene = scene, .frames = {}};
    render_thread_.add(std::move(swap));
    render_thread_.act();
    display_ = {};
    swapped_ = 0;
  }
  void add_frame(uint32_t window, int64_t at_ns) {
    const TestFrame frame = noise_frame(kStageGrid, random_);
    Swap swap{.at_ns = at_ns, .arrived_ns = at_ns, .scene = {}, .frames = {}};
    swap.frames.push_back(received(frame, window, {1, ++frames_}));
    render_thread_.add(std::move(swap));
    render_thread_.act();
  }
  void point_at(int x, int y) {
    sail::Overlay overlay;
    overlay.pointers.emplace(1).front().x = x;
    overlay.pointers->front().y = y;
    render_thread_.add(ShowOverlay{std::make_shared<const sail::Overlay>(overlay)});
    render_thread_.act();
  }

  std::mt19937 random_{18};
  NotingDisplay display_;
  RenderThread render_thread_;
  int swapped_ = 0;
  uint64_t frames_ = 0;
};

TEST_F(RenderThreadTest, ThePointerIsShownWithoutASwap) {
  point_at(30, 30);
  EXPECT_EQ(display_.presented, (std::vector<std::vector<Rect>>{{{20, 20, 28, 28}}}));
  point_at(31, 30);
  ASSERT_EQ(display_.presented.size(), 2U);
  EXPECT_EQ(display_.presented[1], (std::vector<Rect>{{20, 20, 28, 28}, {21, 20, 28, 28}}));
  EXPECT_EQ(swapped_, 0);
  EXPECT_EQ(display_.frames_painted, 0);
}

TEST_F(RenderThreadTest, ItDoesNotWaitForPicturesElsewhere) {
  add_frame(1, sail::steady_now_ns() + kHourNs);
  ASSERT_EQ(display_.frames_painted, 1);
  point_at(130, 30);
  EXPECT_EQ(display_.presented.size(), 1U);
  EXPECT_EQ(swapped_, 0);
}

TEST_F(RenderThreadTest, ItWaitsForThePictureBeneathIt) {
  const int64_t at_ns = sail::steady_now_ns() + 200'000'000;
  add_frame(1, at_ns);
  ASSERT_EQ(display_.frames_painted, 1);
  point_at(30, 30);
  while (display_.presented.size() < 2) render_thread_.act();
  EXPECT_EQ(display_.presented[0], (std::vector<Rect>{{0, 0, 64, 64}}))
      << "the frame, at its instant";
  EXPECT_EQ(display_.presented[1], (std::vector<Rect>{{20, 20, 28, 28}}));
  EXPECT_GE(sail::steady_now_ns(), at_ns);
  EXPECT_EQ(swapped_, 1);
}

// The overlay lies over two windows whose swaps alternate: it must not wait forever.
TEST_F(RenderThreadTest, NothingMoreIsPaintedWhenItWasPassedOver) {
  const int64_t at_ns = sail::steady_now_ns();
  add_frame(1, at_ns + 100'000'000);
  add_frame(2, at_ns + 200'000'000);
  point_at(90, 30);  // on both
  while (swapped_ == 0) render_thread_.act();
  const bool passed_over = swapped_ == 1;
  const int painted = display_.frames_painted;
  add_frame(1, at_ns + 300'000'000);
  if (passed_over && swapped_ == 1) {
    EXPECT_EQ(display_.frames_painted, painted);
  }
  while (swapped_ < 3) render_thread_.act();
  ASSERT_EQ(display_.presented.size(), 4U);
  EXPECT_EQ(display_.presented[2], (std::vector<Rect>{{80, 20, 28, 28}}));
}

}  // namespace
}  // namespace receiver
