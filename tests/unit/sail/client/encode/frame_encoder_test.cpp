#include "sail/client/encode/frame_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "codecs/color/scaling.h"
#include "codecs/dxt/dxt.h"

namespace sail {
namespace {

using Place = std::pair<int, int>;  // column, row

constexpr Size kSize{300, 200};  // 3 × 4 blocks, the last ones smaller

class FrameEncoderTest : public testing::Test {
 protected:
  explicit FrameEncoderTest(const char* codec = "dxt1") : codec_(*parse_codec_spec(codec)) {
    std::mt19937 random(1);
    for (uint8_t& byte : pixels_) byte = static_cast<uint8_t>(random());
  }

  std::shared_ptr<WantedBlocks> wanted(int reduction = 0) const {
    const BlockGrid grid(reduced_size(kSize, reduction), kDefaultBlockSize);
    return std::make_shared<WantedBlocks>(WantedBlocks{
        .reduction = reduction, .grid = grid, .blocks = std::vector<bool>(grid.count(), true)});
  }
  codecs::ImageView image() const {
    return {.format = codecs::PixelFormat::kBgra,
            .width = kSize.width,
            .height = kSize.height,
            .planes = {pixels_.data()},
            .strides = {kSize.width * 4}};
  }
  FrameRef begin(const std::shared_ptr<const WantedBlocks>& blocks) {
    FrameRef frame = pool_.take();
    EXPECT_TRUE(frame);
    frame->begin(++number_, 0, blocks, false);
    return frame;
  }
  FrameRef encode(const std::shared_ptr<const WantedBlocks>& blocks) {
    FrameRef frame = begin(blocks);
    encoder_.begin(frame);
    encoder_.encode(image(), frame, pool_.rows(), [this] { ++rows_told_; });
    return frame;
  }
  void change_pixel(int x, int y) { pixels_[static_cast<size_t>(y * kSize.width + x) * 4] ^= 0x40; }

  // Blocks encoded for this frame.
  static std::set<Place> fresh(const FrameRef& frame) {
    std::set<Place> places;
    for (int row = 0; row < frame->grid().rows(); ++row) {
      for (int column = 0; column < frame->grid().columns(); ++column) {
        if (frame->row(row) && frame->row(row)->version(column) == frame->number()) {
          places.emplace(column, row);
        }
      }
    }
    return places;
  }
  // Expects all blocks of the frame to match the image.
  void expect_right(const FrameRef& frame) const {
    std::vector<uint8_t> reduced(static_cast<size_t>(kSize.width * kSize.height) * 4);
    codecs::ImageView source = image();
    const Size size = frame->grid().frame_size();
    if (frame->reduction() > 0) {
      codecs::reduce_to_bgra(image(), frame->reduction(), 0, 0, size.width, size.height,
                             {reduced.data(), size.width * 4}, codecs::CpuLevel::kReference);
      source.width = size.width;
      source.height = size.height;
      source.planes[0] = reduced.data();
      source.strides[0] = size.width * 4;
    }
    const auto stage = codecs::make_second_stage(codec_.codec.compression);
    for (int row = 0; row < frame->grid().rows(); ++row) {
      for (int column = 0; column < frame->grid().columns(); ++column) {
        if (!frame->covers(column, row)) continue;
        const Rect rect = frame->grid().block_rect(column, row);
        std::vector<uint8_t> expected(codecs::dxt_bytes(codec_.codec.id, rect.width, rect.height));
        codecs::dxt_encode(codec_.codec.id, source, rect.x, rect.y, rect.width, rect.height,
                           codec_.mode, expected.data(), codecs::CpuLevel::kReference);
        ASSERT_TRUE(frame->row(row)->has(column)) << column << ", " << row;
        const auto block = frame->row(row)->block(column);
        std::vector<uint8_t> bytes(block.begin(), block.end());
        if (block.size() != expected.size()) {
          ASSERT_NE(stage, nullptr);
          bytes.resize(expected.size());
          ASSERT_TRUE(stage->decompress(block, bytes));
        }
        ASSERT_EQ(bytes, expected) << column << ", " << row;
      }
    }
  }

  const CodecSpec codec_;
  WorkerPool workers_{2};
  WallClock clock_;
  FramePool pool_{BlockGrid(kSize, kDefaultBlockSize), 4,
                  [id = codec_.codec.id](int width, int height) {
                    return codecs::dxt_bytes(id, width, height);
                  }};
  FrameTrace trace_{8};
  FrameEncoder encoder_{codec_, BlockGrid(kSize, kDefaultBlockSize), 0, workers_, clock_, trace_};
  std::vector<uint8_t> pixels_ =
      std::vector<uint8_t>(static_cast<size_t>(kSize.width * kSize.height) * 4);
  uint64_t number_ = 0;
  std::atomic<int> rows_told_{0};
};

TEST_F(FrameEncoderTest, OnlyWhatChangedIsEncoded) {
  const auto all = wanted();
  const FrameRef first = encode(all);
  EXPECT_EQ(fresh(first).size(), 12U);
  EXPECT_EQ(rows_told_, 4);
  expect_right(first);

  const FrameRef second = encode(all);
  EXPECT_TRUE(fresh(second).empty());
  for (int row = 0; row < 4; ++row) EXPECT_EQ(second->row(row), first->row(row));

  change_pixel(299, 70);
  change_pixel(0, 199);
  const FrameRef third = encode(all);
  EXPECT_EQ(fresh(third), (std::set<Place>{{2, 1}, {0, 3}}));
  EXPECT_EQ(third->row(0), first->row(0));
  expect_right(third);
}

// Else receivers that read the memory would lack the blocks that have not changed since.
TEST_F(FrameEncoderTest, TheFirstFrameInSharedMemoryHasAllBlocks) {
  const auto all = wanted();
  const FrameRef first = encode(all);
  first->memory_demand()->add();
  const FrameRef second = encode(all);
  ASSERT_NE(second->memory(), nullptr);
  EXPECT_EQ(fresh(second).size(), 12U);
  EXPECT_TRUE(second->memory()->contains(second->row(0)->block(0)));
  expect_right(second);
  EXPECT_TRUE(fresh(encode(all)).empty());
}

TEST_F(FrameEncoderTest, OnlyWhatIsWantedIsEncoded) {
  const auto some = wanted();
  some->blocks.assign(12, false);
  some->blocks[some->index(1, 2)] = true;
  const FrameRef first = encode(some);
  EXPECT_EQ(fresh(first), (std::set<Place>{{1, 2}}));
  EXPECT_FALSE(first->row(0));
  expect_right(first);

  // A hidden block is encoded when it becomes visible; an encoded block stays valid while hidden.
  const auto none = wanted();
  none->blocks.assign(12, false);
  EXPECT_TRUE(fresh(encode(none)).empty());
  const auto row = wanted();
  for (int column = 0; column < 3; ++column) row->blocks[row->index(column, 3)] = false;
  const FrameRef third = encode(row);
  EXPECT_EQ(fresh(third).size(), 8U);
  expect_right(third);
}

TEST_F(FrameEncoderTest, WhatChangedWhileHiddenIsEncodedWhenItIsSeenAgain) {
  const auto all = wanted();
  encode(all);
  const auto some = wanted();
  some->blocks[some->index(0, 0)] = false;
  change_pixel(5, 5);
  EXPECT_TRUE(fresh(encode(some)).empty());
  const FrameRef again = encode(all);
  EXPECT_EQ(fresh(again), (std::set<Place>{{0, 0}}));
  expect_right(again);
}

TEST_F(FrameEncoderTest, FilmsAreComparedNowAndThenAndStillsAreFoundSoon) {
  const auto all = wanted();
  FrameRef frame;
  for (int i = 0; i < 40; ++i) {
    for (uint8_t& byte : pixels_) byte = static_cast<uint8_t>(byte * 5 + 1);
    frame = {};
    frame = encode(all);
    ASSERT_EQ(fresh(frame).size(), 12U) << i;
    expect_right(frame);
  }
  int frames = 0;
  do {
    frame = {};
    frame = encode(all);
    expect_right(frame);
    ASSERT_LE(++frames, 20);
  } while (!fresh(frame).empty());
}

TEST_F(FrameEncoderTest, ReducedFramesAreThoseOfTheReducedPicture) {
  encode(wanted());
  for (const int reduction : {1, 2, 3}) {
    const auto reduced = wanted(reduction);
    const FrameRef frame = encode(reduced);
    EXPECT_EQ(frame->grid().frame_size(), reduced_size(kSize, reduction));
    EXPECT_EQ(fresh(frame).size(), reduced->blocks.size());
    expect_right(frame);
    EXPECT_TRUE(fresh(encode(reduced)).empty());
    change_pixel(299, 199);
    EXPECT_EQ(fresh(encode(reduced)).size(), 1U);
  }
}

TEST_F(FrameEncoderTest, EncodedBlocksAreTakenAsTheyAre) {
  const auto all = wanted();
  const FrameRef made = encode(all);
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> lengths;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 3; ++column) {
      const auto block = made->row(row)->block(column);
      bytes.insert(bytes.end(), block.begin(), block.end());
      lengths.push_back(static_cast<uint32_t>(block.size()));
    }
  }
  FrameEncoder taker(codec_, all->grid, 0, workers_, clock_, trace_);
  ASSERT_TRUE(taker.fits({bytes, lengths}, all->grid));
  const FrameRef first = begin(all);
  taker.begin(first);
  taker.take_over({bytes, lengths}, first, pool_.rows(), [] {});
  EXPECT_EQ(fresh(first).size(), 12U);
  expect_right(first);
  bytes.back() ^= 1;
  const FrameRef second = begin(all);
  taker.begin(second);
  taker.take_over({bytes, lengths}, second, pool_.rows(), [] {});
  EXPECT_EQ(fresh(second), (std::set<Place>{{2, 3}}));

  EXPECT_FALSE(taker.fits({std::span(bytes).first(bytes.size() - 1), lengths}, all->grid));
  EXPECT_FALSE(taker.fits({bytes, std::span(lengths).first(11)}, all->grid));
  ++lengths[0];
  --lengths[1];
  EXPECT_FALSE(taker.fits({bytes, lengths}, all->grid));
}

class CompressedFrameEncoderTest : public FrameEncoderTest {
 protected:
  CompressedFrameEncoderTest() : FrameEncoderTest("dxt1+lz4:fast") {}
};

TEST_F(CompressedFrameEncoderTest, BlocksAreCompressedWhereThatMakesThemShorter) {
  // Noise above, one colour below.
  std::fill(pixels_.begin() + ptrdiff_t{kSize.width} * 128 * 4, pixels_.end(), uint8_t{9});
  const FrameRef frame = encode(wanted());
  expect_right(frame);
  EXPECT_EQ(frame->row(0)->block(0).size(), 4096U);
  EXPECT_LT(frame->row(2)->block(0).size(), 200U);
}

}  // namespace
}  // namespace sail
