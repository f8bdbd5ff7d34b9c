#include "receiver/frame_assembler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "codecs/dxt.h"

namespace receiver {
namespace {

using sail::CloseReason;

// 3 × 2 blocks, the last column and row smaller and off texel blocks.
const sail::BlockGrid kGrid({75, 50}, {32, 32});
constexpr uint32_t kStream = 7;
constexpr uint64_t kSession = 3;

std::vector<uint32_t> lengths_of(const sail::BlockRun& run) {
  std::vector<uint32_t> lengths;
  for (int i = 0; i < run.count; ++i) {
    const sail::Rect block = kGrid.block_rect(run.first_column + i, run.row);
    lengths.push_back(static_cast<uint32_t>(
        codecs::dxt_bytes(codecs::CodecId::kDxt1, block.width, block.height)));
  }
  return lengths;
}

class FrameAssemblerTest : public testing::Test {
 protected:
  void begin(uint64_t frame, uint64_t epoch, uint32_t blocks) {
    ASSERT_TRUE(assembler_.begin({.frame = frame, .epoch = epoch, .block_count = blocks}));
  }
  sail::DataResult<std::span<uint8_t>> place(const sail::BlockRun& run) {
    return assembler_.place(run, lengths_of(run));
  }
  // Fills the run's bytes with a number.
  std::unique_ptr<Frame> put(const sail::BlockRun& run, uint8_t value) {
    const auto bytes = place(run);
    EXPECT_TRUE(bytes) << bytes.error().text;
    if (!bytes) return nullptr;
    std::fill(bytes->begin(), bytes->end(), value);
    return assembler_.placed();
  }
  CloseReason refusal(const sail::BlockRun& run) {
    const auto result = place(run);
    EXPECT_FALSE(result);
    return result ? CloseReason::kNormal : result.error().reason;
  }

  FrameAssembler assembler_{kGrid, kStream, kSession};
};

TEST_F(FrameAssemblerTest, FrameIsWholeWithItsLastBlock) {
  begin(1, 1, 6);
  EXPECT_EQ(put({1, 0, 0, 2}, 10), nullptr);
  EXPECT_EQ(put({1, 1, 1, 2}, 20), nullptr);
  EXPECT_EQ(put({1, 0, 2, 1}, 30), nullptr);
  const auto frame = put({1, 1, 0, 1}, 40);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->key(), (FrameKey{1, 1}));
  EXPECT_EQ(frame->stream(), kStream);
  EXPECT_EQ(frame->session(), kSession);
  const uint8_t expected[2][3] = {{10, 10, 30}, {40, 20, 20}};
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      ASSERT_TRUE(frame->has(column, row));
      const size_t bytes = Frame::block_bytes(kGrid, column, row);
      EXPECT_TRUE(std::all_of(frame->block(column, row), frame->block(column, row) + bytes,
                              [&](uint8_t byte) { return byte == expected[row][column]; }))
          << column << ", " << row;
    }
  }
  EXPECT_EQ(*assembler_.end({.frame = 1}), nullptr);
}

TEST_F(FrameAssemblerTest, PartOfAFrameIsWholeWhenItWasAllAnnounced) {
  begin(1, 1, 2);
  const auto frame = put({1, 1, 1, 2}, 1);
  ASSERT_NE(frame, nullptr);
  EXPECT_FALSE(frame->has(0, 0));
  EXPECT_FALSE(frame->has(0, 1));
  EXPECT_TRUE(frame->has(2, 1));
}

TEST_F(FrameAssemblerTest, ReusedFrameForgetsItsBlocks) {
  begin(1, 1, 6);
  put({1, 0, 0, 3}, 1);
  auto first = put({1, 1, 0, 3}, 1);
  const Frame* buffer = first.get();
  assembler_.count_reported();
  assembler_.give_back(std::move(first));
  begin(2, 1, 1);
  const auto second = put({2, 0, 1, 1}, 2);
  ASSERT_EQ(second.get(), buffer);
  EXPECT_EQ(second->key().number, 2U);
  EXPECT_EQ(second->here_count(), 1U);
  EXPECT_FALSE(second->has(0, 0));
}

TEST_F(FrameAssemblerTest, IncompleteFrameComesOutWhenItEndsOrTheNextBegins) {
  begin(1, 1, 2);
  put({1, 0, 0, 1}, 1);
  auto ended = assembler_.end({.frame = 1});
  ASSERT_TRUE(ended && *ended);
  EXPECT_EQ((*ended)->key().number, 1U);

  begin(2, 1, 2);
  auto overrun = assembler_.begin({.frame = 3, .epoch = 1, .block_count = 2});
  ASSERT_TRUE(overrun && *overrun);
  EXPECT_EQ((*overrun)->key().number, 2U);
}

TEST_F(FrameAssemblerTest, FramesComeInOrder) {
  begin(5, 2, 1);
  for (const FrameKey key : {FrameKey{2, 5}, {2, 4}, {1, 6}, {3, 4}}) {
    const auto result =
        assembler_.begin({.frame = key.number, .epoch = key.epoch, .block_count = 1});
    ASSERT_FALSE(result) << key.number << " of " << key.epoch;
    EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
  }
  // Again, for a new layout.
  EXPECT_TRUE(assembler_.begin({.frame = 5, .epoch = 3, .block_count = 1}));
  EXPECT_TRUE(assembler_.begin({.frame = 6, .epoch = 3, .block_count = 1}));
}

TEST_F(FrameAssemblerTest, BlocksMustBeOfTheFrameAndWithinIt) {
  EXPECT_EQ(refusal({1, 0, 0, 1}), CloseReason::kBadMessage);  // no frame began
  begin(1, 1, 6);
  EXPECT_EQ(refusal({2, 0, 0, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 2, 0, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 65535, 65535, 65535}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 2, 2}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 3, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 0, 0, 0}), CloseReason::kBadMessage);
}

TEST_F(FrameAssemblerTest, NoBlockTwiceAndNoneTooMany) {
  begin(1, 1, 3);
  put({1, 0, 0, 2}, 1);
  EXPECT_EQ(refusal({1, 0, 1, 1}), CloseReason::kBadMessage);
  EXPECT_EQ(refusal({1, 1, 0, 2}), CloseReason::kBadMessage);
  ASSERT_NE(put({1, 1, 0, 1}, 1), nullptr);
  EXPECT_EQ(refusal({1, 1, 1, 1}), CloseReason::kBadMessage) << "the frame is already painted from";
}

TEST_F(FrameAssemblerTest, BlockLengthsAreThoseOfTheCodec) {
  begin(1, 1, 6);
  const std::vector<uint32_t> lengths{512, 511};
  const auto result = assembler_.place({1, 0, 0, 2}, lengths);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
}

TEST_F(FrameAssemblerTest, BlockCountMustFitTheFrame) {
  for (const uint32_t count : {0U, 7U, 0xffffffffU}) {
    const auto result = assembler_.begin({.frame = 1, .epoch = 1, .block_count = count});
    ASSERT_FALSE(result) << count;
    EXPECT_EQ(result.error().reason, CloseReason::kBadMessage);
  }
}

TEST_F(FrameAssemblerTest, NoMoreFramesInFlightThanAgreed) {
  std::vector<std::unique_ptr<Frame>> held;
  uint64_t number = 1;
  for (; number <= FrameAssembler::kFramesInFlight; ++number) {
    begin(number, 1, 1);
    held.push_back(put({number, 0, 0, 1}, 1));
  }
  const auto result = assembler_.begin({.frame = number, .epoch = 1, .block_count = 1});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().reason, CloseReason::kLimit);

  // Reported, though its buffer is still being shown: another may come.
  assembler_.count_reported();
  begin(number, 1, 1);
}

TEST(FrameTest, MemoryIsThatOfItsBlocks) {
  EXPECT_EQ(Frame::memory(sail::BlockGrid({3840, 2160}, {128, 64})), 3840U * 2160U / 2);
  size_t sum = 0;
  for (int row = 0; row < kGrid.rows(); ++row) {
    for (int column = 0; column < kGrid.columns(); ++column) {
      sum += Frame::block_bytes(kGrid, column, row);
    }
  }
  EXPECT_EQ(Frame::memory(kGrid), sum);
  // The largest frame of the protocol.
  EXPECT_LE(FrameAssembler::memory(sail::BlockGrid({16384, 16384}, {128, 64})),
            sail::kMaxStreamMemory);
}

TEST(FrameTest, PlacesDoNotOverlap) {
  Frame frame(kGrid, 1, 1);
  std::vector<const uint8_t*> begins;
  const uint8_t* end = nullptr;
  for (int row = 0; row < kGrid.rows(); ++row) {
    for (int column = 0; column < kGrid.columns(); ++column) {
      const auto place = frame.places(row, column, 1);
      EXPECT_EQ(place.size(), Frame::block_bytes(kGrid, column, row));
      EXPECT_EQ(place.data(), frame.block(column, row));
      if (end != nullptr) {
        EXPECT_GE(place.data(), end);
      }
      end = place.data() + place.size();
    }
    EXPECT_EQ(
        frame.places(row, 0, kGrid.columns()).data() + frame.places(row, 0, kGrid.columns()).size(),
        end);
  }
}

}  // namespace
}  // namespace receiver
