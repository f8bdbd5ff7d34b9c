#include "sail/core/command_line/folded_text.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

std::string repeated(const std::string& word, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}

TEST(FoldedText, WhatFitsStaysAsItIs) {
  const std::string text = "Usage: x\n\n  --a   does\n  it\n";
  EXPECT_EQ(folded(text), text);
  EXPECT_EQ(folded(""), "");
  EXPECT_EQ(folded(std::string(80, 'x')), std::string(80, 'x'));
}

TEST(FoldedText, ADescriptionGoesOnInItsColumn) {
  EXPECT_EQ(folded("  --all                       " + repeated("word", 20) + "\n  --one   it"),
            "  --all                       " + repeated("word", 10) + "\n" + std::string(30, ' ') +
                repeated("word", 10) + "\n  --one   it");
}

TEST(FoldedText, AColumnThatLeavesNoRoomIsNone) {
  EXPECT_EQ(folded("exit code 0: it was told to end there now  " + repeated("word", 10)),
            "exit code 0: it was told to end there now  " + repeated("word", 7) + "\n" +
                repeated("word", 3));
}

TEST(FoldedText, AParagraphFlowsOn) {
  EXPECT_EQ(folded("    " + repeated("abc", 20) + "\n    last word\n\n    next"),
            "    " + repeated("abc", 19) + "\n    abc last word\n\n    next");
  EXPECT_EQ(folded("  " + repeated("abc", 20) + "\n    inner\n"),
            "  " + repeated("abc", 19) + "\n  abc\n    inner\n");
  EXPECT_EQ(folded("  " + repeated("abc", 20) + "\n  a   table\n"),
            "  " + repeated("abc", 19) + "\n  abc\n  a   table\n");
}

TEST(FoldedText, CharactersCountNotBytes) {
  EXPECT_EQ(folded(repeated("äöü", 20)), repeated("äöü", 20));
  EXPECT_EQ(folded(repeated("äöü", 21)), repeated("äöü", 20) + "\näöü");
}

TEST(FoldedText, AWordThatIsTooLongStandsAlone) {
  const std::string word(100, 'x');
  EXPECT_EQ(folded(word), word);
  EXPECT_EQ(folded("a " + word + " b"), "a\n" + word + "\nb");
  EXPECT_EQ(folded("  " + word + " b"), "  " + word + "\n  b");
}

}  // namespace
}  // namespace sail
