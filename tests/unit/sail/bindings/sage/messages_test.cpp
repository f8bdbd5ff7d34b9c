#include "sail/bindings/sage/messages.h"

#include <gtest/gtest.h>

#include <string>

namespace vitrail {
namespace {

sail_input at(sail_input_type type, double x, double y) {
  sail_input input{};
  input.type = type;
  input.client = 7;
  input.has_point = 1;
  input.x = x;
  input.y = y;
  return input;
}

std::string reported(InputWords& words, const sail_input& input) {
  auto message = words.message_of(input);
  if (!message) return "nothing";
  return std::to_string(message->getCode()) + " " + static_cast<char*>(message->getData());
}

TEST(InputWords, APointerGoesFromTheLowerLeftCorner) {
  InputWords words(200, 100);
  EXPECT_EQ(reported(words, at(SAIL_INPUT_ENTER, 0, 100)), "nothing");
  EXPECT_EQ(reported(words, at(SAIL_INPUT_MOVE, 50, 25)),
            "31002 7 0.250000 0.750000 0.250000 0.750000");
  EXPECT_EQ(reported(words, at(SAIL_INPUT_LEAVE, 0, 0)), "nothing");
}

TEST(InputWords, EachButtonDragsAsSageSaysFromWhereItWentDown) {
  const int sage_buttons[] = {1, 3, 2};
  const int drags[] = {EVT_PAN, EVT_ZOOM, EVT_ROTATE};
  for (int button = 0; button < 3; ++button) {
    InputWords words(100, 100);
    sail_input input = at(SAIL_INPUT_DOWN, 50, 50);
    input.button = button;
    const std::string which =
        std::to_string(sage_buttons[button]) + " 1 " + std::to_string(drags[button]);
    EXPECT_EQ(reported(words, input), "31000 7 0.500000 0.500000 " + which);
    EXPECT_EQ(reported(words, at(SAIL_INPUT_MOVE, 75, 75)),
              std::to_string(drags[button]) + " 7 0.500000 0.500000 0.250000 -0.250000 0");
    input = at(SAIL_INPUT_UP, 75, 75);
    input.button = button;
    EXPECT_TRUE(reported(words, input).starts_with("31000 7 0.750000 0.250000 "));
    EXPECT_TRUE(reported(words, at(SAIL_INPUT_MOVE, 0, 0)).starts_with("31002 "));
  }
}

TEST(InputWords, TheFirstFingerIsTheLeftButton) {
  InputWords words(100, 100);
  sail_input first = at(SAIL_INPUT_TOUCH_DOWN, 25, 25);
  first.touch = 3;
  EXPECT_EQ(reported(words, first), "31000 7 0.250000 0.750000 1 1 31003");
  sail_input second = first;
  second.touch = 4;
  EXPECT_EQ(reported(words, second), "nothing");
  first.type = second.type = SAIL_INPUT_TOUCH_UP;
  EXPECT_EQ(reported(words, second), "nothing");
  EXPECT_EQ(reported(words, first), "31000 7 0.250000 0.750000 1 0 31003");
}

TEST(InputWords, ArrowsAreNumbersAndOtherKeysTheirNames) {
  InputWords words(100, 100);
  sail_input input{};
  input.type = SAIL_INPUT_KEY_DOWN;
  input.client = 7;
  strcpy(input.key, "ArrowRight");
  EXPECT_EQ(reported(words, input), "31006 7 4");
  strcpy(input.key, "Enter");
  EXPECT_EQ(reported(words, input), "31007 Enter");
}

TEST(InputWords, TheWheelZooms) {
  InputWords words(150, 100);
  sail_input input = at(SAIL_INPUT_WHEEL, 75, 50);
  input.wheel_y = -2;
  EXPECT_EQ(reported(words, input), "31005 7 0.500000 0.500000 0.200000 0 0");
}

sageMessage made(int code) {
  sageMessage message;
  message.init(0, code, 0, 0, nullptr);
  return message;
}

TEST(MessageQueue, MovesInARowBecomeOneAndQuitOvertakes) {
  MessageQueue queue;
  for (const int code : {EVT_MOVE, EVT_MOVE, EVT_CLICK, EVT_MOVE}) queue.push(made(code));
  queue.push_quit();
  sageMessage message;
  for (const int code : {APP_QUIT, EVT_MOVE, EVT_CLICK, EVT_MOVE}) {
    ASSERT_TRUE(queue.pop(message, true));
    EXPECT_EQ(message.getCode(), code);
  }
  EXPECT_FALSE(queue.pop(message, false));
  queue.close();
  EXPECT_FALSE(queue.pop(message, true));
}

TEST(MessageQueue, AProgramThatTakesNoneLosesTheLatest) {
  MessageQueue queue;
  for (int i = 0; i < 3000; ++i) queue.push(made(EVT_CLICK));
  queue.push_quit();
  sageMessage message;
  int count = 0;
  while (queue.pop(message, false)) ++count;
  EXPECT_EQ(count, 1025);
}

TEST(Message, ItOwnsItsText) {
  sageMessage message;
  char text[] = "12 0.5";
  message.init(1, EVT_CLICK, 2, 6, text);
  text[0] = 'x';
  sageMessage copy = message;
  EXPECT_STREQ(static_cast<char*>(copy.getData()), "12 0.5");
  EXPECT_EQ(copy.getSize(), 6);
  copy.destroy();
  EXPECT_EQ(copy.getData(), nullptr);
  EXPECT_EQ(message.getAppCode(), 2);
}

}  // namespace
}  // namespace vitrail
