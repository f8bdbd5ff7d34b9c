#include "sail/core/command_line/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/command_line/command_line.h"

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
}  // namespace sail
