#include <gtest/gtest.h>

#include <vector>

#include "sail/client/transport/kept_frame.h"

namespace sail {
namespace {

constexpr size_t kSymbol = 100;

class OutgoingSymbolsTest : public testing::Test {
 protected:
  // Adds parts of these lengths with counting bytes.
  void add_parts(const std::vector<size_t>& lengths) {
    for (const size_t length : lengths) {
      std::vector<uint8_t>& bytes = memory_.emplace_back(length);
      for (uint8_t& byte : bytes) {
        byte = static_cast<uint8_t>(all_.size() % 251);
        all_.push_back(byte);
      }
    }
    parts_.assign(memory_.begin(), memory_.end());
  }
  std::vector<uint8_t> symbol(uint32_t index) const {
    std::vector<OutgoingSymbols::Part> list;
    symbols.gather(index, list);
    std::vector<uint8_t> bytes;
    for (const auto part : list) bytes.insert(bytes.end(), part.begin(), part.end());
    return bytes;
  }
  void expect_all() {
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < symbols.count(); ++i) {
      const std::vector<uint8_t> one = symbol(i);
      EXPECT_EQ(one.size(), symbols.bytes_of(i));
      EXPECT_EQ(symbols.is_last(i), i + 1 == symbols.count());
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    EXPECT_EQ(bytes, all_);
  }

  OutgoingSymbols symbols;
  std::vector<OutgoingSymbols::Part> parts_;
  std::vector<uint8_t> all_;

 private:
  std::vector<std::vector<uint8_t>> memory_;
};

TEST_F(OutgoingSymbolsTest, AreTheBytesInOrder) {
  add_parts({1, 99, 100, 250, 3, 3, 3, 200, 41});
  symbols.set_parts(parts_, kSymbol, true);
  EXPECT_EQ(symbols.count(), 7U);
  EXPECT_EQ(symbols.bytes_of(6), 100U);
  expect_all();
}

TEST_F(OutgoingSymbolsTest, TheLastOneMayBeShort) {
  add_parts({201});
  symbols.set_parts(parts_, kSymbol, true);
  EXPECT_EQ(symbols.count(), 3U);
  EXPECT_EQ(symbols.bytes_of(2), 1U);
  expect_all();
}

TEST_F(OutgoingSymbolsTest, WhatIsNotFullWaitsForMore) {
  add_parts({30, 30});
  symbols.set_parts(parts_, kSymbol, false);
  EXPECT_EQ(symbols.count(), 0U);
  add_parts({39, 170});
  symbols.set_parts(parts_, kSymbol, false);
  EXPECT_EQ(symbols.count(), 2U);
  EXPECT_FALSE(symbols.is_last(1));
  add_parts({48});
  symbols.set_parts(parts_, kSymbol, true);
  EXPECT_EQ(symbols.count(), 4U);
  expect_all();
}

TEST_F(OutgoingSymbolsTest, StartsAnew) {
  add_parts({500});
  symbols.set_parts(parts_, kSymbol, true);
  symbols.clear();
  EXPECT_EQ(symbols.count(), 0U);
  symbols.set_parts(parts_, 250, true);
  EXPECT_EQ(symbols.count(), 2U);
  expect_all();
}

}  // namespace
namespace {

constexpr BlockGrid kBaseGrid({500, 190}, {128, 64});
constexpr BlockGrid kSmallerGrid({250, 95}, {128, 64});

class FrameBaseTest : public testing::Test {
 protected:
  // Begins this frame. Returns the number of the frame on which it builds.
  uint64_t begin(KeptFrame& frame, uint64_t number, uint64_t epoch = 1,
                 const BlockGrid& grid = kBaseGrid) {
    frame.name = {.frame = number, .epoch = epoch};
    return base_.begin(frame, grid);
  }

  FrameBase base_;
  KeptFrame first_;
  KeptFrame second_;
  KeptFrame third_;
};

TEST_F(FrameBaseTest, FramesBuildOnTheNewestThatTheReceiverHas) {
  EXPECT_EQ(begin(first_, 1), 0U);
  EXPECT_EQ(begin(second_, 2), 0U) << "the first may be lost";
  first_.held.versions[3] = 1;
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3), 1U);
  EXPECT_EQ(third_.held.versions[3], 1U);
}

TEST_F(FrameBaseTest, AnOlderFrameDoesNotBecomeTheBaseAgain) {
  begin(first_, 1);
  begin(second_, 2);
  base_.set_received(second_);
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3), 2U);
}

TEST_F(FrameBaseTest, AFrameOfAnEarlierMapIsNoBaseForFramesThatHaveNone) {
  begin(first_, 1, 1);
  begin(second_, 2, 2);
  base_.set_received(first_);
  EXPECT_EQ(begin(third_, 3, 2), 0U);
  base_.set_received(second_);
  EXPECT_EQ(begin(third_, 4, 2), 2U);
}

TEST_F(FrameBaseTest, AnotherGridEndsTheBase) {
  begin(first_, 1);
  base_.set_received(first_);
  EXPECT_EQ(begin(second_, 2, 1, kSmallerGrid), 0U);
  EXPECT_EQ(second_.held.grid, kSmallerGrid);
}

TEST_F(FrameBaseTest, FramesBegunBeforeTheBaseWasForgottenAreNone) {
  begin(first_, 1);
  base_.forget();
  base_.set_received(first_);
  EXPECT_EQ(begin(second_, 2), 0U);
}

}  // namespace
}  // namespace sail
