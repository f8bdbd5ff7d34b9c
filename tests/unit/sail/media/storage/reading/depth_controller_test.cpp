#include "sail/media/storage/reading/depth_controller.h"

#include <gtest/gtest.h>

#include <algorithm>

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
}  // namespace sail
