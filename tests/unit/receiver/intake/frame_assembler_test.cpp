#include "receiver/intake/frame_assembler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "codecs/picture/block_encoder.h"
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using sail::CloseReason;

// 3 × 2 blocks; the last column and row are smaller and not multiples of a texel block.
const sail::BlockGrid kFrameGrid({75, 50}, {32, 32});
constexpr uint32_t kFrameStream = 7;
constexpr uint64_t kSession = 3;
constexpr sail::StreamCodec kLz4{codecs::CodecId::kDxt1, codecs::Compression::kLz4};

FrameSource source_of(const sail::StreamCodec& codec) {
  return {.stream = kFrameStream, .session = kSession, .codec = codec, .grid = kFrameGrid};
}

std::vector<uint32_t> lengths_of(const sail::BlockRun& run, const sail::BlockGrid& grid) {
  std::vector<uint32_t> lengths;
  for (int i = 0; i < run.count; ++i) {
    lengths.push_back(static_cast<uint32_t>(block_bytes(grid, run.first_column + i, run.row)));
  }
  return lengths;
}

class FrameAssemblerTest : public testing::Test {
 protected:
  void begin(uint64_t frame, uint64_t epoch = 1, uint64_t base = 0, uint8_t reduction = 0) {
    ASSERT_TRUE(
        assembler_.begin({.frame = frame, .epoch = epoch, .base = base, .reduction = reduction}));
    grid_ = {sail::reduced_size(kFrameGrid.frame_size(), reduction), kFrameGrid.block_size()};
  }
  sail::DataResult<std::span<uint8_t>> place(const sail::BlockRun& run) {
    return assembler_.place(run, lengths_of(run, grid_));
  }
  // Fills the run's bytes with a value.
  void put(const sail::BlockRun& run, uint8_t value) {
    const auto bytes = place(run);
    ASSERT_TRUE(bytes) << bytes.error().text;
    std::fill(bytes->begin(), bytes->end(), value);
    assembler_.placed();
  }
  FrameAssembler::Ended end(uint64_t frame, uint32_t blocks) {
    auto ended = assembler_.end({.frame = frame, .block_count = blocks});
    EXPECT_TRUE(ended) << ended.error().text;
    return ended ? *std::move(ended) : FrameAssembler::Ended{};
  }
  // A frame of one block, filled with its frame number.
  FrameAssembler::Ended one_block(uint64_t frame, uint64_t base, int column) {
    begin(frame, 1, base);
    put({frame, 0, static_cast<uint16_t>(column), 1}, static_cast<uint8_t>(frame));
    return end(frame, 1);
  }
  CloseReason refusal(const sail::BlockRun& run) {
    const auto result = place(run);
    EXPECT_FALSE(result);
    return result ? CloseReason::kNormal : result.error().reason;
  }
  void recycle(FrameAssembler::Ended ended) {
    assembler_.count_reported();
    assembler_.recycle(std::move(ended.frame));
  }

  FrameAssembler assembler_{source_of({})};
  sail::BlockGrid grid_;  // of the last begun frame
};

// Fill value of each block of the frame; -1: missing.
std::vector<int> values(const Frame& frame) {
  std::vector<int> values;
  for (int row = 0; row < frame.grid().rows(); ++row) {
    for (int column = 0; column < frame.grid().columns(); ++column) {
      if (!frame.has(column, row)) {
        values.push_back(-1);
        continue;
      }
      const auto block = frame.block(column, row);
      EXPECT_EQ(block.size(), block_bytes(frame.grid(), column, row));
      EXPECT_EQ(std::count(block.begin(), block.end(), block[0]),
                static_cast<ptrdiff_t>(block.size()));
      values.push_back(block[0]);
    }
  }
  return values;
}

TEST_F(FrameAssemblerTest, FrameIsWholeAtItsEnd) {
  begin(1);
  put({1, 0, 0, 2}, 10);
  put({1, 1, 1, 2}, 20);
  put({1, 0, 2, 1}, 30);
  put({1, 1, 0, 1}, 40);
  const auto ended = end(1, 6);
  ASSERT_TRUE(ended.whole);
  EXPECT_EQ(ended.frame->key(), (FrameKey{1, 1}));
  EXPECT_EQ(ended.frame->stream(), kFrameStream);
  EXPECT_EQ(ended.frame->session(), kSession);
  EXPECT_EQ(values(*ended.frame), (std::vector{10, 10, 30, 40, 20, 20}));
}

TEST_F(FrameAssemblerTest, BlocksThatDoNotComeAreThoseOfTheBase) {
  begin(1);
  put({1, 0, 0, 3}, 1);
  put({1, 1, 0, 2}, 1);
  const auto first = end(1, 5);
  begin(2, 1, 1);
  put({2, 1, 1, 2}, 2);
  const auto second = end(2, 2);
  begin(3, 1, 2);
  const auto third = end(3, 0);
  begin(3, 2, 3);  // again, for a new layout
  put({3, 0, 1, 1}, 3);
  const auto fourth = end(3, 1);
  ASSERT_TRUE(first.whole && second.whole && third.whole && fourth.whole);
  EXPECT_EQ(values(*first.frame), (std::vector{1, 1, 1, 1, 1, -1}));
  EXPECT_EQ(values(*second.frame), (std::vector{1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(values(*third.frame), (std::vector{1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(values(*fourth.frame), (std::vector{1, 3, 1, 1, 2, 2}));
  // Rows without new blocks are shared, not copied; versions identify new blocks.
  EXPECT_EQ(second.frame->row(0), first.frame->row(0));
  EXPECT_EQ(third.frame->row(1), second.frame->row(1));
  EXPECT_EQ(second.frame->version(0, 1), 1U);
  EXPECT_EQ(second.frame->version(1, 1), 2U);
}

TEST_F(FrameAssemblerTest, FrameWithoutABaseForgetsTheOneBefore) {
  recycle(one_block(1, 0, 0));
  const auto ended = one_block(2, 0, 1);
  ASSERT_TRUE(ended.whole);
  EXPECT_EQ(values(*ended.frame), (std::vector{-1, 2, -1, -1, -1, -1}));
}

TEST_F(FrameAssemblerTest, WhatBuildsOnALostFrameIsIncomplete) {
  recycle(one_block(1, 0, 0));
  begin(2, 1, 1);
  put({2, 0, 0, 1}, 2);
  auto lost = end(2, 2);
  EXPECT_FALSE(lost.whole);
  recycle(std::move(lost));
  auto next = one_block(3, 2, 1);
  EXPECT_FALSE(next.whole) << "its base was lost";
  recycle(std::move(next));
  auto older = one_block(4, 1, 1);
  EXPECT_FALSE(older.whole) << "what was before the lost one is forgotten, too";
  recycle(std::move(older));
  EXPECT_TRUE(one_block(5, 0, 1).whole);
}

TEST_F(FrameAssemblerTest, FrameCutOffByTheNextIsIncomplete) {
  begin(1);
  put({1, 0, 0, 1}, 1);
  auto overrun = assembler_.begin({.frame = 2, .epoch = 1, .base = 1});
  ASSERT_TRUE(overrun && *overrun);
  EXPECT_EQ((*overrun)->key().number, 1U);
  EXPECT_FALSE(end(2, 0).whole);
}

TEST_F(FrameAssemblerTest, ReducedFramesHaveASmallerGrid) {
  recycle(one_block(1, 0, 0));
  begin(2, 1, 1, 1);  // 38 × 25 pixels: 2 × 1 blocks
  put({2, 0, 0, 1}, 2);
  EXPECT_EQ(refusal({2, 0, 2, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({2, 1, 0, 1}), CloseReason::kBadMessage);
  auto mixed = end(2, 1);
  EXPECT_FALSE(mixed.whole) << "no frame builds on one of another size";
  recycle(std::move(mixed));
  begin(3, 1, 0, 1);
  put({3, 0, 0, 2}, 3);
  const auto reduced = end(3, 2);
  ASSERT_TRUE(reduced.whole);
  EXPECT_EQ(reduced.frame->grid().frame_size(), (sail::Size{38, 25}));
  EXPECT_EQ(values(*reduced.frame), (std::vector{3, 3}));
}

TEST_F(FrameAssemblerTest, ReusedFrameForgetsItsBlocks) {
  auto first = one_block(1, 0, 0);
  const Frame* buffer = first.frame.get();
  recycle(std::move(first));
  const auto second = one_block(2, 0, 1);
  ASSERT_EQ(second.frame.get(), buffer);
  EXPECT_EQ(second.frame->key().number, 2U);
  EXPECT_FALSE(second.frame->has(0, 0));
}

TEST_F(FrameAssemblerTest, FramesComeInOrder) {
  begin(5, 2);
  for (const FrameKey key : {FrameKey{2, 5}, {2, 4}, {1, 5}, {3, 4}}) {
    const auto result = assembler_.begin({.frame = key.number, .epoch = key.epoch});
    ASSERT_FALSE(result) << key.number << " of " << key.epoch;
    EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
  }
  // Again, for a new layout.
  EXPECT_TRUE(assembler_.begin({.frame = 5, .epoch = 3}));
  EXPECT_TRUE(assembler_.begin({.frame = 6, .epoch = 3}));
}

TEST_F(FrameAssemblerTest, BlocksMustBeOfTheFrameAndWithinIt) {
  grid_ = kFrameGrid;
  EXPECT_EQ(refusal({1, 0, 0, 1}), CloseReason::kBadMessage);  // no frame was begun
  begin(1);
  EXPECT_EQ(refusal({2, 0, 0, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 2, 0, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 65535, 65535, 65535}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 2, 2}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 3, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 0, 0}), CloseReason::kBadMessage);
}

TEST_F(FrameAssemblerTest, NoBlockTwiceAndNoneTooMany) {
  begin(1);
  put({1, 0, 0, 2}, 1);
  EXPECT_EQ(refusal({1, 0, 1, 1}), CloseReason::kBadMessage);
  const auto result = assembler_.end({.frame = 1, .block_count = 1});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
}

TEST_F(FrameAssemblerTest, FrameWithoutBlocksNeedsABase) {
  begin(1);
  const auto result = assembler_.end({.frame = 1, .block_count = 0});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
}

TEST_F(FrameAssemblerTest, BlockLengthsAreThoseOfTheCodec) {
  begin(1);
  const std::vector<uint32_t> lengths{512, 511};
  const auto result = assembler_.place({1, 0, 0, 2}, lengths);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
}

TEST(FrameAssembler, CompressedBlocksAreNotLongerThanPlainOnes) {
  for (const uint32_t length : {0U, 1U, 511U, 512U, 513U, 0xffffffffU}) {
    FrameAssembler assembler(source_of(kLz4));
    ASSERT_TRUE(assembler.begin({.frame = 1, .epoch = 1}));
    const std::vector<uint32_t> lengths{length};
    EXPECT_EQ(assembler.place({1, 0, 0, 1}, lengths).has_value(), length >= 1 && length <= 512)
        << length;
  }
}

TEST(FrameAssembler, RawBlocksAreFourBytesAPixel) {
  constexpr codecs::CodecId kRaw = codecs::CodecId::kRaw;
  for (const uint32_t length : {4095U, 4096U, 4097U}) {
    FrameAssembler plain(source_of({kRaw, codecs::Compression::kNone}));
    FrameAssembler lz4(source_of({kRaw, codecs::Compression::kLz4}));
    ASSERT_TRUE(plain.begin({.frame = 1, .epoch = 1}) && lz4.begin({.frame = 1, .epoch = 1}));
    const std::vector<uint32_t> lengths{length};
    EXPECT_EQ(plain.place({1, 0, 0, 1}, lengths).has_value(), length == 4096) << length;
    EXPECT_EQ(lz4.place({1, 0, 0, 1}, lengths).has_value(), length <= 4096) << length;
  }
}

// In a colour of Y, Cb and Cr, without a second stage.
TEST(FrameAssembler, RawBlocksMayBePlanar) {
  constexpr codecs::CodecId kRaw = codecs::CodecId::kRaw;
  constexpr codecs::PictureColor kYcc{codecs::ColorMatrix::kBt709, codecs::ColorRange::kLimited};
  // Of 11 × 18 pixels.
  const std::vector<uint32_t> length{11 * 18 + 2 * 6 * 9};
  FrameAssembler plain(source_of({kRaw, codecs::Compression::kNone}));
  ASSERT_TRUE(plain.begin({.frame = 1, .epoch = 1, .color = kYcc}));
  EXPECT_FALSE(plain.place({1, 1, 2, 1}, std::vector<uint32_t>{4 * 11 * 18}));
  const auto place = plain.place({1, 1, 2, 1}, length);
  ASSERT_TRUE(place) << place.error().text;
  std::iota(place->begin(), place->end(), uint8_t{0});
  plain.placed();
  const auto ended = plain.end({.frame = 1, .block_count = 1});
  ASSERT_TRUE(ended && ended->whole);
  const codecs::ImageView picture = ended->frame->picture(2, 1);
  EXPECT_EQ(picture.format, codecs::PixelFormat::kI420);
  EXPECT_EQ(picture.matrix, kYcc.matrix);
  EXPECT_EQ(picture.range, kYcc.range);
  EXPECT_EQ(picture.planes[2][0], static_cast<uint8_t>(11 * 18 + 6 * 9));

  FrameAssembler lz4(source_of({kRaw, codecs::Compression::kLz4}));
  EXPECT_FALSE(lz4.begin({.frame = 1, .epoch = 1, .color = kYcc}));
  FrameAssembler dxt(source_of({}));
  EXPECT_FALSE(dxt.begin({.frame = 1, .epoch = 1, .color = kYcc}));
}

// Their bytes would be read as pixels of the other format.
TEST(FrameAssembler, RawBlocksOfAnotherFormatAreNotKept) {
  constexpr codecs::PictureColor kYcc{codecs::ColorMatrix::kBt709, codecs::ColorRange::kLimited};
  FrameAssembler assembler(source_of({codecs::CodecId::kRaw, codecs::Compression::kNone}));
  const auto whole_with = [&](const sail::FrameBegin& begin, uint16_t column, uint32_t length) {
    EXPECT_TRUE(assembler.begin(begin));
    const auto place = assembler.place({begin.frame, 0, column, 1}, std::vector{length});
    EXPECT_TRUE(place) << place.error().text;
    assembler.placed();
    auto ended = assembler.end({.frame = begin.frame, .block_count = 1});
    EXPECT_TRUE(ended && ended->whole);
    return std::move(ended->frame);
  };
  whole_with({.frame = 1, .epoch = 1, .color = kYcc}, 0, 1536);
  const auto same = whole_with({.frame = 2, .epoch = 1, .base = 1, .color = kYcc}, 1, 1536);
  EXPECT_TRUE(same->has(0, 0) && same->has(1, 0));
  const auto other = whole_with({.frame = 3, .epoch = 1, .base = 2}, 1, 4096);
  EXPECT_FALSE(other->has(0, 0));
  EXPECT_TRUE(other->has(1, 0));
}

// Blocks of any length up to the maximum; blocks of a reduced frame may be full ones.
TEST(FrameAssembler, Jpeg2000BlocksAreAsLongAsTheyLike) {
  constexpr auto kCodec = codecs::CodecId::kHtj2k;
  const auto most = static_cast<uint32_t>(codecs::max_block_bytes(kCodec, 32, 32));
  for (const uint8_t reduction : {uint8_t{0}, uint8_t{2}}) {
    FrameAssembler assembler(source_of({.id = kCodec}));
    ASSERT_TRUE(assembler.begin({.frame = 1, .epoch = 1, .reduction = reduction}));
    for (const uint32_t length : {0U, most + 1, 0xffffffffU}) {
      EXPECT_FALSE(assembler.place({1, 0, 0, 1}, std::vector{length})) << length;
    }
    // All rows and columns exist, whatever the reduction.
    for (uint16_t row = 0; row < 2; ++row) {
      const int height = row == 0 ? 32 : 18;
      const auto longest = [&](int width) {
        return static_cast<uint32_t>(codecs::max_block_bytes(kCodec, width, height));
      };
      const std::vector<uint32_t> lengths{1, longest(32) - row, longest(11)};
      const auto place = assembler.place({1, row, 0, 3}, lengths);
      ASSERT_TRUE(place) << place.error().text;
      std::fill(place->begin(), place->end(), static_cast<uint8_t>(row));
      assembler.placed();
    }
    const auto ended = assembler.end({.frame = 1, .block_count = 6});
    ASSERT_TRUE(ended && ended->whole);
    EXPECT_EQ(ended->frame->block(1, 0).size(), most);
    EXPECT_EQ(ended->frame->block(0, 1).size(), 1U);
    EXPECT_EQ(ended->frame->block(1, 1).front(), 1);
    EXPECT_EQ(ended->frame->reduction(), reduction);
    EXPECT_EQ(ended->frame->grid(),
              sail::reduced_grid(kFrameGrid.frame_size(), kFrameGrid.block_size(), reduction,
                                 sail::Scaling::kBlock));
  }
}

TEST(FrameAssembler, AFrameMayBeOneCodestream) {
  FrameSource source = source_of({.id = codecs::CodecId::kJ2k});
  source.grid = {{4096, 2160}, {4096, 2160}};
  FrameAssembler assembler(source);
  const codecs::PictureColor xyz{codecs::ColorMatrix::kXyz, codecs::ColorRange::kFull};
  ASSERT_TRUE(assembler.begin({.frame = 1, .epoch = 1, .color = xyz}));
  const auto place = assembler.place({1, 0, 0, 1}, std::vector{1'302'083U});
  ASSERT_TRUE(place);
  place->back() = 9;
  assembler.placed();
  const auto ended = assembler.end({.frame = 1, .block_count = 1});
  ASSERT_TRUE(ended && ended->whole);
  EXPECT_EQ(ended->frame->block(0, 0).size(), 1'302'083U);
  EXPECT_EQ(ended->frame->block(0, 0).back(), 9);
  EXPECT_EQ(ended->frame->color(), xyz);
}

TEST_F(FrameAssemblerTest, NoMoreFramesInFlightThanAgreed) {
  std::vector<FrameAssembler::Ended> held;
  uint64_t number = 1;
  for (; number <= FrameAssembler::kFramesInFlight; ++number) {
    held.push_back(one_block(number, number - 1, 0));
  }
  const auto result = assembler_.begin({.frame = number, .epoch = 1});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kLimit);

  // Reported, although its buffer is still shown: another frame may start.
  assembler_.count_reported();
  begin(number);
}

// Each frame in use, and the last one, hold their own rows: memory never runs out, and no row is
// written while a frame uses it.
TEST_F(FrameAssemblerTest, FramesThatAreHeldDoNotChange) {
  std::vector<FrameAssembler::Ended> held;
  for (uint64_t number = 1; number <= 200; ++number) {
    held.push_back(one_block(number, number - 1, static_cast<int>(number % 3)));
    for (const auto& ended : held) {
      const uint64_t of = ended.frame->key().number;
      const auto now = values(*ended.frame);
      for (uint64_t back = 0; back < std::min<uint64_t>(of, 3); ++back) {
        ASSERT_EQ(now[(of - back) % 3], static_cast<int>((of - back) % 256)) << of;
      }
    }
    if (held.size() < FrameAssembler::kFramesInFlight) continue;
    recycle(std::move(held.front()));
    held.erase(held.begin());
  }
}

TEST(FrameTest, MemoryIsThatOfItsBlocks) {
  using codecs::CodecId;
  EXPECT_EQ(Frame::memory({{3840, 2160}, {128, 64}}, CodecId::kDxt1), 3840U * 2160U / 2);
  size_t sum = 0;
  for (int row = 0; row < kFrameGrid.rows(); ++row) {
    for (int column = 0; column < kFrameGrid.columns(); ++column) {
      sum += block_bytes(kFrameGrid, column, row);
    }
  }
  EXPECT_EQ(Frame::memory(kFrameGrid, CodecId::kDxt1), sum);
}

TEST(FrameAssembler, MemoryIsThatOfAllFramesAtATime) {
  using codecs::CodecId;
  using codecs::Compression;
  const auto memory = [](const sail::BlockGrid& grid, const sail::StreamCodec& codec) {
    return FrameAssembler::memory({.codec = codec, .grid = grid});
  };
  constexpr size_t kMiB = size_t{1} << 20;
  const sail::BlockGrid large({16384, 16384}, {128, 64});
  EXPECT_GE(memory(large, {CodecId::kDxt1, Compression::kNone}), 7 * 128 * kMiB);
  EXPECT_LE(memory(large, {CodecId::kDxt1, Compression::kNone}), 7 * 130 * kMiB);
  // Decoded blocks need memory in addition to the received ones.
  EXPECT_GE(memory(large, {CodecId::kDxt1, Compression::kLz4}), 14 * 128 * kMiB);
  const sail::BlockGrid cinema({4096, 2160}, {512, 256});
  EXPECT_GE(memory(cinema, {CodecId::kHtj2k, Compression::kNone}), size_t{7} * 12 * 4096 * 2160);
  // Many small blocks take more than their bytes.
  EXPECT_GE(memory({{16384, 16384}, {16, 16}}, {CodecId::kDxt1, Compression::kNone}),
            7 * (128 + 32) * kMiB);
}

}  // namespace
}  // namespace receiver
