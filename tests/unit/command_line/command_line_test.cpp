#include "sail/command_line/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace sail {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A program with the commands move and fit, and session, which has save.
class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    app.require_subcommand(0, 1);
    app.fallthrough();
    app.add_option("--count", count, "How many");
    CLI::App* move = app.add_subcommand("move", "Put it there");
    move->add_option("x", x, "To the right")->required();
    move->add_option("--rate", rate, "How fast");
    move->add_option("--for", seconds, "How long")->type_name("SECONDS");
    CLI::App* fit = app.add_subcommand("fit", "Make it large");
    fit->add_option("window", x, "Which")->required();
    fit->add_option("tile", tile, "Where");
    fit->add_flag("--fill", fill, "All of it");
    CLI::App* session = app.add_subcommand("session", "Keep it");
    session->require_subcommand(1);
    session->add_subcommand("save", "Now");
    finish_command_line(app);
  }
  // What is said to a person; empty: nothing, all is right.
  std::string parse(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // CLI11 takes them last first
    std::ostringstream text;
    try {
      app.parse(words);
    } catch (const CLI::ParseError& error) {
      code = app.exit(error, text, text);
    }
    return text.str();
  }

  CLI::App app{"Does things.", "program"};
  int count = 0;
  int x = 0;
  double rate = 1;
  double seconds = 0;
  std::string tile;
  bool fill = false;
  int code = 0;
};

TEST_F(CommandLineTest, ACommandThatIsNoneNamesTheNearest) {
  EXPECT_EQ(parse({"mvoe", "3"}),
            "program: there is no command 'mvoe': did you mean 'move'?\nTry program --help.\n");
  EXPECT_NE(code, 0);
  EXPECT_THAT(parse({"zzzzzz"}),
              AllOf(HasSubstr("there is no command 'zzzzzz'"), Not(HasSubstr("mean"))));
  EXPECT_EQ(parse({"session", "svae"}),
            "program: there is no command 'svae': did you mean 'save'?\nTry program session "
            "--help.\n");
}

TEST_F(CommandLineTest, AnOptionThatIsNoneNamesTheNearest) {
  EXPECT_THAT(parse({"fit", "3", "--flil"}), HasSubstr("'--flil' here: did you mean '--fill'?"));
  EXPECT_THAT(parse({"fit", "3", "--cuont=3"}), HasSubstr("did you mean '--count'?"));
  EXPECT_THAT(parse({"fit", "3", "--nonsense"}), Not(HasSubstr("mean")));
  EXPECT_THAT(parse({"--man-pag"}), Not(HasSubstr("man-page"))) << "hidden";
}

TEST_F(CommandLineTest, AnArgumentGivenAsAnOptionNamesTheFormThatWorks) {
  EXPECT_THAT(parse({"fit", "3", "--tile", "left"}),
              HasSubstr("it goes without dashes, `program fit window [tile]`"));
  EXPECT_THAT(parse({"move", "3", "4"}), HasSubstr("'4' is one word too many"));
}

TEST_F(CommandLineTest, NumbersThatAreNoneAreRefusedInWords) {
  const std::string digits(309, '9');
  EXPECT_THAT(parse({"move", digits}),
              HasSubstr("x: '999999999999999999999999…' is no whole number, or too large"));
  EXPECT_THAT(parse({"move", "1.5"}), HasSubstr("x: '1.5' is no whole number"));
  EXPECT_THAT(parse({"move", "three"}), HasSubstr("x: 'three' is no whole number"));
  EXPECT_THAT(parse({"move", "9999999999"}), HasSubstr("too large"));
  for (const std::string& number :
       {digits, std::string("inf"), std::string("nan"), std::string("1e999"), std::string("1,5")}) {
    EXPECT_THAT(parse({"move", "1", "--rate", number}), HasSubstr("is no number, or too large"));
    EXPECT_THAT(parse({"move", "1", "--for", number}), HasSubstr("is no number, or too large"));
  }
}

TEST_F(CommandLineTest, NumbersAreWhatTheyLookLike) {
  EXPECT_EQ(parse({"move", "010", "--rate", "1e3", "--for", "0.5", "--count", "+7"}), "");
  EXPECT_EQ(x, 10);
  EXPECT_EQ(rate, 1000);
  EXPECT_EQ(seconds, 0.5);
  EXPECT_EQ(count, 7);
  EXPECT_EQ(parse({"move", "-12"}), "");
  EXPECT_EQ(x, -12);
}

TEST_F(CommandLineTest, TheManualPageIsWrittenOnRequest) {
  EXPECT_THAT(parse({"--man-page"}), StartsWith(".TH"));
  EXPECT_EQ(code, 0);
  EXPECT_THAT(app.help(), Not(HasSubstr("man-page")));
}

}  // namespace
}  // namespace sail
