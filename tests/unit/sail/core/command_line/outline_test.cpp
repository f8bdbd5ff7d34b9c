#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/command_line/command_line.h"
#include "sail/core/command_line/outline.h"

namespace sail {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class ManPageTest : public testing::Test {
 protected:
  std::string page() const { return man_page(line.outline(), "1.2"); }

  CommandLine line{"program", "Shows things.\nAnd more."};
  std::string value = "some";
};

TEST_F(ManPageTest, HasTheSectionsOfOne) {
  line.notes(".begins with a point\nC:\\files");
  line.option("file", value, "What to show").required();
  line.option("--long-name,-l", value, "How it is called").shows_default();
  const std::string long_name = "\\-l,\\-\\-long\\-name\\fR TEXT";
  EXPECT_THAT(page(),
              AllOf(HasSubstr(".TH \"PROGRAM\" 1 \"\" \"program 1.2\" \"Vitrail\"\n"),
                    HasSubstr(".SH NAME\nprogram \\- Shows things\n"),
                    HasSubstr(".SH SYNOPSIS\n.B program\n[OPTIONS] file\n"),
                    HasSubstr(".SH ARGUMENTS\n.TP\n.B file\\fR TEXT REQUIRED\nWhat to show\n"),
                    // CLI11 versions write a default in two ways.
                    AnyOf(HasSubstr(long_name + "=some\nHow it is called\n"),
                          HasSubstr(long_name + " [some]\nHow it is called\n")),
                    HasSubstr(".nf\n\\&.begins with a point\nC:\\efiles\n.fi\n"),
                    HasSubstr(".BR vitrail\\-manager (1)")));
}

TEST_F(ManPageTest, CommandsStandInTheirGroupsWithTheirOptions) {
  const Command move = line.command("move", "Put it there").group("Windows");
  move.option("x", value, "To the right").required();
  line.command("down", "End it").group("The wall");
  line.command("session", "Keep it").group("Windows").command("save", "Now");
  line.command("hidden", "Not told").group("");
  const std::string text = page();
  EXPECT_THAT(text, Not(HasSubstr("Not told")));
  EXPECT_THAT(text,
              AllOf(HasSubstr(".SH COMMANDS\n.SS \"Windows\"\n.TP\n.B move\\fR [OPTIONS] x\n"),
                    HasSubstr("To the right\n"), HasSubstr(".SS \"The wall\"\n"),
                    HasSubstr(".B session save\\fR [OPTIONS]\nNow\n")));
  EXPECT_LT(text.find(".B session"), text.find(".SS \"The wall\""));
}

}  // namespace
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
