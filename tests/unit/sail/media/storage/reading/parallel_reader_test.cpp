#include "sail/media/storage/reading/parallel_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/slow_bytes.h"

namespace sail {
namespace {

constexpr size_t kPart = 1 << 20;
constexpr ByteSource::Depth kDepth = {16, 64};

// Simulates blocks that arrive one by one over a path with this rate and latency.
size_t settled(double bytes_per_s, double latency_s) {
  DepthController in_flight(kDepth);
  double now_ns = 1;
  for (int i = 0; i < 2000; ++i) {
    const double rate =
        std::min(bytes_per_s, static_cast<double>(in_flight.limit() * kPart) / latency_s);
    now_ns += static_cast<double>(kPart) / rate * 1e9;
    in_flight.came(static_cast<int64_t>(now_ns), kPart, true);
  }
  return in_flight.limit();
}

TEST(DepthController, StaysWhereThePathIsFull) {
  EXPECT_EQ(settled(125e6, 0.02), 16U);
  EXPECT_EQ(settled(50e6, 0.3), 16U);
}

TEST(DepthController, GrowsUntilThePathIsFull) {
  const size_t limit = settled(125e6, 0.25);  // 31 MB are in flight
  EXPECT_GE(limit, 24U);
  EXPECT_LE(limit, 36U);
}

TEST(DepthController, NeverGoesBeyondItsBound) {
  EXPECT_EQ(settled(1e12, 1), 64U);
}

TEST(DepthController, LearnsNothingFromAReaderThatTakesItsTime) {
  DepthController in_flight(kDepth);
  for (int i = 0; i < 2000; ++i) in_flight.came(i * 1000, kPart, i % 20 != 0);
  EXPECT_EQ(in_flight.limit(), 16U);
}

}  // namespace

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
