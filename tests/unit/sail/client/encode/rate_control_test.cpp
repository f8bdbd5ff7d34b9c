#include "sail/client/encode/rate_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace sail {
namespace {

constexpr Size kFrame{1920, 1080};
constexpr double kPixels = 1920.0 * 1080;
constexpr size_t kBlocks = 40;
constexpr int64_t kFrameNs = 33'333'333;
constexpr CodecRate kRate{CodecRate::Unit::kMbitPerS, 125};

// A simulated codec: detail · step^-fall bytes a block, independent of the control's model.
class Film {
 public:
  explicit Film(double fall) : fall_(fall), detail_(kBlocks) { cut(1); }

  // A scene cut: all blocks change, harder by this factor on average.
  void cut(double scale) {
    std::uniform_real_distribution<double> detail(0.1, 2);
    for (double& of_block : detail_) of_block = scale * detail(random_);
  }
  void move() {
    std::uniform_real_distribution<double> factor(0.95, 1.05);
    for (double& of_block : detail_) of_block *= factor(random_);
  }
  size_t code(size_t block, float step) {
    ++coded_;
    return 100 + static_cast<size_t>(kUsual * detail_[block] * std::pow(128 * step, -fall_));
  }
  size_t coded() const { return coded_; }
  // Maximum number of times that a block was coded for one frame.
  size_t most_often() const { return most_often_; }
  void count(size_t times) { most_often_ = std::max(most_often_, times); }

 private:
  static constexpr double kUsual = 13'000;  // bytes of a block at step 1/128

  const double fall_;
  std::mt19937 random_{7};
  std::vector<double> detail_;
  size_t coded_ = 0;
  size_t most_often_ = 0;
};

std::vector<RateControl::Block> blocks_of(size_t count = kBlocks) {
  std::vector<RateControl::Block> blocks;
  for (size_t i = 0; i < count; ++i) blocks.push_back({i, 1.0 / kBlocks});
  return blocks;
}

// Codes a frame and returns its bytes.
size_t code_frame(RateControl& control, Film& film, int64_t now_ns,
                  const std::vector<RateControl::Block>& blocks = blocks_of()) {
  control.begin_frame(blocks, 8, now_ns);
  if (control.ignorant()) {
    const float step = control.first_step();
    control.learn(blocks[0], step, film.code(0, step));
    control.choose_step(blocks);
  }
  size_t frame = 0;
  for (const RateControl::Block& block : blocks) {
    std::optional<float> step = control.step_for(block);
    size_t bytes = 0, times = 0;
    for (; step; ++times) {
      bytes = film.code(block.index, *step);
      step = control.done(block, *step, bytes);
    }
    film.count(times);
    frame += bytes;
  }
  control.end_frame();
  return frame;
}

constexpr double kShare = 125e6 / 8 / 30;

class RateControlTest : public testing::TestWithParam<double> {};

TEST_P(RateControlTest, HoldsTheMeanAndNeverPassesTheBound) {
  RateControl control(kRate, kFrame, 30, kBlocks);
  Film film(GetParam());
  std::vector<size_t> frames;
  for (int i = 0; i < 180; ++i) {
    if (i % 45 == 44) film.cut(i % 90 == 44 ? 6 : 1);
    film.move();
    frames.push_back(code_frame(control, film, i * kFrameNs));
    ASSERT_LE(static_cast<double>(frames.back()), 1.2 * kShare) << "frame " << i;
  }
  const double all = std::accumulate(frames.begin(), frames.end(), 0.0);
  EXPECT_NEAR(all / static_cast<double>(frames.size()), kShare, 0.01 * kShare);
  for (size_t begin = 0; begin + 60 <= frames.size(); begin += 15) {
    const double mean = std::accumulate(frames.begin() + static_cast<ptrdiff_t>(begin),
                                        frames.begin() + static_cast<ptrdiff_t>(begin + 60), 0.0) /
                        60;
    EXPECT_NEAR(mean, kShare, 0.015 * kShare) << "from frame " << begin;
  }
  // Blocks are coded again only after cuts, and only once.
  EXPECT_LT(film.coded(), frames.size() * kBlocks * 11 / 10);
  EXPECT_LE(film.most_often(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Falls, RateControlTest, testing::Values(0.5, 0.7, 0.9));

TEST(RateControlTest, ACutToNoiseStaysWithinTheBoundInItsFirstFrame) {
  RateControl control(kRate, kFrame, 30, kBlocks);
  Film film(0.7);
  for (int i = 0; i < 10; ++i) code_frame(control, film, i * kFrameNs);
  film.cut(10);
  EXPECT_LE(static_cast<double>(code_frame(control, film, 10 * kFrameNs)), 1.2 * kShare);
}

// Blocks that are not coded get no share of the rate, so a visible corner does not become finer.
TEST(RateControlTest, PartsOfAFrameGetTheirPart) {
  RateControl control(kRate, kFrame, 30, kBlocks);
  Film film(0.7);
  for (int i = 0; i < 10; ++i) code_frame(control, film, i * kFrameNs);
  const auto some = blocks_of(kBlocks / 4);
  const auto bytes = static_cast<double>(code_frame(control, film, 10 * kFrameNs, some));
  EXPECT_GT(bytes, 0.8 * kShare / 4);
  EXPECT_LT(bytes, 1.25 * kShare / 4);
}

TEST(RateControlTest, MeasuresTheFrameRateWhenNobodyTellsIt) {
  RateControl control(kRate, kFrame, 0, kBlocks);
  Film film(0.7);
  double last = 0;
  for (int i = 0; i < 100; ++i) {
    last = static_cast<double>(code_frame(control, film, i * kFrameNs / 2));
  }
  EXPECT_NEAR(last, kShare / 2, 0.05 * kShare);
  // A lower frame rate must not get more bytes a frame, or it would fall further.
  for (int i = 0; i < 100; ++i) {
    last = static_cast<double>(code_frame(control, film, (50 + i) * 3 * kFrameNs));
  }
  EXPECT_NEAR(last, kShare, 0.1 * kShare);
}

TEST(RateControlTest, BitsOfAPixelNeedNoTime) {
  RateControl control({CodecRate::Unit::kBitsPerPixel, 1}, kFrame, 0, kBlocks);
  Film film(0.7);
  double last = 0;
  for (int i = 0; i < 30; ++i) last = static_cast<double>(code_frame(control, film, 0));
  EXPECT_NEAR(last, kPixels / 8, 0.05 * kPixels / 8);
}

}  // namespace
}  // namespace sail
