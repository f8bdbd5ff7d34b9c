#include "sail/command_line/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ManPageTest : public testing::Test {
 protected:
  ManPageTest() { app.set_version_flag("--version", "program 1.2"); }

  CLI::App app{"Shows things.\nAnd more.", "program"};
  std::string value = "some";
};

TEST_F(ManPageTest, HasTheSectionsOfOne) {
  app.footer(".begins with a point\nC:\\files");
  app.add_option("file", value, "What to show")->required();
  app.add_option("--long-name,-l", value, "How it is called")->capture_default_str();
  EXPECT_THAT(man_page(app),
              AllOf(HasSubstr(".TH \"PROGRAM\" 1 \"\" \"program 1.2\" \"Vitrail\"\n"),
                    HasSubstr(".SH NAME\nprogram \\- Shows things\n"),
                    HasSubstr(".SH SYNOPSIS\n.B program\n[OPTIONS] file\n"),
                    HasSubstr(".SH ARGUMENTS\n.TP\n.B file\\fR TEXT REQUIRED\nWhat to show\n"),
                    HasSubstr("\\-l,\\-\\-long\\-name\\fR TEXT=some\nHow it is called\n"),
                    HasSubstr(".nf\n\\&.begins with a point\nC:\\efiles\n.fi\n"),
                    HasSubstr(".BR vitrail\\-manager (1)")));
}

TEST_F(ManPageTest, CommandsStandInTheirGroupsWithTheirOptions) {
  CLI::App* move = app.add_subcommand("move", "Put it there");
  move->group("Windows");
  move->add_option("x", value, "To the right")->required();
  app.add_subcommand("down", "End it")->group("The wall");
  CLI::App* session = app.add_subcommand("session", "Keep it");
  session->group("Windows");
  session->add_subcommand("save", "Now");
  const std::string page = man_page(app);
  EXPECT_THAT(page,
              AllOf(HasSubstr(".SH COMMANDS\n.SS \"Windows\"\n.TP\n.B move\\fR [OPTIONS] x\n"),
                    HasSubstr("To the right\n"), HasSubstr(".SS \"The wall\"\n"),
                    HasSubstr(".B session save\\fR [OPTIONS]\nNow\n")));
  EXPECT_LT(page.find(".B session"), page.find(".SS \"The wall\""));
}

TEST_F(ManPageTest, WhatIsHiddenStaysSo) {
  app.add_option("--secret", value, "Not told")->group("");
  EXPECT_THAT(man_page(app), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace sail
