#include "ui/pointer/pointer_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ui/pointer/fake_session.h"
#include "ui/pointer/touches.h"

namespace ui {
namespace {

using sail::Rect;
using testing::IsEmpty;
using testing::SizeIs;

struct PointerMapperTest : testing::Test {
  PointerMapperTest() {
    session.open(1, {100, 100, 200, 100});
    session.open(2, {600, 100, 200, 100});
  }
  Rect rect(uint32_t window) { return session.wall.find(window)->wall_rect; }

  FakeSession session;
  PointerMapper hands{session};
};

TEST_F(PointerMapperTest, AHandIsAPointerAndDragsWhatItHolds) {
  hands.point(7, {150, 150});
  EXPECT_EQ(session.pointers.at(0).at, (WallPoint{150, 150}));
  EXPECT_FALSE(session.pointers.at(0).pressed);
  ASSERT_TRUE(hands.grab(7));
  EXPECT_TRUE(session.pointers.at(0).pressed);
  hands.point(7, {160, 145});
  hands.point(7, {170.4, 140});
  EXPECT_EQ(rect(1), (Rect{120, 90, 200, 100}));
  hands.release(7);
  EXPECT_FALSE(session.pointers.at(0).pressed);
  ASSERT_THAT(session.placed, SizeIs(3));
  EXPECT_TRUE(session.placed.back().last);
  EXPECT_EQ(session.placed.front().gesture, session.placed.back().gesture);
  hands.leave(7);
  EXPECT_THAT(session.pointers, IsEmpty());
  hands.point(7, {130, 130});
  ASSERT_TRUE(hands.grab(7));
  hands.point(7, {131, 130});
  EXPECT_NE(session.placed.back().gesture, session.placed.front().gesture) << "another step";
}

TEST_F(PointerMapperTest, TwoHandsScaleAndMoveOneWindow) {
  hands.point(1, {150, 150});
  hands.point(2, {250, 150});
  ASSERT_TRUE(hands.grab(1));
  ASSERT_TRUE(hands.grab(2));
  hands.point(1, {100, 150});
  hands.point(2, {300, 150});
  EXPECT_EQ(rect(1), (Rect{0, 50, 400, 200})) << "twice as large about the middle of the two";
  hands.release(1);
  hands.point(2, {310, 160});
  EXPECT_EQ(rect(1), (Rect{10, 60, 400, 200})) << "the other one drags on, without a jump";
  ASSERT_TRUE(hands.grab(1));
  hands.point(1, {110, 160});
  EXPECT_NEAR(rect(1).height * 2, rect(1).width, 1) << "the aspect stays";
}

TEST_F(PointerMapperTest, SeveralPeopleHoldDifferentWindows) {
  hands.point(1, {150, 150});
  hands.point(2, {650, 150});
  ASSERT_TRUE(hands.grab(1));
  ASSERT_TRUE(hands.grab(2));
  hands.point(1, {160, 150});
  hands.point(2, {650, 170});
  EXPECT_EQ(rect(1), (Rect{110, 100, 200, 100}));
  EXPECT_EQ(rect(2), (Rect{600, 120, 200, 100}));
  EXPECT_THAT(session.pointers, SizeIs(2));
}

TEST_F(PointerMapperTest, NothingIsTooSmallTooLargeOrTooFar) {
  hands.point(1, {150, 150});
  ASSERT_TRUE(hands.grab(1));
  hands.scale(1, 1e-9);
  EXPECT_EQ(rect(1).height, 32);
  hands.scale(1, 1e9);
  EXPECT_EQ(rect(1).width, 65536);
  hands.point(1, {-1e12, 1e12});
  EXPECT_EQ(rect(1).x, -1000000);
}

TEST_F(PointerMapperTest, LockedWindowsStayWhereTheyAre) {
  session.open(1, {100, 100, 200, 100}, {{"locked", true}});
  hands.point(1, {150, 150});
  EXPECT_FALSE(hands.grab(1));
  hands.point(1, {900, 450});
  EXPECT_FALSE(hands.grab(1)) << "nothing there";
  hands.point(1, {160, 150});
  EXPECT_THAT(session.placed, IsEmpty());
}

TEST_F(PointerMapperTest, WindowsThatGoAreHeldNoMore) {
  hands.point(1, {150, 150});
  hands.point(2, {160, 150});
  hands.grab(1);
  hands.grab(2);
  session.wall.apply({{"removed", {1}}});
  hands.view_changed();
  EXPECT_FALSE(hands.holds(1));
  hands.point(1, {200, 150});
  hands.release(1);
  hands.release(2);
  EXPECT_THAT(session.placed, IsEmpty());
}

TEST_F(PointerMapperTest, AnApplicationFeelsTheHand) {
  hands.point(1, {150, 150});
  EXPECT_FALSE(hands.begin_input(1)) << "it takes no input";
  session.open(1, {100, 100, 200, 100}, {{"input", true}});
  ASSERT_TRUE(hands.begin_input(1));
  hands.point(1, {151, 150});
  hands.press(1, InputButton::kRight, true);
  hands.press(1, InputButton::kRight, true);
  hands.wheel(1, 0, -1);
  hands.key(1, "ArrowUp", true);
  hands.end_input(1);
  std::vector<std::string> types;
  for (const auto& input : session.inputs) types.push_back(input["type"]);
  EXPECT_THAT(types,
              testing::ElementsAre("enter", "move", "down", "wheel", "key_down", "up", "leave"));
  EXPECT_EQ(session.inputs[2]["button"], 2);
  EXPECT_EQ(session.inputs[2]["buttons"], 2);
  EXPECT_EQ(session.inputs[2]["at"], sail::Json({151.0, 150.0}));
  EXPECT_EQ(session.inputs[5]["buttons"], 0);
  EXPECT_THAT(session.placed, IsEmpty());
}

TEST_F(PointerMapperTest, MoreHandsThanPointersWorkUnseen) {
  for (uint64_t hand = 1; hand <= 40; ++hand) hands.point(hand, {150, 150});
  EXPECT_THAT(session.pointers, SizeIs(PointerMapper::kMaxPointers));
  ASSERT_TRUE(hands.grab(40));
  hands.point(40, {160, 150});
  EXPECT_EQ(rect(1).x, 110);
  hands.leave_all();
  EXPECT_THAT(session.pointers, IsEmpty());
}

struct TouchesTest : PointerMapperTest {
  void touch(TouchChange::Kind kind, uint64_t finger, double x, double y) {
    touches.take({kind, finger, x / 1000, y / 500}, {}, now_ms);
  }
  Touches touches{hands, session, 1000};
  int64_t now_ms = 0;
};
using enum TouchChange::Kind;

TEST_F(TouchesTest, ATapRaises) {
  touch(kDown, 1, 150, 150);
  now_ms = 100;
  touch(kMove, 1, 152, 151);
  touch(kUp, 1, 152, 151);
  ASSERT_THAT(session.asked, SizeIs(1));
  EXPECT_EQ(session.asked[0].verb, "raise");
  EXPECT_EQ(session.asked[0].params, (sail::Json{{"window", 1}}));
  EXPECT_THAT(session.placed, IsEmpty());
  EXPECT_THAT(session.pointers, IsEmpty());
  touch(kDown, 2, 150, 150);
  now_ms = 1000;
  touch(kUp, 2, 150, 150);
  EXPECT_THAT(session.asked, SizeIs(1)) << "that was no tap";
}

TEST_F(TouchesTest, AFingerDragsBeyondATremble) {
  touch(kDown, 1, 150, 150);
  touch(kMove, 1, 153, 150);
  EXPECT_THAT(session.placed, IsEmpty());
  touch(kMove, 1, 170, 150);
  touch(kMove, 1, 180, 150);
  EXPECT_EQ(rect(1), (Rect{110, 100, 200, 100}));
  touch(kUp, 1, 180, 150);
  EXPECT_TRUE(session.placed.back().last);
  EXPECT_THAT(session.asked, IsEmpty());
}

TEST_F(TouchesTest, TwoFingersPinchAtOnce) {
  touch(kDown, 1, 150, 150);
  touch(kDown, 2, 250, 150);
  touch(kMove, 1, 140, 150);
  touch(kMove, 2, 260, 150);
  EXPECT_EQ(rect(1), (Rect{80, 90, 240, 120}));
  // A third finger on another window is independent.
  touch(kDown, 3, 650, 150);
  touch(kMove, 3, 700, 150);
  touch(kMove, 3, 710, 150);
  EXPECT_EQ(rect(2), (Rect{610, 100, 200, 100}));
  EXPECT_EQ(rect(1), (Rect{80, 90, 240, 120}));
}

TEST_F(TouchesTest, ASurfaceMayCoverAPartOfTheWall) {
  touches.take({kDown, 1, 0.5, 0.5}, {500, 0, 500, 500}, now_ms);
  EXPECT_EQ(session.pointers.at(0).at, (WallPoint{750, 250}));
}

}  // namespace
}  // namespace ui
