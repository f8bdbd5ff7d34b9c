// Parsing of prompt and script lines, before any command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/text/text.h"
#include "ui/client/value_texts.h"
#include "ui/console/prompt/prompt.h"

namespace ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Classical : testing::Test {
  std::vector<std::string> words(const std::string& line) {
    const Translation translation = translate(sail::split_words(line), context);
    EXPECT_EQ(translation.why_not, "") << line;
    return translation.words;
  }
  std::string why_not(const std::string& line) {
    return translate(sail::split_words(line), context).why_not;
  }
  Context context;
};

TEST_F(Classical, WordsBecomeOurs) {
  EXPECT_THAT(words("kill 3"), ElementsAre("close", "3"));
  EXPECT_THAT(words("exec imageviewer a.png 100 200"),
              ElementsAre("play", "a.png", "--at", "100,200"));
  EXPECT_THAT(words("exec atlantis"), ElementsAre("play", "atlantis"));
  EXPECT_THAT(words("exec atlantis 10 20"), ElementsAre("play", "atlantis", "--at", "10,20"));
  EXPECT_THAT(words("depth 3 7 0.5 8 0 9 0.9"), ElementsAre("raise", "9", "7", "8"));
  EXPECT_THAT(words("perf 3 2"), ElementsAre("stats", "3"));
  EXPECT_THAT(words("status"), ElementsAre("ls"));
  EXPECT_THAT(words("ptr 5 6"), ElementsAre("pointer", "5", "6"));
  EXPECT_THAT(words("load evening"), ElementsAre("session", "restore", "evening"));
  EXPECT_THAT(words("shutdown"), ElementsAre("down"));
}

TEST_F(Classical, WhatIsNotThereSaysWhatIs) {
  for (const char* line : {"bg 0 0 0", "stopperf 3", "zeroperf", "admin", "intval 3 1", "reserved",
                           "exec", "depth 2 1", "classical maybe"}) {
    EXPECT_THAT(why_not(line).size(), testing::Gt(20u)) << line;
  }
}

TEST_F(Classical, OurOwnWordsStayOursUnlessAsked) {
  EXPECT_THAT(words("move 3 10 -20"), ElementsAre("move", "3", "10", "-20"));
  EXPECT_THAT(words("resize 3 640x480"), ElementsAre("resize", "3", "640x480"));
  EXPECT_THAT(words("pause 3"), ElementsAre("pause", "3"));
  words("classical on");
  EXPECT_TRUE(context.classical);
  EXPECT_THAT(words("move 3 10 -20"), ElementsAre("move", "3", "--by", "--", "10", "20"));
  EXPECT_THAT(words("pause 2"), ElementsAre("sleep", "2"));
  EXPECT_THAT(why_not("rate 3 25"), HasSubstr("play --fps"));
  EXPECT_THAT(why_not("rotate 3 90"), HasSubstr("rotation"));
  EXPECT_THAT(why_not("flip 3"), HasSubstr("flip ID"));
  EXPECT_THAT(words("ls"), ElementsAre("ls"));
  words("classical off");
  EXPECT_THAT(words("rotate 3 90"), ElementsAre("rotate", "3", "90"));
  EXPECT_THAT(words("flip 3 --off"), ElementsAre("flip", "3", "--off"));
  EXPECT_THAT(words("pause 3"), ElementsAre("pause", "3"));
}

TEST(ValueTexts, AreReadWholeOrNotAtAll) {
  sail::Json value;
  EXPECT_TRUE(read_rect("1,-2,30x40", value));
  EXPECT_EQ(value, sail::Json({1, -2, 30, 40}));
  EXPECT_TRUE(read_point("5,6", value));
  EXPECT_EQ(value, sail::Json({5, 6}));
  for (const char* wrong : {"", "1,2", "1,2,3", "1,2,3x", "1,2,3x4x", "a,b,cxd"}) {
    EXPECT_FALSE(read_rect(wrong, value)) << wrong;
  }
  for (const char* wrong : {"", "1", "1,", "1,2,"}) EXPECT_FALSE(read_point(wrong, value)) << wrong;
  EXPECT_EQ(age_text(1000, 1030), "just now");
  EXPECT_EQ(age_text(1000, 1000 + 300), "5 min ago");
  EXPECT_EQ(age_text(1000, 1000 + 7200), "2 h ago");
  EXPECT_EQ(age_text(0, 1000), "–");
}

}  // namespace
}  // namespace ui
