#include "sail/client/encode/carried_units.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

// A frame's block: units of 100 bytes without their fields.
struct Unit {
  uint64_t number;
  int64_t time_ns;
  bool key = false;
};

std::vector<uint8_t> block_of(int64_t shows_ns, const std::vector<Unit>& units) {
  std::vector<uint8_t> block(kUnitsHeadBytes);
  encode_units_head(std::span(block).first<kUnitsHeadBytes>(), {.shows_ns = shows_ns});
  for (const Unit& one : units) {
    const std::vector<uint8_t> bytes(100, static_cast<uint8_t>(one.number));
    const AccessUnit unit{
        .number = one.number, .time_ns = one.time_ns, .key = one.key, .bytes = bytes};
    const size_t at = block.size();
    block.resize(at + kUnitFieldsBytes);
    encode_unit_fields(std::span(block).subspan(at).first<kUnitFieldsBytes>(), unit);
    block.insert(block.end(), bytes.begin(), bytes.end());
  }
  return block;
}

std::vector<uint64_t> numbers(std::span<const CarriedUnit> units) {
  std::vector<uint64_t> all;
  for (const CarriedUnit& unit : units) all.push_back(unit.number);
  return all;
}

using Numbers = std::vector<uint64_t>;

TEST(CarriedUnits, GiveEachReceiverWhatItLacks) {
  CarriedUnits units(size_t{1} << 20);
  units.take(block_of(0, {{1, 0, true}}));
  units.take(block_of(10, {{2, 20}, {3, 10}}));
  const auto chain = units.take(block_of(20, {}));
  EXPECT_EQ(numbers(chain->after(0)), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers(chain->after(2)), Numbers{3});
  EXPECT_TRUE(chain->after(3).empty());
  EXPECT_EQ(chain->head.shows_ns, 20);
}

TEST(CarriedUnits, BeginWithTheLastKeyPictureThatIsNotShownLater) {
  CarriedUnits units(size_t{1} << 20);
  units.take(block_of(0, {{1, 0, true}, {2, 10}}));
  // 4 is decoded after the key picture, but shown before it.
  EXPECT_EQ(numbers(units.take(block_of(20, {{3, 30, true}, {4, 20}}))->units),
            (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(numbers(units.take(block_of(30, {}))->units), (Numbers{3, 4}));
}

TEST(CarriedUnits, AGapEndsWhatCameBefore) {
  CarriedUnits units(size_t{1} << 20);
  units.take(block_of(0, {{1, 0, true}, {2, 10}}));
  const auto chain = units.take(block_of(500, {{9, 480, true}, {10, 500}}));
  EXPECT_EQ(numbers(chain->after(2)), (Numbers{9, 10}));
}

TEST(CarriedUnits, PassOverUnitsThatCameBefore) {
  CarriedUnits units(size_t{1} << 20);
  const auto block = block_of(0, {{1, 0, true}, {2, 10}});
  units.take(block);
  EXPECT_EQ(numbers(units.take(block)->units), (Numbers{1, 2}));
}

TEST(CarriedUnits, AreBounded) {
  CarriedUnits units(kUnitsHeadBytes + 3 * (100 + kUnitFieldsBytes));
  units.take(block_of(0, {{1, 0, true}}));
  for (uint64_t n = 2; n <= 5; ++n) units.take(block_of(0, {{n, static_cast<int64_t>(n)}}));
  const auto chain = units.take(block_of(5, {}));
  EXPECT_EQ(numbers(chain->units), (Numbers{3, 4, 5}));
  // A receiver that has the units before continues; all others wait for the next key picture.
  EXPECT_EQ(numbers(chain->after(3)), (Numbers{4, 5}));
  EXPECT_TRUE(chain->after(0).empty());
  EXPECT_TRUE(chain->after(1).empty());
}

TEST(CarriedUnits, KeepWhatACopyOfTheirChainRefersTo) {
  CarriedUnits units(size_t{64} << 20);
  const UnitChain in_flight = *units.take(block_of(0, {{1, 0, true}, {2, 10}}));
  // More than one piece of memory.
  for (uint64_t n = 3; n < 10'000; ++n)
    units.take(block_of(static_cast<int64_t>(n), {{n, static_cast<int64_t>(n), true}}));
  ASSERT_EQ(numbers(in_flight.units), (Numbers{1, 2}));
  for (const CarriedUnit& unit : in_flight.units) {
    EXPECT_EQ(unit.bytes[kUnitFieldsBytes], unit.number);
    EXPECT_EQ(unit.bytes.back(), unit.number);
  }
}

TEST(CarriedUnits, RefuseInvalidBlocks) {
  CarriedUnits units(size_t{1} << 20);
  auto block = block_of(0, {{1, 0, true}, {2, 10}});
  EXPECT_FALSE(units.take(std::span(block).first(block.size() - 1)));
  EXPECT_FALSE(units.take(std::span(block).first(kUnitsHeadBytes - 1)));
  EXPECT_FALSE(units.take(block_of(0, {{2, 0, true}, {1, 10}})));
  block[kUnitsHeadBytes + 20] = 0xff;  // marks
  EXPECT_FALSE(units.take(block));
}

}  // namespace
}  // namespace sail
