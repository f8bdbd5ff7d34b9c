#include "ui/bridge/held_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "sail/core/wire/data/access_units.h"
#include "tests/unit/receiver/frame/frames.h"

namespace ui {
namespace {

using Taken = HeldFrame::Taken;

const sail::BlockGrid kBlocks({160, 80}, {128, 64});
const sail::BlockGrid kOneBlock({64, 32}, {64, 32});
constexpr sail::StreamCodec kH264{.id = codecs::CodecId::kH264};

std::vector<uint8_t> bytes_of(const sail_encoded_frame& frame) {
  return {frame.bytes, frame.bytes + frame.byte_count};
}

// A frame that shows the picture of unit `shows` and brings units up to the number `last`.
std::unique_ptr<receiver::Frame> carried_frame(uint64_t number, int64_t shows, uint64_t first,
                                               uint64_t last, uint32_t stream = 7) {
  std::vector<uint8_t> block(sail::kUnitsHeadBytes);
  sail::encode_units_head(std::span(block).first<sail::kUnitsHeadBytes>(), {.shows_ns = shows});
  for (uint64_t unit = first; unit <= last; ++unit) {
    const std::array<uint8_t, 2> bytes = {0xaa, static_cast<uint8_t>(unit)};
    std::array<uint8_t, sail::kUnitFieldsBytes> fields{};
    sail::encode_unit_fields(fields, {.number = unit,
                                      .time_ns = static_cast<int64_t>(unit),
                                      .key = unit % 4 == 1,
                                      .bytes = bytes});
    block.insert(block.end(), fields.begin(), fields.end());
    block.insert(block.end(), bytes.begin(), bytes.end());
  }
  auto frame = receiver::empty_frame(kOneBlock, stream, {1, number}, kH264);
  receiver::put(*frame, 0, 0, block);
  return frame;
}

std::vector<uint64_t> units_of(const sail_encoded_frame& frame) {
  std::vector<uint64_t> numbers;
  const auto read = sail::decode_units({frame.bytes, frame.byte_count});
  EXPECT_TRUE(read);
  if (!read) return numbers;
  for (const sail::AccessUnit& unit : read->units) numbers.push_back(unit.number);
  return numbers;
}

TEST(HeldFrame, HasTheBlocksRowByRowAsTheyCame) {
  std::mt19937 random(1);
  const receiver::TestFrame sent = receiver::noise_frame(kBlocks, random);
  HeldFrame held;
  EXPECT_TRUE(held.empty());
  ASSERT_EQ(held.take(*receiver::received(sent, 7, {1, 1})), Taken::kNew);
  EXPECT_EQ(held.shape(),
            (FarShape{.stream = 7, .codec = {}, .frame_size = {160, 80}, .block_size = {128, 64}}));
  const sail_encoded_frame frame = held.last();
  ASSERT_EQ(frame.block_count, 4U);
  std::vector<uint8_t> wanted;
  for (size_t i = 0; i < sent.blocks.size(); ++i) {
    EXPECT_EQ(frame.lengths[i], sent.blocks[i].size());
    wanted.insert(wanted.end(), sent.blocks[i].begin(), sent.blocks[i].end());
  }
  EXPECT_EQ(bytes_of(frame), wanted);
  EXPECT_EQ(bytes_of(held.whole()), wanted);
}

TEST(HeldFrame, TakesAFrameOnceUnlessTheStreamIsAnother) {
  std::mt19937 random(2);
  const receiver::TestFrame sent = receiver::noise_frame(kBlocks, random);
  HeldFrame held;
  EXPECT_EQ(held.take(*receiver::received(sent, 7, {1, 5})), Taken::kNew);
  EXPECT_EQ(held.take(*receiver::received(sent, 7, {2, 5})), Taken::kRepeated) << "a new layout";
  EXPECT_EQ(held.take(*receiver::received(sent, 8, {2, 1})), Taken::kNew);
}

TEST(HeldFrame, CannotPassOnIncompleteAndHalvedBlocks) {
  std::mt19937 random(3);
  HeldFrame held;
  EXPECT_EQ(held.take(*receiver::empty_frame(kBlocks, 7, {1, 1})), Taken::kUnusable);
  EXPECT_TRUE(held.empty());
  const sail::BlockGrid grid({128, 64}, {64, 32});
  const receiver::TestFrame halved = receiver::j2k_frame(grid, random, {.reduction = 1});
  EXPECT_EQ(held.take(*receiver::received(halved, 7, {1, 2})), Taken::kUnusable);
  const receiver::TestFrame full = receiver::j2k_frame(grid, random);
  EXPECT_EQ(held.take(*receiver::received(full, 7, {1, 3})), Taken::kNew);
}

TEST(HeldFrame, OfACarriedStreamHasAllUnitsSinceAKeyPicture) {
  HeldFrame held;
  ASSERT_EQ(held.take(*carried_frame(1, 1, 1, 2)), Taken::kNew);
  ASSERT_EQ(held.take(*carried_frame(2, 2, 3, 3)), Taken::kNew);
  EXPECT_EQ(units_of(held.last()), (std::vector<uint64_t>{3}));
  EXPECT_EQ(units_of(held.whole()), (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(held.whole().block_count, 1U);
  // Unit 5 is a key picture. It counts when it is shown.
  ASSERT_EQ(held.take(*carried_frame(3, 3, 4, 5)), Taken::kNew);
  EXPECT_EQ(units_of(held.whole()), (std::vector<uint64_t>{1, 2, 3, 4, 5}));
  ASSERT_EQ(held.take(*carried_frame(4, 5, 6, 6)), Taken::kNew);
  EXPECT_EQ(units_of(held.whole()), (std::vector<uint64_t>{5, 6}));
  // Another stream counts its units from 1.
  ASSERT_EQ(held.take(*carried_frame(1, 1, 1, 1, 8)), Taken::kNew);
  EXPECT_EQ(units_of(held.whole()), (std::vector<uint64_t>{1}));
}

}  // namespace
}  // namespace ui
