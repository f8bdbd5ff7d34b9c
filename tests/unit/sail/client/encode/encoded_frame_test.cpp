#include "sail/client/encode/encoded_frame.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sail {
namespace {

class EncodedFrameTest : public testing::Test {
 protected:
  std::shared_ptr<const WantedBlocks> wanted(std::vector<bool> blocks) const {
    return std::make_shared<const WantedBlocks>(
        WantedBlocks{.reduction = 0, .grid = grid, .blocks = std::move(blocks)});
  }

  const BlockGrid grid{{300, 70}, {128, 64}};  // 3 × 2 blocks
  const std::shared_ptr<const WantedBlocks> all = wanted(std::vector<bool>(6, true));
  FramePool pool{grid, 3, [](int width, int height) {
                   return static_cast<size_t>(width) * static_cast<size_t>(height);
                 }};
};

TEST_F(EncodedFrameTest, RowsAreThereWhenTheyAreDone) {
  const FrameRef frame = pool.take();
  frame->begin(7, 1000, all, false);
  EXPECT_EQ(frame->number(), 7U);
  EXPECT_TRUE(frame->is_for(*all));
  EXPECT_FALSE(frame->is_for(*wanted(std::vector<bool>(6, true))));
  EXPECT_EQ(frame->submitted_ns(), 1000);
  EXPECT_FALSE(frame->has_row(0));
  frame->set_row(1, pool.rows().take(1), true, 2000);
  EXPECT_FALSE(frame->has_row(0));
  EXPECT_TRUE(frame->has_row(1));
  frame->set_row(0, {}, false, 3000);
  EXPECT_TRUE(frame->has_row(0));
  EXPECT_FALSE(frame->row(0));
  EXPECT_EQ(frame->encoded_ns(), 3000);
}

TEST_F(EncodedFrameTest, CoversWhatIsWantedOrEverything) {
  const FrameRef frame = pool.take();
  frame->begin(1, 0, wanted({true, false, false, false, true, false}), false);
  EXPECT_TRUE(frame->covers(0, 0));
  EXPECT_FALSE(frame->covers(1, 0));
  EXPECT_TRUE(frame->covers(1, 1));
  frame->begin(2, 0, wanted(std::vector<bool>(6)), true);
  EXPECT_TRUE(frame->covers(1, 0));
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
  const EncodedFrame* const of = frame.get();
  void* const plain = frame.release();
  EXPECT_FALSE(frame);
  FrameRef others[] = {pool.take(), pool.take()};
  EXPECT_FALSE(pool.take());
  { const FrameRef adopted = FrameRef::adopt(plain); }
  EXPECT_EQ(pool.take().get(), of);
}

TEST_F(EncodedFrameTest, AFrameUsedAgainHasNoRows) {
  FrameRef frame = pool.take();
  frame->begin(1, 0, all, false);
  frame->set_row(0, pool.rows().take(0), true, 10);
  frame->set_row(1, pool.rows().take(1), true, 10);
  frame = {};
  frame = pool.take();
  frame->begin(2, 20, all, false);
  EXPECT_FALSE(frame->has_row(0));
  EXPECT_FALSE(frame->has_row(1));
  EXPECT_FALSE(frame->row(1));
}

// Even if frames share rows, a free row is always available.
TEST_F(EncodedFrameTest, RowsSufficeForAllFrames) {
  std::vector<FrameRef> frames(3);
  for (int i = 0; i < 30; ++i) {
    FrameRef& frame = frames[static_cast<size_t>(i) % 3];
    const BlockRowRef before =
        i > 0 ? frames[static_cast<size_t>(i - 1) % 3]->row(0) : BlockRowRef();
    frame = {};
    frame = pool.take();
    frame->begin(static_cast<uint64_t>(i), 0, all, false);
    BlockRowRef row = i % 4 == 0 ? pool.rows().take(0) : before;
    ASSERT_TRUE(row);
    if (i % 4 == 0) {
      EXPECT_FALSE(row->has(0)) << "rows come empty";
      EXPECT_GE(row->space().size(), 300U * 64U);
      row->add(0, 1, 5);
    }
    frame->set_row(0, std::move(row), true, 0);
  }
}

TEST(BlockRow, BlocksAreWhatWasPutThere) {
  BlockRow row(3, 20);
  row.space()[0] = 7;
  row.space()[1] = 8;
  row.add(2, 5, 2);
  row.space()[0] = 9;
  row.add(0, 6, 1);
  EXPECT_EQ(row.space().size(), 17U);
  EXPECT_FALSE(row.has(1));
  EXPECT_EQ(row.version(2), 5U);
  ASSERT_EQ(row.block(2).size(), 2U);
  EXPECT_EQ(row.block(2)[1], 8);
  BlockRow copy(3, 20);
  copy.add_copy(row, 0);
  copy.add_copy(row, 2);
  EXPECT_EQ(copy.block(0)[0], 9);
  EXPECT_EQ(copy.block(2)[0], 7);
  EXPECT_EQ(copy.version(0), 6U);
  copy.clear();
  EXPECT_FALSE(copy.has(0));
  EXPECT_EQ(copy.space().size(), 20U);
}

// --- memory for receivers on this host

// Mappings of frames that other processes can read.
int shared_mappings() {
  std::ifstream maps("/proc/self/maps");
  int found = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("vitrail-frames") != std::string::npos) ++found;
  }
  return found;
}

TEST_F(EncodedFrameTest, WithoutDemandNoMemoryIsShared) {
  const FrameRef frame = pool.take();
  EXPECT_EQ(frame->memory(), nullptr);
  EXPECT_EQ(frame->memory_trouble(), nullptr);
  EXPECT_EQ(shared_mappings(), 0);
}

TEST_F(EncodedFrameTest, MemoryIsSharedWhileItIsDemanded) {
  FrameRef plain = pool.take();
  const auto demand = plain->memory_demand();
  demand->add();
  FrameRef first = pool.take();
  ASSERT_NE(first->memory(), nullptr);
  EXPECT_EQ(plain->memory(), nullptr);
  EXPECT_TRUE(first->memory()->contains(pool.rows().take(0)->space()));
  demand->add();
  demand->remove();
  FrameRef second = pool.take();
  EXPECT_EQ(second->memory(), first->memory()) << "the other receiver is still there";
  plain = {};
  demand->remove();
  EXPECT_EQ(pool.take()->memory(), nullptr);
  EXPECT_EQ(shared_mappings(), 1) << "frames are still in use";
  first = second = {};
  EXPECT_EQ(pool.take()->memory(), nullptr);
  EXPECT_EQ(shared_mappings(), 0);
}

// A receiver that comes back may be sent a frame of before first, whose memory is given back.
TEST_F(EncodedFrameTest, FramesOfAnEarlierDemandAreKnown) {
  const auto demand = pool.take()->memory_demand();
  demand->add();
  const FrameRef first = pool.take();
  ASSERT_NE(first->memory(), nullptr);
  EXPECT_EQ(first->demand_rise(), demand->rises());
  demand->remove();
  const FrameRef plain = pool.take();
  demand->add();
  EXPECT_NE(first->demand_rise(), demand->rises());
  EXPECT_NE(plain->demand_rise(), demand->rises());
  EXPECT_EQ(pool.take()->demand_rise(), demand->rises());
}

// Receivers that come and go cannot make a stream hold more than two sets of frames.
TEST_F(EncodedFrameTest, MemoryIsNotSharedAgainBeforeItIsGivenBack) {
  const auto demand = pool.take()->memory_demand();
  demand->add();
  FrameRef used = pool.take();
  for (int i = 0; i < 10; ++i) {
    demand->remove();
    EXPECT_EQ(pool.take()->memory(), nullptr);
    demand->add();
    const FrameRef later = pool.take();
    EXPECT_EQ(later->memory(), nullptr);
    EXPECT_EQ(later->memory_trouble(), nullptr) << "it comes later";
    EXPECT_EQ(shared_mappings(), 1);
  }
  used = {};
  EXPECT_NE(pool.take()->memory(), nullptr);
  EXPECT_EQ(shared_mappings(), 1);
}

TEST_F(EncodedFrameTest, MemoryThatTheSystemDeniesIsTriedOncePerDemand) {
  // More than any address space.
  FramePool large{grid, size_t{1} << 45U, [](int, int) { return size_t{1} << 10U; }};
  const auto demand = large.take()->memory_demand();
  for (int i = 0; i < 2; ++i) {
    demand->add();
    FrameRef frame = large.take();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->memory(), nullptr);
    ASSERT_NE(frame->memory_trouble(), nullptr);
    EXPECT_NE(*frame->memory_trouble(), "");
    frame = {};
    demand->remove();
    EXPECT_EQ(large.take()->memory_trouble(), nullptr);
  }
}

}  // namespace
}  // namespace sail
