#include "sail/core/wire/trace_answers.h"

#include <gtest/gtest.h>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

TEST(TraceAnswers, AreReadAsTheyWereWritten) {
  const TraceStamp stamp{.stage = TraceStage::kPaint,
                         .lane = 1,
                         .stream = 2,
                         .frame = 3,
                         .begin_ns = kMaxTimeNs - 1,
                         .end_ns = kMaxTimeNs};
  const std::vector<TraceStamp> stamps{stamp, stamp};
  TraceAnswers answers;
  const auto part = answers.read(Json::object(), [&] { return stamps; });
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_FALSE(part->contains("next"));
  EXPECT_EQ(trace_part(*part), stamps);
}

TEST(TraceAnswers, RefuseTimesThatOverflow) {
  const auto read = [](int64_t base_ns, Json stamp) {
    return trace_part({{"base_ns", base_ns}, {"stamps", Json::array({std::move(stamp)})}});
  };
  EXPECT_TRUE(read(0, {0, 0, 1, 1, kMaxTimeNs, kMaxTimeNs}));
  EXPECT_FALSE(read(1, {0, 0, 1, 1, kMaxTimeNs, 0}));
  EXPECT_FALSE(read(kMaxTimeNs, {0, 0, 1, 1, kMaxTimeNs, kMaxTimeNs}));
  EXPECT_FALSE(read(0, {0, 0, 1, 1, uint64_t{1} << 63, 0}));
  EXPECT_FALSE(read(0, {kTraceStages, 0, 1, 1, 0, 0}));
}

}  // namespace
}  // namespace sail
