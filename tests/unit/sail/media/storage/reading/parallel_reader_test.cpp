#include "sail/media/storage/reading/parallel_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/slow_bytes.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr size_t kBlock = ParallelReader::kBlockBytes;
constexpr size_t kMost = ByteSource::Depth().most;

TEST(ParallelReader, FillsEachPartWithItsBytes) {
  test::SlowBytes bytes(3 * kBlock);
  bytes.leave.release(100);
  ParallelReader ahead(bytes);
  std::vector<uint8_t> first(2 * kBlock + 5);
  std::vector<uint8_t> second(7);
  ParallelReader::Part a;
  a.offset = 3;
  a.bytes = first;
  ParallelReader::Part b;
  b.offset = kBlock - 3;
  b.bytes = second;
  ParallelReader::Part none;
  ahead.begin(a);
  ahead.begin(b);
  ahead.begin(none);
  EXPECT_TRUE(ahead.finish(none));
  EXPECT_TRUE(ahead.finish(b)) << "in any order";
  EXPECT_TRUE(ahead.finish(a));
  EXPECT_TRUE(std::ranges::equal(first, std::span(bytes.content).subspan(3, first.size())));
  EXPECT_TRUE(std::ranges::equal(second, std::span(bytes.content).subspan(kBlock - 3, 7)));
}

TEST(ParallelReader, KeepsSeveralReadsUnderWayAndNoMoreThanItsBound) {
  test::SlowBytes bytes(40 * kBlock);
  ParallelReader ahead(bytes);
  std::vector<uint8_t> memory(bytes.content.size());
  ParallelReader::Part part;
  part.offset = 0;
  part.bytes = memory;
  ahead.begin(part);
  bytes.wait_until([&] { return bytes.waiting == kMost; });
  bytes.leave.release(1000);
  bytes.wait_until([&] { return bytes.reads == kMost; });
  ahead.cancel(part);
  EXPECT_EQ(bytes.reads, kMost) << "the others are not wanted any more";
}

TEST(ParallelReader, TellsTheFirstPlaceThatCannotBeReadToWhomItConcerns) {
  test::SlowBytes bytes(8 * kBlock);
  bytes.leave.release(100);
  bytes.broken = {2 * kBlock, 4 * kBlock};
  ParallelReader ahead(bytes);
  std::vector<uint8_t> memory(bytes.content.size());
  const std::span<uint8_t> all(memory);
  ParallelReader::Part sound;
  sound.offset = 0;
  sound.bytes = all.first(2 * kBlock);
  ParallelReader::Part hurt;
  hurt.offset = kBlock;
  hurt.bytes = all.first(5 * kBlock);
  ahead.begin(sound);
  EXPECT_TRUE(ahead.finish(sound));
  ahead.begin(hurt);
  const auto done = ahead.finish(hurt);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kIo);
  EXPECT_THAT(done.error().message, HasSubstr("at byte 2097152"));
  ahead.begin(sound);
  EXPECT_TRUE(ahead.finish(sound)) << "and again";
}

}  // namespace
}  // namespace sail
