#include "sail/client/frame_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sail {
namespace {

TEST(FrameLayoutTest, BlocksOfARowStandNextToOneAnother) {
  // 3 × 2 blocks: widths 128, 128, 44 (11 texel blocks); heights 64, 6 (2 texel blocks).
  const FrameLayout layout(BlockGrid({300, 70}, {128, 64}));
  const std::vector<uint32_t> lengths = {4096,       4096,       11 * 16 * 8,
                                         32 * 2 * 8, 32 * 2 * 8, 11 * 2 * 8};
  size_t offset = 0;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      const uint32_t length = lengths[static_cast<size_t>(row * 3 + column)];
      EXPECT_EQ(layout.offset(column, row), offset);
      EXPECT_EQ(layout.lengths(row, column, 1)[0], length);
      offset += length;
    }
  }
  EXPECT_EQ(layout.bytes(), offset);
  EXPECT_EQ(layout.run_bytes(0, 1, 2), size_t{4096} + 11 * 16 * 8);
  EXPECT_TRUE(std::ranges::equal(layout.lengths(1, 1, 2), std::vector<uint32_t>{512, 176}));
}

class EncodedFrameTest : public testing::Test {
 protected:
  const FrameLayout layout{BlockGrid({300, 70}, {128, 64})};
  FramePool pool{layout, 3};
};

TEST_F(EncodedFrameTest, RowsAreThereWhenTheyAreDone) {
  const FrameRef frame = pool.take();
  frame->begin(7, 1000);
  EXPECT_EQ(frame->number(), 7U);
  EXPECT_EQ(frame->submitted_ns(), 1000);
  EXPECT_FALSE(frame->has_row(0));
  frame->row_done(1, 2000);
  EXPECT_FALSE(frame->has_row(0));
  EXPECT_TRUE(frame->has_row(1));
  frame->row_done(0, 3000);
  EXPECT_TRUE(frame->has_row(0));
  EXPECT_EQ(frame->encoded_ns(), 3000);
}

TEST_F(EncodedFrameTest, ARunIsWhatTheEncoderWrote) {
  const FrameRef frame = pool.take();
  frame->begin(1, 0);
  std::fill_n(frame->block(1, 0), 4096, uint8_t{0xaa});
  std::fill_n(frame->block(2, 0), 11 * 16 * 8, uint8_t{0xbb});
  const auto run = frame->run(0, 1, 2);
  ASSERT_EQ(run.size(), layout.run_bytes(0, 1, 2));
  EXPECT_EQ(std::count(run.begin(), run.begin() + 4096, 0xaa), 4096);
  EXPECT_EQ(std::count(run.begin() + 4096, run.end(), 0xbb), 11 * 16 * 8);
}

TEST_F(EncodedFrameTest, AFrameInUseIsNotGivenOut) {
  FrameRef first = pool.take();
  FrameRef second = pool.take();
  FrameRef third = pool.take();
  EXPECT_NE(first.get(), second.get());
  EXPECT_NE(second.get(), third.get());
  EXPECT_FALSE(pool.take());
  EXPECT_EQ(pool.size(), 3U);

  FrameRef also_second = second;
  EncodedFrame* const freed = second.get();
  second = {};
  EXPECT_FALSE(pool.take());
  also_second = {};
  FrameRef again = pool.take();
  EXPECT_EQ(again.get(), freed);
  EXPECT_EQ(pool.size(), 3U);
}

TEST_F(EncodedFrameTest, AReferenceTravelsAsAPlainPointer) {
  FrameRef frame = pool.take();
  EncodedFrame* const plain = frame.release();
  EXPECT_FALSE(frame);
  FrameRef others[] = {pool.take(), pool.take()};
  EXPECT_FALSE(pool.take());
  { const FrameRef adopted = FrameRef::adopt(plain); }
  EXPECT_EQ(pool.take().get(), plain);
}

TEST_F(EncodedFrameTest, AFrameUsedAgainHasNoRows) {
  FrameRef frame = pool.take();
  frame->begin(1, 0);
  frame->row_done(0, 10);
  frame->row_done(1, 10);
  frame = {};
  frame = pool.take();
  frame->begin(2, 20);
  EXPECT_FALSE(frame->has_row(0));
  EXPECT_FALSE(frame->has_row(1));
}

}  // namespace
}  // namespace sail
