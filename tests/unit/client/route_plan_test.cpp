#include "sail/client/route_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sail {
namespace {

using BlockRuns = std::vector<ReceiverPlan::Run>;

// 4 × 3 blocks.
constexpr Size kFrameSize{500, 190};
constexpr Size kBlockSize{128, 64};

Routes routes_of(std::vector<Route> routes) {
  return {.stream = 1, .epoch = 9, .wall_rect = {1, 2, 3, 4}, .routes = std::move(routes)};
}

BlockRuns row_of(const ReceiverPlan& plan, int row) {
  const auto runs = plan.row(row);
  return {runs.begin(), runs.end()};
}

TEST(RoutePlanTest, RectanglesBecomeRunsOfEachRow) {
  const auto plan =
      make_route_plan(routes_of({{"a", "10.0.0.1", 99, {{0, 0, 2, 2}, {3, 1, 1, 2}}}}), kFrameSize,
                      kBlockSize, Scaling::kFrame);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->epoch, 9U);
  EXPECT_EQ(plan->wall_rect, (Rect{1, 2, 3, 4}));
  ASSERT_EQ(plan->receivers.size(), 1U);
  const ReceiverPlan& receiver = *plan->receivers[0];
  EXPECT_EQ(receiver.receiver(), "a");
  EXPECT_EQ(receiver.address(), (Address{"10.0.0.1", 99}));
  EXPECT_EQ(receiver.rows(), 3);
  EXPECT_EQ(row_of(receiver, 0), (BlockRuns{{0, 0, 2}}));
  EXPECT_EQ(row_of(receiver, 1), (BlockRuns{{1, 0, 2}, {1, 3, 1}}));
  EXPECT_EQ(row_of(receiver, 2), (BlockRuns{{2, 3, 1}}));
  // At worst every block makes a run of its own.
  EXPECT_EQ(receiver.head_bytes(),
            kFrameBeginBytes + kFrameEndBytes + 6 * (kDataHeaderBytes + block_run_bytes(1)));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      const bool routed = (row < 2 && column < 2) || (row > 0 && column == 3);
      EXPECT_EQ(plan->wanted->has(column, row), routed) << column << ", " << row;
    }
  }
}

TEST(RoutePlanTest, NeighbouringRectanglesBecomeOneRun) {
  const auto plan =
      make_route_plan(routes_of({{"a", "h", 1, {{2, 0, 2, 1}, {0, 0, 1, 2}, {1, 0, 1, 1}}}}),
                      kFrameSize, kBlockSize, Scaling::kFrame);
  ASSERT_TRUE(plan);
  EXPECT_EQ(row_of(*plan->receivers[0], 0), (BlockRuns{{0, 0, 4}}));
  EXPECT_EQ(row_of(*plan->receivers[0], 1), (BlockRuns{{1, 0, 1}}));
  EXPECT_TRUE(row_of(*plan->receivers[0], 2).empty());
}

TEST(RoutePlanTest, AReceiverWithoutBlocksIsNotInTheMap) {
  const auto plan = make_route_plan(routes_of({{"a", "h", 1, {}}, {"b", "h", 2, {{0, 0, 1, 1}}}}),
                                    kFrameSize, kBlockSize, Scaling::kFrame);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->receivers.size(), 1U);
  EXPECT_EQ(plan->receivers[0]->receiver(), "b");
}

TEST(RoutePlanTest, BlocksCountInTheReducedFrame) {
  Routes routes = routes_of({{"a", "h", 1, {{0, 0, 2, 2}}}});
  routes.routes[0].reduction = 1;  // 250 × 95 pixels
  const auto plan = make_route_plan(routes, kFrameSize, kBlockSize, Scaling::kFrame);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->wanted->grid.frame_size(), (Size{250, 95}));
  EXPECT_EQ(plan->receivers[0]->reduction(), 1);
  routes.routes[0].reduction = 2;  // 125 × 48
  EXPECT_FALSE(make_route_plan(routes, kFrameSize, kBlockSize, Scaling::kFrame));
}

TEST(RoutePlanTest, ReceiversMayGetPicturesOfDifferentSizesOnlyOfBlocksThatHoldThem) {
  Routes routes = routes_of({{"a", "h", 1, {{0, 0, 4, 3}}}, {"b", "h", 2, {{0, 0, 1, 1}}}});
  routes.routes[1].reduction = 2;
  EXPECT_FALSE(make_route_plan(routes, kFrameSize, kBlockSize, Scaling::kFrame));
  const auto plan = make_route_plan(routes, kFrameSize, kBlockSize, Scaling::kBlock);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->wanted->reduction, 0);
  EXPECT_EQ(plan->wanted->grid.frame_size(), kFrameSize);
  EXPECT_EQ(plan->receivers[0]->grid().frame_size(), kFrameSize);
  EXPECT_EQ(plan->receivers[1]->grid().frame_size(), (Size{125, 48}));
  EXPECT_EQ(plan->receivers[1]->grid().count(), plan->receivers[0]->grid().count());
  EncodedFrame frame(3);
  frame.begin(1, 0, plan->wanted, false);
  EXPECT_TRUE(plan->receivers[0]->covered_by(frame));
  EXPECT_TRUE(plan->receivers[1]->covered_by(frame));
}

TEST(RoutePlanTest, AFrameCoversAPlanWhenItHasAllItsBlocks) {
  const auto wide = make_route_plan(routes_of({{"a", "h", 1, {{0, 0, 3, 2}}}}), kFrameSize,
                                    kBlockSize, Scaling::kFrame);
  const auto narrow = make_route_plan(routes_of({{"a", "h", 1, {{1, 0, 1, 2}}}}), kFrameSize,
                                      kBlockSize, Scaling::kFrame);
  Routes reduced_routes = routes_of({{"a", "h", 1, {{0, 0, 1, 1}}}});
  reduced_routes.routes[0].reduction = 1;
  const auto reduced = make_route_plan(reduced_routes, kFrameSize, kBlockSize, Scaling::kFrame);
  ASSERT_TRUE(wide && narrow && reduced);
  EncodedFrame frame(3);
  frame.begin(1, 0, wide->wanted, false);
  EXPECT_TRUE(narrow->receivers[0]->covered_by(frame));
  EXPECT_TRUE(wide->receivers[0]->covered_by(frame));
  EXPECT_FALSE(reduced->receivers[0]->covered_by(frame));
  frame.begin(2, 0, narrow->wanted, false);
  EXPECT_FALSE(wide->receivers[0]->covered_by(frame));
  frame.begin(3, 0, narrow->wanted, true);
  EXPECT_TRUE(wide->receivers[0]->covered_by(frame));
}

TEST(RoutePlanTest, NonsenseIsRefused) {
  const auto refused = [](std::vector<Route> routes) {
    const auto plan =
        make_route_plan(routes_of(std::move(routes)), kFrameSize, kBlockSize, Scaling::kFrame);
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
