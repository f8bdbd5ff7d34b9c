#include "ui/console/input_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> types(const std::vector<sail::Json>& steps) {
  std::vector<std::string> all;
  for (const auto& step : steps) all.push_back(step["type"]);
  return all;
}

TEST(InputSteps, AClickEntersPressesReleasesAndLeaves) {
  const auto steps = click_steps(3, {10, 20}, 2, 2);
  EXPECT_THAT(types(steps), ElementsAre("enter", "move", "down", "up", "down", "up", "leave"));
  EXPECT_EQ(
      steps[2],
      (sail::Json{
          {"window", 3}, {"type", "down"}, {"at", {10.0, 20.0}}, {"button", 2}, {"buttons", 2}}));
  EXPECT_EQ(steps[3]["buttons"], 0);
  EXPECT_EQ(click_steps(3, {0, 0}, 1, 1)[2]["buttons"], 4) << "browsers' bit of the middle one";
}

TEST(InputSteps, ADragGoesAllTheWay) {
  const auto steps = drag_steps(3, {0, 0}, {100, 50}, 0);
  EXPECT_EQ(steps[1]["type"], "down");
  EXPECT_EQ(steps[2]["at"], sail::Json({10.0, 5.0}));
  EXPECT_EQ(steps[2]["buttons"], 1);
  EXPECT_EQ(steps[steps.size() - 2]["type"], "up");
  EXPECT_EQ(steps[steps.size() - 2]["at"], sail::Json({100.0, 50.0}));
}

TEST(InputSteps, KeysHoldTheirModifiers) {
  const auto plain = key_steps(3, "Escape");
  ASSERT_TRUE(plain);
  EXPECT_THAT(types(*plain), ElementsAre("key_down", "key_up"));
  EXPECT_EQ(plain->front()["key"], "Escape");
  const auto chord = key_steps(3, "ctrl+Shift+ArrowLeft");
  ASSERT_TRUE(chord) << chord.error().message;
  ASSERT_THAT(*chord, SizeIs(6));
  EXPECT_EQ((*chord)[0]["key"], "Control");
  EXPECT_EQ((*chord)[2]["key"], "ArrowLeft");
  EXPECT_EQ((*chord)[2]["modifiers"], 3);
  EXPECT_EQ((*chord)[5]["key"], "Control");
  EXPECT_EQ((*chord)[5]["modifiers"], 0);
  EXPECT_EQ(key_steps(3, "+")->front()["key"], "+");
  EXPECT_EQ((*key_steps(3, "Control++"))[1]["key"], "+");
  EXPECT_THAT(key_steps(3, "Hyper+a").error().message, HasSubstr("Hyper"));
  EXPECT_EQ((*key_steps(3, "Control+Shift+z"))[2]["key"], "Z") << "as browsers do";
  EXPECT_EQ((*key_steps(3, "AltGraph+q"))[0]["key"], "AltGraph");
  for (const char* unknown : {"Bogus", "Super_L", "Numpad1", "Control+Bogus"}) {
    EXPECT_THAT(key_steps(3, unknown).error().message, HasSubstr("NumLock")) << unknown;
  }
  EXPECT_TRUE(key_steps(3, "NumLock"));
  EXPECT_FALSE(key_steps(3, ""));
  EXPECT_FALSE(key_steps(3, "\n"));
}

TEST(InputSteps, TextIsTypedCharacterByCharacter) {
  const auto steps = text_steps(3, "aé");
  ASSERT_TRUE(steps);
  ASSERT_THAT(*steps, SizeIs(4));
  EXPECT_EQ((*steps)[2]["key"], "é");
  EXPECT_FALSE(text_steps(3, "\xFF"));
  EXPECT_FALSE(text_steps(3, "")) << "no steps";
}

}  // namespace
}  // namespace ui
