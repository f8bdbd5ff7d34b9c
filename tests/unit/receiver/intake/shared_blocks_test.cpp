#include "receiver/intake/shared_blocks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace receiver {
namespace {

using sail::BlockPlace;
using sail::SealedMemory;

constexpr size_t kSharedBytes = 20000;

class SharedBlocksTest : public testing::Test {
 protected:
  SharedBlocksTest() {
    std::iota(memory_->bytes().begin(), memory_->bytes().end(), uint8_t{0});
    EXPECT_TRUE(sail::hand_over(*memory_, name_));
    EXPECT_TRUE(blocks_->take({.bytes = kSharedBytes}));
  }
  std::optional<std::vector<uint8_t>> read(const std::vector<BlockPlace>& places) const {
    size_t bytes = 0;
    for (const BlockPlace& place : places) bytes += place.length;
    std::vector<uint8_t> out(bytes);
    if (blocks_->read(places, out)) return std::nullopt;
    return out;
  }
  std::vector<uint8_t> bytes_at(size_t offset, size_t length) const {
    const auto part = memory_->bytes().subspan(offset, length);
    return {part.begin(), part.end()};
  }

  const std::unique_ptr<SealedMemory> memory_ =
      *SealedMemory::create("test", kSharedBytes, SealedMemory::Others::kRead);
  const std::unique_ptr<SharedBlocks> blocks_ = *SharedBlocks::listen();
  const sail::MemoryName name_ = blocks_->name();
};

TEST_F(SharedBlocksTest, AreReadInTheirOrder) {
  EXPECT_EQ(read({{100, 50}}), bytes_at(100, 50));
  EXPECT_EQ(read({{4000, 500}, {4500, 8000}, {12500, 1}}), bytes_at(4000, 8501));
  std::vector<uint8_t> apart = bytes_at(9000, 3);
  const std::vector<uint8_t> second = bytes_at(10, 4);
  apart.insert(apart.end(), second.begin(), second.end());
  EXPECT_EQ(read({{9000, 3}, {10, 4}}), apart);
  EXPECT_EQ(read({{0, kSharedBytes}}), bytes_at(0, kSharedBytes));
}

TEST_F(SharedBlocksTest, OutsideTheMemoryAreRefused) {
  constexpr uint64_t kMost = sail::kMaxSharedBytes;
  for (const auto& places :
       std::vector<std::vector<BlockPlace>>{{{kSharedBytes, 1}},
                                            {{kSharedBytes - 1, 2}},
                                            {{kMost, 1}},
                                            {{kMost, 1}, {kMost + 1, 1}},
                                            {{0, 10}, {kSharedBytes - 5, 10}},
                                            {{0, kSharedBytes}, {kSharedBytes, 1}}}) {
    EXPECT_EQ(read(places), std::nullopt) << places.front().offset;
  }
}

TEST_F(SharedBlocksTest, StayAsTheyWereRead) {
  const auto before = read({{0, 1000}});
  const std::vector<uint8_t> wanted = bytes_at(0, 1000);
  std::ranges::fill(memory_->bytes(), uint8_t{0});
  EXPECT_EQ(before, wanted);
}

TEST_F(SharedBlocksTest, AreOfTheFirstMemoryOnly) {
  EXPECT_FALSE(sail::hand_over(*memory_, name_));
  EXPECT_FALSE(blocks_->take({.bytes = kSharedBytes}));
  EXPECT_EQ(read({{1, 2}}), bytes_at(1, 2));
}

TEST(SharedBlocks, WithoutMemoryCannotBeRead) {
  const auto blocks = *SharedBlocks::listen();
  std::vector<uint8_t> out(1);
  EXPECT_TRUE(blocks->read(std::vector<BlockPlace>{{0, 1}}, out));
  EXPECT_FALSE(blocks->take({.bytes = 1}));
  EXPECT_TRUE(blocks->read(std::vector<BlockPlace>{{0, 1}}, out));
}

}  // namespace
}  // namespace receiver
