#include "sail/media/storage/reading/read_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/slow_bytes.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr size_t kFetched = ParallelReader::kBlockBytes;
constexpr size_t kMostReads = ByteSource::Depth().most;

class ReadCacheTest : public testing::Test {
 protected:
  explicit ReadCacheTest(size_t bytes = 40 * kFetched + 5) : bytes_(bytes) {}

  // Returns true if a reader gets the right bytes there, with any read sizes.
  bool comes(uint64_t offset, size_t count) {
    std::vector<uint8_t> got(count);
    for (size_t at = 0; at < count;) {
      const auto read = ahead_.read(offset + at, std::span(got).subspan(at), nullptr);
      if (!read || *read == 0) return false;
      at += *read;
    }
    return std::ranges::equal(got, std::span(bytes_.content).subspan(offset, count));
  }
  // Expects this number of blocks to be read, and no more.
  void expect_reads(size_t count) {
    bytes_.wait_until([&] { return bytes_.reads >= count && bytes_.waiting == 0; });
    EXPECT_EQ(bytes_.reads, count);
  }

  test::SlowBytes bytes_;
  ReadCache ahead_{bytes_};
};

TEST_F(ReadCacheTest, GivesEveryByteOnceAndThenTheEnd) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, bytes_.content.size()));
  std::vector<uint8_t> room(10);
  EXPECT_EQ(ahead_.read(bytes_.content.size(), room, nullptr).value(), 0U);
  EXPECT_EQ(ahead_.read(bytes_.content.size() + kFetched, room, nullptr).value(), 0U);
  EXPECT_EQ(bytes_.reads, 41U);
  EXPECT_EQ(ahead_.figures().bytes, bytes_.content.size());
}

TEST_F(ReadCacheTest, ReadsLittleAtFirstAndNeverMoreThanItsBound) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 10));
  expect_reads(2);
  EXPECT_TRUE(comes(kFetched, 10));
  expect_reads(4);
  for (uint64_t block = 2; block < 10; ++block) EXPECT_TRUE(comes(block * kFetched, 10));
  expect_reads(10 + kMostReads - 2);
}

TEST_F(ReadCacheTest, GoingBackWhatMemoryHoldsReadsNothing) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 6 * kFetched));
  expect_reads(6 + kMostReads - 2);
  EXPECT_TRUE(comes(5 * kFetched - 7, 20));
  EXPECT_EQ(bytes_.reads, 6 + kMostReads - 2);
  EXPECT_TRUE(comes(0, 20)) << "it is read again";
}

TEST_F(ReadCacheTest, TheTableAtTheEndOfAFilmLeavesItsBeginning) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 100));
  expect_reads(2);
  EXPECT_TRUE(comes(39 * kFetched, kFetched + 5));
  expect_reads(4);
  while (bytes_.leave.try_acquire()) continue;
  EXPECT_TRUE(comes(0, 100)) << "though nothing can be read now";
  bytes_.leave.release(1000);
}

TEST_F(ReadCacheTest, GoingElsewhereLetsGoOfWhatIsOnItsWay) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 10 * kFetched));
  expect_reads(10 + kMostReads - 2);
  while (bytes_.leave.try_acquire()) continue;
  bytes_.leave.release(2);
  EXPECT_TRUE(comes(30 * kFetched + 3, 10)) << "the second read, since nothing else is under way";
}

TEST_F(ReadCacheTest, IsGivenUpWhileNothingComesAndGoesOnLater) {
  std::vector<uint8_t> room(10);
  int asked = 0;
  const auto read = ahead_.read(0, room, [&] { return ++asked == 2; });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kTimeout);
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 3 * kFetched));
}

TEST_F(ReadCacheTest, ABadPlaceIsAnErrorThatNamesItAndMayBeReadLater) {
  bytes_.broken = {2 * kFetched + 9};
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, 2 * kFetched));
  std::vector<uint8_t> room(10);
  const auto read = ahead_.read(2 * kFetched, room, nullptr);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kIo);
  EXPECT_THAT(read.error().message, HasSubstr("at byte 2097161"));
  EXPECT_TRUE(comes(3 * kFetched, 5 * kFetched)) << "others are not concerned";
  bytes_.mended = true;
  EXPECT_TRUE(comes(2 * kFetched, kFetched));
}

class GrowingFile : public ReadCacheTest {
 protected:
  GrowingFile() : ReadCacheTest(kFetched + 100) {}
};

TEST_F(GrowingFile, WhatIsAddedIsReadToo) {
  bytes_.leave.release(1000);
  EXPECT_TRUE(comes(0, kFetched + 100));
  for (int i = 0; i < 5; ++i) bytes_.content.push_back(static_cast<uint8_t>(i));
  EXPECT_TRUE(comes(0, kFetched + 105));
}

}  // namespace
}  // namespace sail
