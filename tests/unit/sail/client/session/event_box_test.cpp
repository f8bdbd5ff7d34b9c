#include "sail/client/session/event.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace sail {
namespace {

sail_event input(sail_input_type type, double x, uint32_t client = 1) {
  return input_event({.stream = 1,
                      .client = client,
                      .input = {.type = static_cast<InputType>(type - 1),
                                .at = InputPoint{x, 0},
                                .wheel_y = x,
                                .scale = 2}});
}

sail_event touch(sail_input_type type, int finger, double x) {
  sail_event event = input(type, x);
  event.input.touch = finger;
  return event;
}

std::vector<sail_event> all(EventBox& box) {
  std::vector<sail_event> events;
  while (auto event = box.pop(std::chrono::nanoseconds(0))) events.push_back(event->event);
  return events;
}

void push(EventBox& box, const sail_event& event) {
  box.push({.event = event, .stream = {}, .of_stream = true});
}

TEST(EventBox, MovesThatNobodyPolledBecomeOne) {
  EventBox box(16);
  for (int x = 0; x < 100; ++x) push(box, input(SAIL_INPUT_MOVE, x));
  const auto events = all(box);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].input.x, 99);
}

TEST(EventBox, ButtonsKeepTheirPlaceBetweenMoves) {
  EventBox box(16);
  for (const auto type : {SAIL_INPUT_MOVE, SAIL_INPUT_MOVE, SAIL_INPUT_DOWN, SAIL_INPUT_MOVE,
                          SAIL_INPUT_MOVE, SAIL_INPUT_UP, SAIL_INPUT_MOVE}) {
    push(box, input(type, 1));
  }
  std::vector<sail_input_type> types;
  for (const auto& event : all(box)) types.push_back(event.input.type);
  EXPECT_EQ(types, (std::vector<sail_input_type>{SAIL_INPUT_MOVE, SAIL_INPUT_DOWN, SAIL_INPUT_MOVE,
                                                 SAIL_INPUT_UP, SAIL_INPUT_MOVE}));
}

TEST(EventBox, EachPersonAndEachFingerHasMovesOfItsOwn) {
  EventBox box(16);
  push(box, input(SAIL_INPUT_MOVE, 1, 1));
  push(box, input(SAIL_INPUT_MOVE, 2, 2));
  push(box, input(SAIL_INPUT_MOVE, 3, 1));
  push(box, touch(SAIL_INPUT_TOUCH_MOVE, 0, 4));
  push(box, touch(SAIL_INPUT_TOUCH_MOVE, 1, 5));
  push(box, touch(SAIL_INPUT_TOUCH_MOVE, 0, 6));
  const auto events = all(box);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].input.x, 3);
  EXPECT_EQ(events[1].input.x, 2);
  EXPECT_EQ(events[2].input.x, 6);
  EXPECT_EQ(events[3].input.x, 5);
}

TEST(EventBox, WheelsAddUpAndPinchesMultiply) {
  EventBox box(16);
  push(box, input(SAIL_INPUT_WHEEL, 1));
  push(box, input(SAIL_INPUT_WHEEL, 2.5));
  push(box, input(SAIL_INPUT_PINCH, 0));
  push(box, input(SAIL_INPUT_PINCH, 0));
  const auto events = all(box);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].input.wheel_y, 3.5);
  EXPECT_EQ(events[1].input.scale, 4);
}

TEST(EventBox, WhenItIsFullWhatPassesGoesFirst) {
  EventBox box(4);
  push(box, make_event(SAIL_EVENT_CLOSE));
  push(box, make_event(SAIL_EVENT_FRAME));
  push(box, input(SAIL_INPUT_DOWN, 0));
  push(box, input(SAIL_INPUT_MOVE, 0));
  push(box, input(SAIL_INPUT_UP, 0));
  push(box, make_event(SAIL_EVENT_PAUSE));
  const auto events = all(box);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].type, SAIL_EVENT_CLOSE);
  EXPECT_EQ(events[1].input.type, SAIL_INPUT_DOWN);
  EXPECT_EQ(events[2].input.type, SAIL_INPUT_UP);
  EXPECT_EQ(events[3].type, SAIL_EVENT_PAUSE);
  for (int i = 0; i < 5; ++i) push(box, make_event(SAIL_EVENT_PAUSE));
  EXPECT_EQ(all(box).size(), 4u);
}

TEST(Event, InputTellsEachField) {
  const sail_event event = input_event({.stream = 7,
                                        .client = 3,
                                        .input = {.type = InputType::kKeyDown,
                                                  .at = InputPoint{1.5, 2.5},
                                                  .button = 1,
                                                  .buttons = 4,
                                                  .wheel_x = 5,
                                                  .wheel_y = 6,
                                                  .key = "ArrowLeft",
                                                  .modifiers = 9,
                                                  .touch = 8,
                                                  .scale = 0.5}});
  EXPECT_EQ(event.type, SAIL_EVENT_INPUT);
  EXPECT_EQ(event.input.type, SAIL_INPUT_KEY_DOWN);
  EXPECT_EQ(event.input.client, 3u);
  EXPECT_EQ(event.input.has_point, 1);
  EXPECT_EQ(event.input.x, 1.5);
  EXPECT_EQ(event.input.y, 2.5);
  EXPECT_EQ(event.input.button, 1);
  EXPECT_EQ(event.input.buttons, 4);
  EXPECT_EQ(event.input.wheel_x, 5);
  EXPECT_EQ(event.input.wheel_y, 6);
  EXPECT_STREQ(event.input.key, "ArrowLeft");
  EXPECT_EQ(event.input.modifiers, SAIL_SHIFT | SAIL_META);
  EXPECT_EQ(event.input.touch, 8);
  EXPECT_EQ(event.input.scale, 0.5);
}

}  // namespace
}  // namespace sail
