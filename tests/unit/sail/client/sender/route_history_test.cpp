#include "sail/client/sender/route_history.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

using Change = RouteHistory::Change;

// 4 × 3 blocks.
constexpr FrameShape kRoutedShape{.frame_size = {500, 190}, .block_size = {128, 64}};

// `columns` columns of blocks, from the left, are shown by one receiver.
Routes routes_to(uint64_t epoch, int columns, const Rect& wall_rect = {1, 2, 3, 4}) {
  Routes routes{.stream = 1, .epoch = epoch, .wall_rect = wall_rect, .routes = {}};
  if (columns > 0) routes.routes = {{"a", "10.0.0.1", 99, {{0, 0, columns, 3}}}};
  return routes;
}

RoutePlan map_of(const Routes& routes) {
  return *make_route_plan(routes, kRoutedShape);
}

Result<RouteHistory::Added> add(RouteHistory& history, const Routes& routes,
                                const EncodedFrame* newest = nullptr) {
  return history.add(routes, map_of(routes), newest);
}

// The newest frame in these tests: encoded for the current map.
class RouteHistoryTest : public testing::Test {
 protected:
  void begin_frame(const RoutePlan& map) { frame_.begin(1, 0, map.wanted, false); }

  RouteHistory history_;
  EncodedFrame frame_{3, nullptr, nullptr};
};

TEST_F(RouteHistoryTest, TheFirstMapIsFollowedAtOnce) {
  EXPECT_FALSE(history_.routed());
  const auto added = add(history_, routes_to(5, 2));
  ASSERT_TRUE(added);
  EXPECT_EQ(added->change, Change::kAtOnce);
  EXPECT_FALSE(added->moved);
  EXPECT_TRUE(history_.routed());
  EXPECT_EQ(history_.map().epoch, 5U);
  EXPECT_FALSE(history_.next());
}

TEST_F(RouteHistoryTest, EpochsGrow) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  EXPECT_FALSE(add(history_, routes_to(5, 2, {9, 2, 3, 4})));
  EXPECT_EQ(history_.newest_routes().wall_rect, (Rect{1, 2, 3, 4}));
  history_.clear();
  EXPECT_TRUE(add(history_, routes_to(4, 2))) << "another manager counts anew";
}

TEST_F(RouteHistoryTest, AMapWaitsForAFrameWithItsBlocks) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  begin_frame(history_.map());
  const auto added = add(history_, routes_to(6, 3), &frame_);
  ASSERT_TRUE(added);
  EXPECT_EQ(added->change, Change::kNextFrame);
  EXPECT_EQ(history_.map().epoch, 5U);
  EXPECT_EQ(history_.newest().epoch, 6U);
  EXPECT_TRUE(history_.awaits_layout());
  EXPECT_TRUE(history_.covers(frame_));
  EXPECT_TRUE(history_.take_next());
  EXPECT_EQ(history_.map().epoch, 6U);
  EXPECT_FALSE(history_.covers(frame_));
}

TEST_F(RouteHistoryTest, AMapOfFewerBlocksIsFollowedAtOnce) {
  ASSERT_TRUE(add(history_, routes_to(5, 3)));
  begin_frame(history_.map());
  EXPECT_EQ(add(history_, routes_to(6, 2), &frame_)->change, Change::kAtOnce);
  EXPECT_EQ(history_.map().epoch, 6U);
}

TEST_F(RouteHistoryTest, AMapWithoutReceiversWaitsUntilItTakesEffect) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  EXPECT_EQ(add(history_, routes_to(6, 0))->change, Change::kLeave);
  EXPECT_EQ(history_.map().epoch, 5U);
  EXPECT_TRUE(history_.take_next());
  EXPECT_EQ(history_.map().epoch, 6U);
}

TEST_F(RouteHistoryTest, AWindowThatIsPlacedForTheFirstTimeHasNotMoved) {
  EXPECT_FALSE(add(history_, routes_to(5, 2))->moved);
  EXPECT_FALSE(add(history_, routes_to(6, 2))->moved);
  EXPECT_TRUE(add(history_, routes_to(7, 2, {9, 2, 3, 4}))->moved);
}

TEST_F(RouteHistoryTest, AMapPlannedAgainIsNoOtherLayout) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  history_.plan_again(map_of(routes_to(5, 2)));
  EXPECT_FALSE(history_.awaits_layout());
  EXPECT_FALSE(history_.take_next());
}

TEST_F(RouteHistoryTest, PendingRoutesAreRolledBackToThoseInEffect) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  history_.take_effect(5);
  ASSERT_TRUE(add(history_, routes_to(6, 2)));
  history_.roll_back();
  EXPECT_EQ(history_.newest_routes().epoch, 5U);
  EXPECT_EQ(history_.in_effect().epoch, 5U);
  const auto rolled_back = history_.take_rolled_back();
  ASSERT_TRUE(rolled_back);
  EXPECT_EQ(rolled_back->epoch, 6U);
  EXPECT_FALSE(history_.take_rolled_back());
}

TEST_F(RouteHistoryTest, NewRoutesEndTheWaitForRolledBackOnes) {
  ASSERT_TRUE(add(history_, routes_to(5, 2)));
  history_.take_effect(5);
  ASSERT_TRUE(add(history_, routes_to(6, 2)));
  history_.roll_back();
  history_.follow(map_of(history_.newest_routes()));
  ASSERT_TRUE(add(history_, routes_to(8, 2)));
  EXPECT_FALSE(history_.take_rolled_back());
}

}  // namespace
}  // namespace sail
