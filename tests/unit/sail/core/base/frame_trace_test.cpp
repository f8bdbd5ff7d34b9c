#include "sail/core/base/frame_trace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

namespace sail {
namespace {

constexpr int64_t kForEver = std::numeric_limits<int64_t>::max();

TraceStamp stamp(uint64_t frame, uint32_t lane = 0) {
  const auto ns = static_cast<int64_t>(frame);
  return {.stage = TraceStage::kSend,
          .lane = lane,
          .stream = 7,
          .frame = frame,
          .begin_ns = ns,
          .end_ns = 2 * ns};
}

TEST(FrameTrace, KeepsNothingUntilItIsAsked) {
  FrameTrace trace(2);
  trace.add(stamp(1));
  EXPECT_FALSE(trace.on());
  EXPECT_TRUE(trace.take().empty());
}

TEST(FrameTrace, KeepsTheNewestOfEachLane) {
  FrameTrace trace(2);
  trace.begin(kForEver);
  constexpr uint64_t kMany = FrameTrace::kStamps + 10;
  for (uint64_t frame = 1; frame <= kMany; ++frame) trace.add(stamp(frame, 1));
  trace.add(stamp(5, 0));
  trace.add(stamp(6, 2));  // no such lane
  const auto stamps = trace.take();
  ASSERT_EQ(stamps.size(), 1 + FrameTrace::kStamps);
  EXPECT_EQ(stamps.front(), stamp(5, 0));
  EXPECT_EQ(stamps[1], stamp(11, 1));
  EXPECT_EQ(stamps.back(), stamp(kMany, 1));
}

TEST(FrameTrace, EndsByItselfAndBeginsAnew) {
  FrameTrace trace(1);
  trace.begin(100);
  trace.add(stamp(50));
  trace.add(stamp(51));
  EXPECT_FALSE(trace.on());
  EXPECT_EQ(trace.take().size(), 1U);
  trace.begin(kForEver);
  EXPECT_TRUE(trace.take().empty());
  trace.add(stamp(52));
  EXPECT_EQ(trace.take().size(), 1U);
}

TEST(FrameTrace, WhatIsReadWhileItIsWrittenIsWhole) {
  FrameTrace trace(1);
  trace.begin(kForEver);
  std::atomic<bool> end = false;
  std::thread writer([&] {
    for (uint64_t frame = 1; !end; ++frame) trace.add(stamp(frame));
  });
  for (int i = 0; i < 200; ++i) {
    uint64_t last = 0;
    for (const TraceStamp& each : trace.take()) {
      ASSERT_EQ(each, stamp(each.frame));
      ASSERT_GT(each.frame, last);
      last = each.frame;
    }
  }
  end = true;
  writer.join();
}

}  // namespace
}  // namespace sail
