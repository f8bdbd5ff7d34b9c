// The pixels of a memory display during a fade, swap by swap.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "receiver/display/window_system.h"
#include "receiver/render_thread.h"
#include "sail/core/time/clock.h"
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using Pixels = std::vector<uint8_t>;

constexpr int64_t kMinuteNs = 60'000'000'000;
constexpr int64_t kFadeNs = 60 * kMinuteNs;
const sail::BlockGrid kFadedGrid({64, 64}, {32, 32});

Pixels mixed(const Pixels& former, const Pixels& now, int weight) {
  Pixels mixture(former.size());
  for (size_t i = 0; i < former.size(); ++i) {
    mixture[i] = static_cast<uint8_t>((former[i] * (256 - weight) + now[i] * weight + 128) >> 8);
  }
  return mixture;
}

int weight_at(int64_t into_ns) {
  Fade fade;
  fade.begin(0, kFadeNs);
  fade.move_to(into_ns);
  return fade.weight();
}

// All swaps are due when they are added; the fade is over by then.
class FadeFramesTest : public testing::Test {
 protected:
  FadeFramesTest() {
    EXPECT_TRUE(render_thread_.set_tiles(
        {.tiles = {{.name = "t", .wall_rect = {0, 0, 200, 100}, .resolution = {200, 100}}}}));
    add_layout(-kMinuteNs, {1}, 0);
    render_thread_.act();
    former_ = shown_.back();
    shown_.clear();
    fading_.clear();
  }
  std::unique_ptr<Frame> frame_of(uint32_t window) {
    return received(noise_frame(kFadedGrid, random_), window, {1, ++frames_});
  }
  // Windows have different places, except those whose numbers end with the same digit. Times count
  // from the beginning of the fade.
  void add_layout(int64_t into_ns, const std::vector<uint32_t>& windows, int64_t fade_ns,
                  uint64_t map_epoch = 0) {
    auto scene = std::make_shared<sail::Scene>();
    scene->epoch = ++epoch_;
    Swap swap{.at_ns = begin_ns_ + into_ns,
              .arrived_ns = begin_ns_,
              .scene = scene,
              .frames = {},
              .fade_ns = fade_ns};
    for (const uint32_t window : windows) {
      scene->windows.push_back({.window = window,
                                .secret = window,
                                .epoch = map_epoch,
                                .wall_rect = {30 * static_cast<int>(window % 10), 0, 64, 64},
                                .frame_size = kFadedGrid.frame_size(),
                                .block_size = kFadedGrid.block_size()});
      if (map_epoch == 0) swap.frames.push_back(frame_of(window));
    }
    render_thread_.add(std::move(swap));
  }
  // window 0: a swap without frames.
  void add_frame(int64_t into_ns, uint32_t window) {
    Swap swap{.at_ns = begin_ns_ + into_ns, .arrived_ns = begin_ns_, .scene = {}, .frames = {}};
    if (window != 0) swap.frames.push_back(frame_of(window));
    render_thread_.add(std::move(swap));
  }

  const int64_t begin_ns_ = sail::steady_now_ns() - 2 * kFadeNs;
  std::mt19937 random_{41};
  std::unique_ptr<Display> display_ = make_cpu_display(make_null_window_system(), 2);
  std::vector<Pixels> shown_;  // by each swap and each step
  std::vector<bool> fading_;
  RenderThread render_thread_{*display_,
                              {.on_swapped =
                                   [this](const Swapped& swapped) {
                                     shown_.push_back(display_->picture(0).pixels);
                                     fading_.push_back(swapped.fading);
                                   },
                               .on_snapshot = [](const SnapshotTaken&) {}}};
  Pixels former_;
  uint64_t epoch_ = 0;
  uint64_t frames_ = 0;
};

TEST_F(FadeFramesTest, ASwapShowsTheMixtureOfItsTime) {
  add_layout(0, {2}, kFadeNs);
  add_frame(15 * kMinuteNs, 0);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{true, true, false}));
  ASSERT_EQ(shown_.size(), 3U);
  EXPECT_EQ(shown_[0], former_);
  EXPECT_NE(shown_[2], former_);
  const int weight = weight_at(15 * kMinuteNs);
  EXPECT_EQ(weight, 63);
  EXPECT_EQ(shown_[1], mixed(former_, shown_[2], weight));
}

TEST_F(FadeFramesTest, NewFramesAppearBeneathTheFormerPicture) {
  add_layout(0, {2, 3, 4}, kFadeNs);
  add_frame(30 * kMinuteNs, 3);
  add_frame(30 * kMinuteNs + 1, 4);  // in the same step
  render_thread_.act();
  ASSERT_EQ(shown_.size(), 4U);
  const int weight = weight_at(30 * kMinuteNs);
  EXPECT_NE(shown_[1], shown_[2]);
  EXPECT_EQ(shown_[2], mixed(former_, shown_[3], weight));
  // Without a copy, frames are painted as always.
  add_frame(31 * kMinuteNs, 2);
  render_thread_.act();
  ASSERT_EQ(shown_.size(), 5U);
  EXPECT_NE(shown_[4], shown_[3]);
  EXPECT_FALSE(fading_.back());
}

TEST_F(FadeFramesTest, ASecondFadeBeginsWithWhatIsShown) {
  add_layout(0, {2}, kFadeNs);
  add_frame(30 * kMinuteNs, 0);
  add_layout(30 * kMinuteNs + 5, {3}, kFadeNs);
  add_frame(60 * kMinuteNs + 5, 0);
  render_thread_.act();
  ASSERT_EQ(shown_.size(), 5U);
  EXPECT_EQ(shown_[2], shown_[1]);
  EXPECT_EQ(shown_[3], mixed(shown_[1], shown_[4], weight_at(30 * kMinuteNs)));
}

TEST_F(FadeFramesTest, AnotherLayoutWithoutAFadeIsShownAtOnce) {
  add_layout(0, {2}, kFadeNs);
  add_frame(30 * kMinuteNs, 0);
  add_layout(31 * kMinuteNs, {3}, 0);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{true, true, false}));
  ASSERT_EQ(shown_.size(), 3U);
  render_thread_.repaint();
  EXPECT_EQ(display_->picture(0).pixels, shown_[2]);
}

TEST_F(FadeFramesTest, OtherRoutingMapsDoNotEndIt) {
  add_layout(0, {2}, kFadeNs);
  add_layout(kMinuteNs, {2}, 0, 7);
  add_frame(30 * kMinuteNs, 0);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(shown_[2], mixed(former_, shown_[3], weight_at(30 * kMinuteNs)));
}

// A window's stream gets another number when its program draws the picture for a new size.
TEST_F(FadeFramesTest, AnotherStreamInTheSamePlaceDoesNotEndIt) {
  add_layout(0, {2}, kFadeNs);
  add_layout(kMinuteNs, {12}, 0);
  add_frame(30 * kMinuteNs, 0);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(shown_[2], mixed(former_, shown_[3], weight_at(30 * kMinuteNs)));
}

TEST_F(FadeFramesTest, AnotherStreamInTheSamePlaceCanFadeIn) {
  add_layout(0, {11}, kFadeNs);
  add_frame(30 * kMinuteNs, 0);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(shown_[1], mixed(former_, shown_[2], weight_at(30 * kMinuteNs)));
}

TEST_F(FadeFramesTest, ALayoutThatLooksTheSameDoesNotFade) {
  add_layout(0, {1}, kFadeNs, 7);
  render_thread_.act();
  EXPECT_EQ(fading_, (std::vector<bool>{false}));
  EXPECT_EQ(shown_.back(), former_);
}

TEST_F(FadeFramesTest, AWallThatIsPaintedAgainFadesNoLonger) {
  add_layout(0, {2}, 10 * kFadeNs);  // not over
  render_thread_.act();
  ASSERT_TRUE(fading_.back());
  render_thread_.repaint();
  const Pixels now = display_->picture(0).pixels;
  add_frame(90 * kMinuteNs, 0);
  render_thread_.act();
  EXPECT_FALSE(fading_.back());
  EXPECT_EQ(display_->picture(0).pixels, now);
}

// A display that cannot keep a copy, such as because there is no memory.
class CuttingDisplay final : public Display {
 public:
  sail::Result<void> open(const std::vector<sail::TileInfo>&) override { return {}; }
  void paint(const Changes&) override {}
  bool keep(size_t) override {
    ++asked;
    return false;
  }
  void fade(size_t, int, std::span<const sail::Rect>) override { ADD_FAILURE(); }
  void present(size_t, std::span<const sail::Rect>) override {}
  TileImage picture(size_t) override { return {}; }

  int asked = 0;
};

TEST(FadeWithoutACopyTest, IsACut) {
  CuttingDisplay display;
  std::vector<bool> fading;
  RenderThread render_thread(
      display, {.on_swapped = [&](const Swapped& swapped) { fading.push_back(swapped.fading); },
                .on_snapshot = [](const SnapshotTaken&) {}});
  ASSERT_TRUE(render_thread.set_tiles(
      {.tiles = {{.name = "t", .wall_rect = {0, 0, 200, 100}, .resolution = {200, 100}}}}));
  auto scene = std::make_shared<sail::Scene>();
  scene->epoch = 1;
  scene->windows.push_back({.window = 1,
                            .secret = 1,
                            .wall_rect = {0, 0, 64, 64},
                            .frame_size = kFadedGrid.frame_size(),
                            .block_size = kFadedGrid.block_size()});
  render_thread.add(
      Swap{.at_ns = 0, .arrived_ns = 0, .scene = scene, .frames = {}, .fade_ns = kFadeNs});
  render_thread.act();
  EXPECT_EQ(display.asked, 1);
  EXPECT_EQ(fading, (std::vector<bool>{false}));
}

}  // namespace
}  // namespace receiver
