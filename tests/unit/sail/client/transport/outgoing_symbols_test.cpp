#include "sail/client/transport/outgoing_symbols.h"

#include <gtest/gtest.h>

#include <vector>

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
}  // namespace sail
