// JPEG 2000 frames: which blocks are coded, at what rate, and which resolutions a receiver can
// decode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "codecs/picture/block_encoder.h"
#include "sail/client/encode/frame_encoder.h"

namespace sail {
namespace {

constexpr Size kPictureSize{1000, 600};
constexpr Size kBlock{160, 112};
const BlockGrid kGrid(kPictureSize, kBlock);

class J2kFrameTest : public testing::Test {
 protected:
  void start(const char* codec) {
    encoder_ = std::make_unique<FrameEncoder>(*parse_codec_spec(codec), kGrid, 25, workers_, clock_,
                                              trace_);
  }
  // Paints a 4:2:0 picture with detail of this strength; the seed selects the picture.
  void paint(double strength, int seed) {
    for (int y = 0; y < kPictureSize.height; ++y) {
      for (int x = 0; x < kPictureSize.width; ++x) {
        const double wave = std::sin(x * 0.9 + seed) * std::cos(y * 1.3 - 2 * seed) +
                            std::sin((x * y % 97) * 0.7 + seed);
        luma_[static_cast<size_t>(y * kPictureSize.width + x)] =
            static_cast<uint8_t>(std::clamp(128 + 60 * strength * wave, 0.0, 255.0));
      }
    }
  }
  codecs::ImageView image() const {
    return {.format = codecs::PixelFormat::kI420,
            .width = kPictureSize.width,
            .height = kPictureSize.height,
            .planes = {luma_.data(), chroma_.data(), chroma_.data()},
            .strides = {kPictureSize.width, kPictureSize.width / 2, kPictureSize.width / 2}};
  }
  FrameRef encode(int reduction = 0) {
    const BlockGrid grid = reduced_grid(kPictureSize, kBlock, reduction, Scaling::kBlock);
    FrameRef frame = pool_.take();
    EXPECT_TRUE(frame);
    frame->begin(
        ++number_, 0,
        std::make_shared<WantedBlocks>(WantedBlocks{
            .reduction = reduction, .grid = grid, .blocks = std::vector<bool>(grid.count(), true)}),
        false, codecs::color_of(image()));
    int rows = 0;
    std::mutex mutex;
    encoder_->begin(frame);
    encoder_->encode(image(), frame, pool_.rows(), [&] {
      const std::lock_guard lock(mutex);
      ++rows;
    });
    EXPECT_EQ(rows, grid.rows());
    EXPECT_TRUE(frame->has_all_rows());
    return frame;
  }
  static size_t bytes_of(const FrameRef& frame, int reduction = 0) {
    size_t bytes = 0;
    for (int row = 0; row < frame->grid().rows(); ++row) {
      for (int column = 0; column < frame->grid().columns(); ++column) {
        EXPECT_TRUE(frame->row(row)->has(column));
        bytes += frame->row(row)->block(column, reduction).size();
      }
    }
    return bytes;
  }
  static size_t fresh(const FrameRef& frame) {
    size_t blocks = 0;
    for (int row = 0; row < frame->grid().rows(); ++row) {
      for (int column = 0; column < frame->grid().columns(); ++column) {
        blocks += frame->row(row)->version(column) == frame->number() ? 1 : 0;
      }
    }
    return blocks;
  }

  WorkerPool workers_{2};
  WallClock clock_;
  FrameTrace trace_{8};
  FramePool pool_{kGrid, 4, [](int width, int height) {
                    return codecs::max_block_bytes(codecs::CodecId::kHtj2k, width, height);
                  }};
  std::unique_ptr<FrameEncoder> encoder_;
  std::vector<uint8_t> luma_ = std::vector<uint8_t>(size_t{1000} * 600);
  std::vector<uint8_t> chroma_ = std::vector<uint8_t>(size_t{500} * 300, 128);
  uint64_t number_ = 0;
};

class J2kRateTest : public J2kFrameTest, public testing::WithParamInterface<const char*> {};

TEST_P(J2kRateTest, TheMeanIsHeldAndNoFrameIsMuchLargerThroughCuts) {
  start(GetParam());
  const double share = 20e6 / 8 / 25;
  double sum = 0;
  constexpr int kFrames = 50;  // two seconds
  for (int i = 0; i < kFrames; ++i) {
    // A scene cut to a harder picture, and back.
    paint(i >= 20 && i < 35 ? 2.0 : 0.6, i);
    const auto bytes = static_cast<double>(bytes_of(encode()));
    EXPECT_LE(bytes, 1.2 * share) << "frame " << i;
    sum += bytes;
  }
  EXPECT_NEAR(sum / kFrames, share, 0.01 * share);
}

INSTANTIATE_TEST_SUITE_P(Codecs, J2kRateTest, testing::Values("htj2k:20mbit", "j2k:20mbit"));

TEST_F(J2kFrameTest, OnlyWhatChangesIsCodedAgain) {
  start("htj2k:lossless");
  paint(1, 1);
  EXPECT_EQ(fresh(encode()), kGrid.count());
  EXPECT_EQ(fresh(encode()), 0U);
  luma_[static_cast<size_t>(300 * kPictureSize.width + 500)] ^= 0x55;
  const FrameRef changed = encode();
  EXPECT_EQ(fresh(changed), 1U);
  EXPECT_EQ(changed->row(2)->version(3), changed->number());
}

TEST_F(J2kFrameTest, BlocksAreReadableWholeAndReduced) {
  start("htj2k:lossless");
  paint(1, 1);
  for (const int of_frame : {0, 1}) {
    const FrameRef frame = encode(of_frame);
    const auto decoder = codecs::make_j2k_decoder(codecs::CodecId::kHtj2k);
    const Rect rect = frame->grid().block_rect(6, 5);  // corner block, smaller than the others
    for (int further = 0; further + of_frame <= codecs::kMaxReduction; ++further) {
      const int width = codecs::reduced_side(rect.width, further);
      const int height = codecs::reduced_side(rect.height, further);
      std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
      EXPECT_TRUE(decoder->decode(frame->row(5)->block(6, further),
                                  {.width = rect.width,
                                   .height = rect.height,
                                   .reduction = further,
                                   .color = frame->color(),
                                   .pixels = {pixels.data(), width * 4}}));
    }
    if (of_frame == 0) {
      EXPECT_LT(bytes_of(frame, 1), bytes_of(frame) * 6 / 10);
    }
  }
}

// Half the width and height get a quarter of the rate.
TEST_F(J2kFrameTest, HalvedFramesHaveTheirShareOfTheRate) {
  start("htj2k:20mbit");
  for (int i = 0; i < 12; ++i) {
    paint(1, i);
    const auto bytes = static_cast<double>(bytes_of(encode(1)));
    if (i > 6) {
      EXPECT_NEAR(bytes, 20e6 / 8 / 25 / 4, 20e6 / 8 / 25 / 4 * 0.2);
    }
  }
}

}  // namespace
}  // namespace sail
