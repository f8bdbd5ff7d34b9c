#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ui/pointer/fake_session.h"
#include "ui/pointer/stick_pointer.h"

namespace ui {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct Stick : testing::Test {
  Stick() { session.open(1, {400, 200, 200, 100}); }
  void run(const PadState& pad, double seconds, double step_s = 0.01) {
    for (int i = 0; i < static_cast<int>(seconds / step_s + 0.5); ++i) stick.step(pad, step_s);
  }
  // Presses and releases a button.
  void press(uint32_t button) {
    stick.step({.buttons = button}, 0.01);
    stick.step({}, 0.01);
  }
  WallPoint at() { return session.pointers.at(0).at; }

  FakeSession session;
  PointerMapper hands{session};
  StickPointer stick{hands, session, 5};
};

TEST_F(Stick, APadThatLiesThereShowsNothing) {
  run({.left_x = 0.1, .left_y = -0.1}, 1);
  EXPECT_THAT(session.pointers, IsEmpty()) << "that is within the dead zone";
  run({.left_x = 0.5}, 0.1);
  EXPECT_THAT(session.pointers, SizeIs(1));
  run({}, StickPointer::kRestS + 1);
  EXPECT_THAT(session.pointers, IsEmpty()) << "put away";
  run({.left_x = 0.5}, 0.1);
  EXPECT_THAT(session.pointers, SizeIs(1));
}

TEST_F(Stick, SpeedComesFromTimeNotFromEvents) {
  const auto way = [&](double step_s) {
    FakeSession its_session;
    PointerMapper its_pointer_mapper(its_session);
    StickPointer its_stick(its_pointer_mapper, its_session, 1);
    for (int i = 0; i < static_cast<int>(0.4 / step_s + 0.5); ++i) {
      its_stick.step({.left_x = 1}, step_s);
    }
    return its_session.pointers.at(0).at.x - 500;
  };
  EXPECT_NEAR(way(0.001), way(0.02), 8);
  EXPECT_GT(way(0.001), 1000 * StickPointer::kSlowest * 0.4) << "it becomes faster";
  EXPECT_LT(way(0.001), 1000 * StickPointer::kFastest * 0.4);
}

TEST_F(Stick, IsFineWhenPushedALittleAndStaysOnTheWall) {
  run({.left_y = 0.4}, 0.2);
  const double little = at().y - 250;
  EXPECT_GT(little, 0);
  EXPECT_LT(little, 3);
  run({.left_x = -1, .left_y = -1}, 20);
  EXPECT_EQ(at(), (WallPoint{0, 0}));
}

TEST_F(Stick, AHeldUpProgramMakesNoLeap) {
  run({.left_x = 1}, 0.01);
  const double before = at().x;
  stick.step({.left_x = 1}, 100);
  EXPECT_LT(at().x - before, 1000 * StickPointer::kFastest * StickPointer::kLongestStepS + 1);
}

TEST_F(Stick, AGrabsAndTriggersScale) {
  stick.step({.buttons = kPadA}, 0.01);
  EXPECT_TRUE(hands.holds(5));
  run({.left_x = 1, .buttons = kPadA}, 0.2);
  EXPECT_GT(session.wall.find(1)->wall_rect.x, 400);
  stick.step({}, 0.01);
  EXPECT_FALSE(hands.holds(5));
  EXPECT_TRUE(session.placed.back().last);
  run({.right_trigger = 1}, 1);
  EXPECT_NEAR(session.wall.find(1)->wall_rect.width, 500, 10) << "2.5 times in a second";
  run({.left_trigger = 1}, 1);
  EXPECT_NEAR(session.wall.find(1)->wall_rect.width, 200, 10);
  stick.step({}, 0.01);
  EXPECT_FALSE(hands.holds(5));
}

TEST_F(Stick, ButtonsAsk) {
  press(kPadX);
  press(kPadY);
  press(kPadLeftShoulder);
  press(kPadRightShoulder);
  std::vector<std::string> verbs;
  for (const auto& asked : session.asked) verbs.push_back(asked.verb);
  EXPECT_THAT(verbs, testing::ElementsAre("raise", "maximise", "undo", "redo"));
  press(kPadBack);
  EXPECT_THAT(session.asked, SizeIs(4)) << "closing takes a second";
  run({.buttons = kPadBack}, 1.5);
  ASSERT_THAT(session.asked, SizeIs(5));
  EXPECT_EQ(session.asked.back().verb, "close");
}

TEST_F(Stick, BGivesTheApplicationThePointer) {
  press(kPadB);
  EXPECT_FALSE(hands.in_input(5)) << "this one takes none";
  session.open(1, {400, 200, 200, 100}, {{"input", true}});
  press(kPadB);
  ASSERT_TRUE(hands.in_input(5));
  press(kPadA);
  press(kPadLeft);
  run({.right_y = 1}, 0.55);
  EXPECT_FALSE(hands.holds(5));
  std::vector<std::string> types;
  for (const auto& input : session.inputs) types.push_back(input["type"]);
  EXPECT_THAT(types, testing::ElementsAre("enter", "down", "up", "key_down", "key_up", "wheel",
                                          "wheel", "wheel", "wheel"));
  EXPECT_EQ(session.inputs.back()["wheel"], sail::Json({0.0, 1.0}));
  press(kPadB);
  EXPECT_EQ(session.inputs.back()["type"], "leave");
}

}  // namespace
}  // namespace ui
