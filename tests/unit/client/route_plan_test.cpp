#include "sail/client/route_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sail {
namespace {

using BlockRuns = std::vector<ReceiverPlan::Run>;

// 4 × 3 blocks.
const BlockGrid kGrid({500, 190}, {128, 64});

Routes routes_of(std::vector<Route> routes) {
  return {.stream = 1, .epoch = 9, .wall_rect = {1, 2, 3, 4}, .routes = std::move(routes)};
}

BlockRuns row_of(const ReceiverPlan& plan, int row) {
  const auto runs = plan.row(row);
  return {runs.begin(), runs.end()};
}

TEST(RoutePlanTest, RectanglesBecomeRunsOfEachRow) {
  const auto plan =
      make_route_plan(routes_of({{"a", "10.0.0.1", 99, {{0, 0, 2, 2}, {3, 1, 1, 2}}}}), kGrid);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->epoch, 9U);
  EXPECT_EQ(plan->wall_rect, (Rect{1, 2, 3, 4}));
  ASSERT_EQ(plan->receivers.size(), 1U);
  const ReceiverPlan& receiver = *plan->receivers[0];
  EXPECT_EQ(receiver.receiver(), "a");
  EXPECT_EQ(receiver.address(), (Address{"10.0.0.1", 99}));
  EXPECT_EQ(receiver.rows(), 3);
  EXPECT_EQ(receiver.block_count(), 6U);
  EXPECT_EQ(row_of(receiver, 0), (BlockRuns{{0, 0, 2}}));
  EXPECT_EQ(row_of(receiver, 1), (BlockRuns{{1, 0, 2}, {1, 3, 1}}));
  EXPECT_EQ(row_of(receiver, 2), (BlockRuns{{2, 3, 1}}));
  const size_t runs = 4;
  const size_t lengths = 6;
  EXPECT_EQ(receiver.head_bytes(), kFrameBeginBytes + kFrameEndBytes +
                                       runs * (kDataHeaderBytes + kBlockRunFixedBytes) +
                                       lengths * 4);
}

TEST(RoutePlanTest, NeighbouringRectanglesBecomeOneRun) {
  const auto plan = make_route_plan(
      routes_of({{"a", "h", 1, {{2, 0, 2, 1}, {0, 0, 1, 2}, {1, 0, 1, 1}}}}), kGrid);
  ASSERT_TRUE(plan);
  EXPECT_EQ(row_of(*plan->receivers[0], 0), (BlockRuns{{0, 0, 4}}));
  EXPECT_EQ(row_of(*plan->receivers[0], 1), (BlockRuns{{1, 0, 1}}));
  EXPECT_TRUE(row_of(*plan->receivers[0], 2).empty());
}

TEST(RoutePlanTest, AReceiverWithoutBlocksIsNotInTheMap) {
  const auto plan =
      make_route_plan(routes_of({{"a", "h", 1, {}}, {"b", "h", 2, {{0, 0, 1, 1}}}}), kGrid);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->receivers.size(), 1U);
  EXPECT_EQ(plan->receivers[0]->receiver(), "b");
}

TEST(RoutePlanTest, NonsenseIsRefused) {
  const auto refused = [](std::vector<Route> routes) {
    const auto plan = make_route_plan(routes_of(std::move(routes)), kGrid);
    return !plan && plan.error().code == ErrorCode::kInvalidParams;
  };
  const int huge = 2147483647;
  EXPECT_TRUE(refused({{"a", "h", 1, {{0, 0, 5, 1}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{0, 2, 1, 2}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{-1, 0, 1, 1}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{0, 0, 0, 1}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{huge, huge, huge, huge}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{0, 0, 2, 1}, {1, 0, 1, 1}}}}));
  EXPECT_TRUE(refused({{"a", "h", 1, {{0, 0, 1, 1}}}, {"a", "h", 2, {{1, 0, 1, 1}}}}));
}

}  // namespace
}  // namespace sail
