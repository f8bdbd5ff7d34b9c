#include "sail/client/transport/route_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace sail {
namespace {

using BlockRuns = std::vector<ReceiverPlan::Run>;

// 4 × 3 blocks.
constexpr Size kRoutedSize{500, 190};
constexpr FrameShape kShape{.frame_size = kRoutedSize, .block_size = {128, 64}};
constexpr FrameShape kScalable{
    .frame_size = kRoutedSize, .block_size = {128, 64}, .scaling = Scaling::kBlock};

Routes routes_of(std::vector<Route> routes) {
  return {.stream = 1, .epoch = 9, .wall_rect = {1, 2, 3, 4}, .routes = std::move(routes)};
}

BlockRuns row_of(const ReceiverPlan& plan, int row) {
  const auto runs = plan.row(row);
  return {runs.begin(), runs.end()};
}

TEST(RoutePlanTest, RectanglesBecomeRunsOfEachRow) {
  const auto plan =
      make_route_plan(routes_of({{"a", "10.0.0.1", 99, {{0, 0, 2, 2}, {3, 1, 1, 2}}}}), kShape);
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
  // In the worst case each block is a separate run.
  EXPECT_EQ(receiver.head_bytes(),
            kFrameBeginBytes + kFrameEndBytes + 6 * (kDataHeaderBytes + block_places_bytes(1)));
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      const bool routed = (row < 2 && column < 2) || (row > 0 && column == 3);
      EXPECT_EQ(plan->wanted->has(column, row), routed) << column << ", " << row;
    }
  }
}

TEST(RoutePlanTest, NeighbouringRectanglesBecomeOneRun) {
  const auto plan = make_route_plan(
      routes_of({{"a", "h", 1, {{2, 0, 2, 1}, {0, 0, 1, 2}, {1, 0, 1, 1}}}}), kShape);
  ASSERT_TRUE(plan);
  EXPECT_EQ(row_of(*plan->receivers[0], 0), (BlockRuns{{0, 0, 4}}));
  EXPECT_EQ(row_of(*plan->receivers[0], 1), (BlockRuns{{1, 0, 1}}));
  EXPECT_TRUE(row_of(*plan->receivers[0], 2).empty());
}

TEST(RoutePlanTest, AReceiverWithoutBlocksIsNotInTheMap) {
  const auto plan =
      make_route_plan(routes_of({{"a", "h", 1, {}}, {"b", "h", 2, {{0, 0, 1, 1}}}}), kShape);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->receivers.size(), 1U);
  EXPECT_EQ(plan->receivers[0]->receiver(), "b");
}

TEST(RoutePlanTest, BlocksCountInTheReducedFrame) {
  Routes routes = routes_of({{"a", "h", 1, {{0, 0, 2, 2}}}});
  routes.routes[0].reduction = 1;  // 250 × 95 pixels
  const auto plan = make_route_plan(routes, kShape);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->wanted->grid.frame_size(), (Size{250, 95}));
  EXPECT_EQ(plan->receivers[0]->reduction(), 1);
  routes.routes[0].reduction = 2;  // 125 × 48
  EXPECT_FALSE(make_route_plan(routes, kShape));
}

TEST(RoutePlanTest, ReceiversMayGetPicturesOfDifferentSizesOnlyOfBlocksThatHoldThem) {
  Routes routes = routes_of({{"a", "h", 1, {{0, 0, 4, 3}}}, {"b", "h", 2, {{0, 0, 1, 1}}}});
  routes.routes[1].reduction = 2;
  EXPECT_FALSE(make_route_plan(routes, kShape));
  const auto plan = make_route_plan(routes, kScalable);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->wanted->reduction, 0);
  EXPECT_EQ(plan->wanted->grid.frame_size(), kRoutedSize);
  EXPECT_EQ(plan->receivers[0]->grid().frame_size(), kRoutedSize);
  EXPECT_EQ(plan->receivers[1]->grid().frame_size(), (Size{125, 48}));
  EXPECT_EQ(plan->receivers[1]->grid().count(), plan->receivers[0]->grid().count());
  EncodedFrame frame(3, nullptr, nullptr);
  frame.begin(1, 0, plan->wanted, false);
  EXPECT_TRUE(plan->receivers[0]->covered_by(frame));
  EXPECT_TRUE(plan->receivers[1]->covered_by(frame));

  // If no receiver needs full size it is not encoded, unless frames arrive encoded.
  routes.routes[0].reduction = 1;
  const auto smaller = make_route_plan(routes, kScalable);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->wanted->reduction, 1);
  EXPECT_EQ(smaller->wanted->grid.count(), plan->wanted->grid.count());
  frame.begin(2, 0, smaller->wanted, false);
  EXPECT_TRUE(smaller->receivers[0]->covered_by(frame));
  EXPECT_TRUE(smaller->receivers[1]->covered_by(frame));
  EXPECT_FALSE(plan->receivers[0]->covered_by(frame));
  FrameShape encoded = kScalable;
  encoded.encoded = true;
  EXPECT_EQ(make_route_plan(routes, encoded)->wanted->reduction, 0);
}

TEST(RoutePlanTest, AFrameCoversAPlanWhenItHasAllItsBlocks) {
  const auto wide = make_route_plan(routes_of({{"a", "h", 1, {{0, 0, 3, 2}}}}), kShape);
  const auto narrow = make_route_plan(routes_of({{"a", "h", 1, {{1, 0, 1, 2}}}}), kShape);
  Routes reduced_routes = routes_of({{"a", "h", 1, {{0, 0, 1, 1}}}});
  reduced_routes.routes[0].reduction = 1;
  const auto reduced = make_route_plan(reduced_routes, kShape);
  ASSERT_TRUE(wide && narrow && reduced);
  EncodedFrame frame(3, nullptr, nullptr);
  frame.begin(1, 0, wide->wanted, false);
  EXPECT_TRUE(narrow->receivers[0]->covered_by(frame));
  EXPECT_TRUE(wide->receivers[0]->covered_by(frame));
  EXPECT_FALSE(reduced->receivers[0]->covered_by(frame));
  frame.begin(2, 0, narrow->wanted, false);
  EXPECT_FALSE(wide->receivers[0]->covered_by(frame));
  frame.begin(3, 0, narrow->wanted, true);
  EXPECT_TRUE(wide->receivers[0]->covered_by(frame));
}

// --- further halvings ---------------------------------------------------------------------------

using Blocks = std::set<std::pair<int, int>>;  // column, row

Blocks blocks_of(const ReceiverPlan& plan) {
  Blocks blocks;
  for (int row = 0; row < plan.rows(); ++row) {
    for (const ReceiverPlan::Run& run : plan.row(row)) {
      EXPECT_EQ(run.row, row);
      for (int i = 0; i < run.count; ++i) {
        EXPECT_TRUE(blocks.emplace(run.first_column + i, row).second) << "twice";
      }
    }
  }
  return blocks;
}

// Reference, pixel by pixel: blocks of the smaller picture that contain the pixels of the given
// blocks, or pixels up to `beside` away from them.
Blocks blocks_around(const Blocks& of, const BlockGrid& grid, int halvings,
                     const BlockGrid& smaller, int beside) {
  Blocks blocks;
  for (const auto& [column, row] : of) {
    const Rect rect = grid.block_rect(column, row);
    for (int y = rect.y >> halvings; y <= (rect.bottom() - 1) >> halvings; ++y) {
      for (int x = rect.x >> halvings; x <= (rect.right() - 1) >> halvings; ++x) {
        const Rect near =
            intersect(Rect::from_edges(x - beside, y - beside, x + beside + 1, y + beside + 1),
                      {0, 0, smaller.frame_size().width, smaller.frame_size().height});
        const Rect touched = smaller.blocks_touching(near);
        for (int i = touched.x; i < touched.right(); ++i) {
          for (int j = touched.y; j < touched.bottom(); ++j) blocks.emplace(i, j);
        }
      }
    }
  }
  return blocks;
}

// Random rectangles that do not overlap.
std::vector<BlockRect> random_blocks(const BlockGrid& grid, std::mt19937& random) {
  std::vector<BlockRect> rects;
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns();) {
      const int columns = std::min(1 + static_cast<int>(random() % 3), grid.columns() - column);
      if (random() % 4 == 0) rects.push_back({column, row, columns, 1});
      column += columns;
    }
  }
  if (rects.empty()) rects.push_back({0, 0, 1, 1});
  return rects;
}

TEST(RoutePlanTest, HalvedFurtherEveryPixelIsStillThere) {
  std::mt19937 random(11);
  for (const Scaling scaling : {Scaling::kFrame, Scaling::kBlock}) {
    for (int round = 0; round < 60; ++round) {
      const FrameShape shape{.frame_size = {100 + static_cast<int>(random() % 400),
                                            100 + static_cast<int>(random() % 200)},
                             .block_size = {48, 32},
                             .scaling = scaling};
      const int before = round % 3;
      const int more = 1 + round % (3 - before);
      const auto grid_of = [&](int reduction) {
        return reduced_grid(shape.frame_size, shape.block_size, reduction, scaling);
      };
      Routes routes = routes_of({{"a", "h", 1, random_blocks(grid_of(before), random)},
                                 {"b", "h", 2, random_blocks(grid_of(before), random)}});
      for (Route& route : routes.routes) route.reduction = before;
      const auto plain = make_route_plan(routes, shape);
      const auto halved = make_route_plan(routes, shape, {{"a", more}});
      ASSERT_TRUE(plain && halved);
      const ReceiverPlan& receiver = *halved->receivers[0];
      const BlockGrid smaller = grid_of(before + more);
      ASSERT_EQ(receiver.reduction(), before + more);
      ASSERT_EQ(receiver.grid(), smaller);
      EXPECT_EQ(blocks_of(receiver),
                blocks_around(blocks_of(*plain->receivers[0]), grid_of(before), more, smaller, 2));
      // If blocks contain all sizes, the other receiver is unaffected.
      const bool alone = scaling == Scaling::kBlock;
      EXPECT_EQ(halved->receivers[1]->reduction(), alone ? before : before + more);
      const Blocks others = blocks_of(*plain->receivers[1]);
      EXPECT_EQ(blocks_of(*halved->receivers[1]),
                alone ? others : blocks_around(others, grid_of(before), more, smaller, 2));
      EXPECT_EQ(halved->wanted->reduction, alone ? before : before + more);
      EncodedFrame frame(grid_of(0).rows(), nullptr, nullptr);
      frame.begin(1, 0, halved->wanted, false);
      for (const auto& plan : halved->receivers) EXPECT_TRUE(plan->covered_by(frame));
    }
  }
}

TEST(RoutePlanTest, KnowsForWhichSizeToDraw) {
  Routes routes = routes_of({});
  routes.wall_rect = {0, 0, 300, 400};
  EXPECT_EQ(make_route_plan(routes, kShape)->picture, (Size{300, 400}));
  routes.look.rotate = 270;
  EXPECT_EQ(make_route_plan(routes, kShape)->picture, (Size{400, 300}));
  const Size frame = kShape.frame_size;
  routes.look.crop = {0, 0, frame.width / 2, frame.height};
  EXPECT_EQ(make_route_plan(routes, kShape)->picture, (Size{800, 300}));
}

TEST(RoutePlanTest, HalvedNoFurtherThanTheStreamAllows) {
  const Routes routes = routes_of({{"a", "h", 1, {{0, 0, 4, 3}}}});
  FrameShape shape = kShape;
  EXPECT_EQ(make_route_plan(routes, shape, {{"a", 9}})->wanted->reduction, codecs::kMaxReduction);
  EXPECT_EQ(make_route_plan(routes, shape, {{"b", 9}})->wanted->reduction, 0);
  shape.max_reduction = 1;
  EXPECT_EQ(make_route_plan(routes, shape, {{"a", 9}})->wanted->reduction, 1);
  // Frames that arrive encoded are complete; a prefix of each block can be sent.
  shape = kScalable;
  shape.encoded = true;
  shape.max_reduction = 2;
  const auto plan = make_route_plan(routes, shape, {{"a", 9}});
  EXPECT_EQ(plan->wanted->reduction, 0);
  EXPECT_EQ(plan->receivers[0]->reduction(), 2);
}

TEST(RoutePlanTest, NonsenseIsRefused) {
  const auto refused = [](std::vector<Route> routes) {
    const auto plan = make_route_plan(routes_of(std::move(routes)), kShape);
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
