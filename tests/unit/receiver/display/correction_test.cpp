// Corrections on the display that the CPU paints: panels are corrected, snapshots are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "receiver/display/window_system.h"
#include "sail/core/base/private_file.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

const sail::BlockGrid kCorrectedGrid({120, 90}, {32, 16});
constexpr sail::Rect kCorrectedRect{0, 0, 120, 90};
constexpr const char* kSwapRedAndBlue =
    "LUT_3D_SIZE 2\n0 0 0\n0 0 1\n0 1 0\n0 1 1\n1 0 0\n1 0 1\n1 1 0\n1 1 1\n";

class CorrectionTest : public testing::Test {
 protected:
  void open(const sail::Correction& correction, int rotation) {
    const sail::Size size = rotation % 180 == 0 ? sail::Size{120, 90} : sail::Size{90, 120};
    sail::Tile corrected = tile(kCorrectedRect, size, rotation);
    corrected.correction = correction;
    auto windows = make_null_window_system();
    windows_ = windows.get();
    display_ = make_cpu_display(std::move(windows), 2);
    wall_.emplace(*display_, std::vector<sail::Tile>{corrected});
    wall_->set_scene({{.window = 1,
                       .secret = 1,
                       .wall_rect = kCorrectedRect,
                       .frame_size = kCorrectedGrid.frame_size(),
                       .block_size = kCorrectedGrid.block_size()}});
  }
  void show(const TestFrame& frame) {
    wall_->set_frame(received(frame, 1, wall_->next_key()));
    wall_->show();
    wall_->expect_like({{kCorrectedRect, frame.picture}}, "the snapshot");
  }
  // change(bgra) corrects a pixel of the snapshot.
  template <typename Change>
  void expect_panel(const Change& change) {
    reference::Picture expected = wall_->panel(0);
    for (size_t i = 0; i < expected.pixels.size(); i += 4) change(&expected.pixels[i]);
    const Canvas panel = windows_->panel(0);
    for (int y = 0; y < expected.height; ++y) {
      const uint8_t* row = panel.target.pixels + y * panel.target.stride;
      ASSERT_TRUE(std::equal(row, row + ptrdiff_t{4} * expected.width, expected.at(0, y))) << y;
    }
  }

  const sail::TempFolder folder_;
  const std::string path_ = folder_.file("panel.cube");
  std::mt19937 random_{3};
  WindowSystem* windows_ = nullptr;
  std::unique_ptr<Display> display_;
  std::optional<PaintedWall> wall_;
};

TEST_F(CorrectionTest, OnlyThePanelIsCorrected) {
  ASSERT_TRUE(sail::write_private_file(path_, kSwapRedAndBlue));
  for (const int rotation : {0, 90, 180, 270}) {
    open({.gain = {1, 2, 1}, .lut = path_}, rotation);
    EXPECT_EQ(display_->stats().uncorrected, "");
    TestFrame frame = noise_frame(kCorrectedGrid, random_);
    for (int round = 0; round < 2; ++round) {
      show(frame);
      expect_panel([](uint8_t* bgra) {
        std::swap(bgra[0], bgra[2]);
        bgra[1] = static_cast<uint8_t>(std::min(255, 2 * bgra[1]));
      });
      frame = noise_frame(kCorrectedGrid, random_);
    }
  }
}

TEST_F(CorrectionTest, MixturesOfAFadeAreCorrected) {
  open({.gain = {1, 2, 1}}, 90);
  show(noise_frame(kCorrectedGrid, random_));
  const TestFrame next = noise_frame(kCorrectedGrid, random_);
  wall_->begin_fade();
  wall_->set_frame(received(next, 1, wall_->next_key()));
  for (const int weight : {90, 170, Fade::kWhole}) {
    wall_->fade_to(weight);
    expect_panel([](uint8_t* bgra) { bgra[1] = static_cast<uint8_t>(std::min(255, 2 * bgra[1])); });
  }
  wall_->expect_like({{kCorrectedRect, next.picture}}, "the end");
  show(noise_frame(kCorrectedGrid, random_));
}

TEST_F(CorrectionTest, ATileWithoutItsFileIsShownAsItIs) {
  open({.gamma = 2, .lut = path_}, 0);
  show(noise_frame(kCorrectedGrid, random_));
  expect_panel([](uint8_t*) {});
  EXPECT_THAT(display_->stats().uncorrected,
              testing::AllOf(testing::HasSubstr("tile 't' is shown uncorrected"),
                             testing::HasSubstr(path_)));
}

}  // namespace
}  // namespace receiver
