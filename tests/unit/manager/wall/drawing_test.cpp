// Strokes on windows and on the wall.
#include "manager/wall/drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "manager/sessions/saved_wall.h"
#include "manager/wall/arrangement.h"
#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

constexpr sail::Rect kDrawnRect{100, 50, 400, 200};

sail::OverlayStroke stroke_through(std::vector<StrokePoint> line) {
  return {.points = stroke_points(line, kDrawnRect), .width = stroke_width(10, kDrawnRect)};
}

TEST(Drawing, FollowsTheRectangle) {
  const Drawing drawing = Drawing().with(stroke_through({{100, 50}, {300, 150}, {500, 250}}));
  const auto here = drawing.on(kDrawnRect);
  EXPECT_EQ(here.at(0).points, (std::vector<int>{100, 50, 500, 250})) << "a straight line";
  EXPECT_EQ(here.at(0).width, 10);
  const auto half = drawing.on({0, 0, 200, 100});
  EXPECT_EQ(half.at(0).points, (std::vector<int>{0, 0, 200, 100}));
  EXPECT_EQ(half.at(0).width, 5);
}

TEST(Drawing, MayLeaveTheRectangle) {
  const Drawing drawing = Drawing().with(stroke_through({{0, 0}, {900, 450}}));
  EXPECT_EQ(drawing.on(kDrawnRect).at(0).points, (std::vector<int>{0, 0, 900, 450}));
  const auto far = Drawing().with(stroke_through({{100, 50}, {1e6, 50}})).on(kDrawnRect);
  EXPECT_GT(far.at(0).points[2], 5000);
}

TEST(Drawing, OnePointIsADot) {
  EXPECT_EQ(stroke_through({{300, 150}}).points.size(), 4U);
}

TEST(Drawing, AStrokeKeepsItsShapeWithinItsLimit) {
  std::vector<StrokePoint> circle;
  for (int i = 0; i <= 2000; ++i) {
    circle.push_back({300 + 90 * std::cos(i / 300.0), 150 + 90 * std::sin(i / 300.0)});
  }
  const auto points = Drawing().with(stroke_through(circle)).on(kDrawnRect).at(0).points;
  EXPECT_LT(points.size(), 100U);
  for (size_t i = 0; i < points.size(); i += 2) {
    EXPECT_NEAR(std::hypot(points[i] - 300, points[i + 1] - 150), 90, 1.5);
  }
  std::vector<StrokePoint> scribble;
  for (int i = 0; i < 2000; ++i) scribble.push_back({100.0 + i % 2 * 400, 50 + i / 10.0});
  EXPECT_EQ(stroke_through(scribble).points.size(), 2 * sail::kMaxStrokePoints);
}

TEST(Drawing, OfTooManyPointsTheFarthestStay) {
  // Small waves, and three peaks.
  std::vector<StrokePoint> line;
  for (int i = 0; i < 2000; ++i) line.push_back({100.0 + i, 150.0 + i % 2 * 2});
  for (const size_t peak : {300, 900, 1999}) line[peak].y = 50;
  const auto points = stroke_through(line).points;
  EXPECT_EQ(points.size(), 2 * sail::kMaxStrokePoints);
  int peaks = 0;
  for (size_t i = 1; i < points.size(); i += 2) peaks += points[i] == points.back() ? 1 : 0;
  EXPECT_EQ(peaks, 3);
}

TEST(Drawing, IsReadBackAsItWasSaved) {
  const sail::OverlayStroke wide{
      .points = stroke_points(std::vector<StrokePoint>{{-50, 20}, {90, 40}}, {0, 0, 64, 36}),
      .width = stroke_width(30, {0, 0, 64, 36}),
      .colour = 0x00ff00,
      .opacity = 40,
      .arrow = true};
  const Drawing drawn = Drawing().with(wide).with(wide, "Ann");
  sail::Json saved = sail::Json::object();
  add_drawing(saved, drawn);
  sail::JsonFields fields(saved, "saved");
  const Drawing read = read_drawing(fields);
  EXPECT_FALSE(fields.finish_open());
  EXPECT_EQ(read, drawn);
}

TEST(Drawing, AnEraserRemovesThePersonsStrokesThatItTouches) {
  const auto line = [](StrokePoint from, StrokePoint to) { return stroke_through({from, to}); };
  const Drawing drawing = Drawing()
                              .with(line({100, 100}, {300, 100}), "Ann")
                              .with(line({100, 100}, {300, 100}), "Bob")
                              .with(line({100, 160}, {300, 160}), "Ann");
  const auto left = [&](std::vector<StrokePoint> eraser, double width) {
    return drawing.without("Ann", eraser, width, kDrawnRect).strokes().size();
  };
  EXPECT_EQ(left({{200, 50}, {200, 130}}, 1), 2U) << "it crosses the line between its points";
  EXPECT_EQ(left({{200, 50}, {200, 200}}, 1), 1U);
  EXPECT_EQ(left({{200, 130}}, 49), 3U) << "the lines are 10 pixels wide and 30 away";
  EXPECT_EQ(left({{200, 130}}, 51), 1U);
  EXPECT_EQ(left({{350, 0}, {350, 300}}, 50), 3U) << "it passes beside the ends";
  EXPECT_EQ(drawing.without("Ann", std::vector<StrokePoint>{{200, 50}, {200, 200}}, 1, kDrawnRect),
            Drawing().with(line({100, 100}, {300, 100}), "Bob"));
  EXPECT_EQ(drawing.without("Eve", std::vector<StrokePoint>{{200, 100}}, 9, kDrawnRect), drawing);
}

TEST(Drawing, AnEraserRemovesTheTextsWhoseLinesItTouches) {
  sail::OverlayStroke text{
      .points = stroke_points(std::vector<StrokePoint>{{150, 100}}, kDrawnRect),
      .width = stroke_width(20, kDrawnRect),
      .text = {"one", "three and four"}};
  const Drawing drawing = Drawing().with(text, "Ann");
  const sail::Rect box = sail::stroke_rect(drawing.on(kDrawnRect).at(0));
  EXPECT_EQ((sail::Rect{box.x, box.y, 0, box.height}), (sail::Rect{150, 93, 0, 54}));
  const auto is_erased = [&](std::vector<StrokePoint> eraser, double width) {
    return drawing.without("Ann", eraser, width, kDrawnRect).empty();
  };
  const double right = box.right();
  EXPECT_TRUE(is_erased({{160, 110}}, 1)) << "in the first line";
  EXPECT_TRUE(is_erased({{right - 5, 130}}, 1)) << "in the second";
  EXPECT_FALSE(is_erased({{right - 5, 110}}, 1)) << "beside the first";
  EXPECT_TRUE(is_erased({{100, 130}, {500, 130}}, 1)) << "across";
  EXPECT_FALSE(is_erased({{140, 120}}, 19));
  EXPECT_TRUE(is_erased({{140, 120}}, 21));
  EXPECT_EQ(drawing.without("Bob", std::vector<StrokePoint>{{160, 110}}, 9, kDrawnRect), drawing);
}

TEST(Drawing, ATextGrowsWithTheRectangleAndCountsItsLetters) {
  const sail::OverlayStroke text{
      .points = stroke_points(std::vector<StrokePoint>{{150, 100}}, kDrawnRect),
      .width = stroke_width(20, kDrawnRect),
      .text = {"one", "three"}};
  const Drawing drawing = Drawing().with(text);
  EXPECT_EQ(drawing.points(), 2U + 3U + 5U);
  const auto twice = drawing.on({0, 0, 800, 400}).at(0);
  EXPECT_EQ(twice.points, (std::vector<int>{100, 100, 100, 100}));
  EXPECT_EQ(twice.width, 40);
  EXPECT_EQ(twice.text, text.text);
}

TEST(Drawing, APersonUndoesOnlyTheOwnStroke) {
  Arrangement arrangement({2000, 1000});
  const Author ann{.name = "ann", .key = "presenter/ann"},
      bob{.name = "bob", .key = "presenter/bob"};
  const auto draw = [&](const Author& author) {
    const Drawing drawn = arrangement.drawing().with(stroke_through({{100, 50}, {300, 150}}));
    arrangement.change({.drawing = drawn}, {.verb = "drew", .names_windows = false}, author);
  };
  draw(ann);
  EXPECT_NE(arrangement.take_own_step(true, ann), nullptr);
  draw(ann);
  draw(bob);
  EXPECT_EQ(arrangement.take_own_step(true, ann), nullptr) << "bob has drawn since";
}

TEST(Drawing, IsAStepOfTheHistory) {
  Arrangement arrangement({2000, 1000});
  const Drawing drawing = Drawing().with(stroke_through({{100, 50}, {300, 150}}));
  ASSERT_TRUE(
      arrangement.change({.drawing = drawing}, {.verb = "drew", .names_windows = false}, {}));
  EXPECT_EQ(arrangement.drawing(), drawing);
  EXPECT_TRUE(arrangement.take_touched().drawing);
  const Drawing same = Drawing({drawing.strokes().begin(), drawing.strokes().end()});
  EXPECT_FALSE(arrangement.change({.drawing = same}, {.verb = "drew"}, {}));
  const HistoryEntry* const step = arrangement.take_step(true);
  ASSERT_NE(step, nullptr);
  arrangement.apply(step->before, {});
  EXPECT_TRUE(arrangement.drawing().empty());
}

}  // namespace
}  // namespace manager
