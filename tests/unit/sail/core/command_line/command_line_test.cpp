#include "sail/core/command_line/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A program with the commands move, fit, and session, which has the subcommand save.
class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    line.option("--count", count, "How many");
    const Command move = line.command("move", "Put it there");
    move.option("x", x, "To the right").required();
    move.option("--rate", rate, "How fast");
    move.option("--for", seconds, "How long").form("SECONDS");
    const Command fit = line.command("fit", "Make it large").runs([] { return 7; });
    fit.option("window", x, "Which").required();
    fit.option("tile", tile, "Where").one_of({"left", "right"});
    fit.flag("--fill", fill, "All of it");
    fit.check([this] { return fill && !tile.empty() ? "a tile cannot be filled" : ""; });
    line.command("session", "Keep it").needs_command().command("save", "Now");
    line.command("other", "A program of its own").hands_over([this](const auto& words) {
      handed_over = words;
      return 8;
    });
  }
  // Returns the message for the user; empty if the line is valid.
  std::string parse(const std::vector<std::string>& words) {
    const auto answer = line.read(words);
    code = answer ? answer->exit_code : 0;
    return answer ? answer->text : "";
  }

  CommandLine line{"program", "Does things."};
  int count = 0;
  int x = 0;
  double rate = 1;
  double seconds = 0;
  std::string tile;
  bool fill = false;
  std::vector<std::string> handed_over;
  int code = 0;
};

TEST_F(CommandLineTest, ACommandThatIsNoneNamesTheNearest) {
  EXPECT_EQ(parse({"mvoe", "3"}),
            "program: unknown command 'mvoe': did you mean 'move'?\nTry program --help.\n");
  EXPECT_NE(code, 0);
  EXPECT_THAT(parse({"zzzzzz"}),
              AllOf(HasSubstr("unknown command 'zzzzzz'"), Not(HasSubstr("mean"))));
  EXPECT_EQ(parse({"session", "svae"}),
            "program: unknown command 'svae': did you mean 'save'?\nTry program session "
            "--help.\n");
}

TEST_F(CommandLineTest, EachOptionBeginsALineOfTheHelp) {
  const std::string help = "as long a text as it takes to fill a line of a terminal, and one more";
  for (size_t letters = 15; letters < 25; ++letters) {
    line.option("--" + std::string(letters, 'a'), tile, help).form("TEXT");
  }
  const std::string text = parse({"--help"});
  for (size_t letters = 15; letters < 25; ++letters) {
    EXPECT_THAT(text, HasSubstr("\n  --" + std::string(letters, 'a') + " TEXT")) << text;
  }
}

// CLI11's own formatters differ between versions.
TEST_F(CommandLineTest, TheHelpIsTheSameWithEveryVersionOfTheParser) {
  line.option("--codec", tile, "Codec of the result").form("CODEC").shows_default("dxt1");
  EXPECT_EQ(parse({"--help"}),
            "Does things.\n"
            "\n"
            "Usage: program [OPTIONS] [SUBCOMMAND]\n"
            "\n"
            "Options:\n"
            "  -h,--help                   Print this help message and exit\n"
            "  --version                   Display program version information and exit\n"
            "  --count INT                 How many\n"
            "  --codec CODEC=dxt1          Codec of the result\n"
            "\n"
            "Subcommands:\n"
            "  move                        Put it there\n"
            "  fit                         Make it large\n"
            "  session                     Keep it\n"
            "  other                       A program of its own\n"
            "\n");
  EXPECT_THAT(parse({"fit", "--help"}), HasSubstr("\nUsage: program fit [OPTIONS] window [tile]\n"
                                                  "\n"
                                                  "Positionals:\n"
                                                  "  window INT REQUIRED         Which\n"
                                                  "  tile TEXT:{left,right}      Where\n"
                                                  "\n"
                                                  "Options:\n"));
}

TEST_F(CommandLineTest, WhatIsMissingIsNamedWithTheFormThatWorks) {
  EXPECT_THAT(parse({"fit"}), HasSubstr("window is required: `program fit window [tile]`"));
  EXPECT_THAT(parse({"session"}), HasSubstr("a command is required: save"));
}

TEST_F(CommandLineTest, AnOptionThatIsNoneNamesTheNearest) {
  EXPECT_THAT(parse({"fit", "3", "--flil"}), HasSubstr("'--flil': did you mean '--fill'?"));
  EXPECT_THAT(parse({"fit", "3", "--cuont=3"}), HasSubstr("did you mean '--count'?"));
  EXPECT_THAT(parse({"fit", "3", "--nonsense"}), Not(HasSubstr("mean")));
  EXPECT_THAT(parse({"--man-pag"}), Not(HasSubstr("man-page"))) << "hidden";
}

TEST_F(CommandLineTest, AnArgumentGivenAsAnOptionNamesTheFormThatWorks) {
  EXPECT_THAT(parse({"fit", "3", "--tile", "left"}),
              HasSubstr("write the argument without dashes, `program fit window [tile]`"));
  EXPECT_THAT(parse({"move", "3", "4"}), HasSubstr("unexpected argument '4'"));
}

TEST_F(CommandLineTest, NumbersThatAreNoneAreRefusedInWords) {
  const std::string digits(309, '9');
  EXPECT_THAT(parse({"move", digits}),
              HasSubstr("x: '999999999999999999999999…' is not a whole number, or too large"));
  EXPECT_THAT(parse({"move", "1.5"}), HasSubstr("x: '1.5' is not a whole number"));
  EXPECT_THAT(parse({"move", "three"}), HasSubstr("x: 'three' is not a whole number"));
  EXPECT_THAT(parse({"move", "9999999999"}), HasSubstr("too large"));
  for (const std::string& number :
       {digits, std::string("inf"), std::string("nan"), std::string("1e999"), std::string("1,5")}) {
    EXPECT_THAT(parse({"move", "1", "--rate", number}), HasSubstr("is not a number, or too large"));
    EXPECT_THAT(parse({"move", "1", "--for", number}), HasSubstr("is not a number, or too large"));
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
  EXPECT_THAT(parse({"--help"}), Not(HasSubstr("man-page")));
}

TEST_F(CommandLineTest, WorkIsThatOfTheCommandThatWasNamed) {
  EXPECT_EQ(parse({}), "");
  EXPECT_FALSE(line.work());
  EXPECT_EQ(parse({"fit", "3"}), "");
  EXPECT_EQ(line.work()(), 7);
}

TEST_F(CommandLineTest, WhatIsHandedOverIsNotLookedAt) {
  EXPECT_EQ(parse({"other", "--count", "many", "--help"}), "");
  EXPECT_EQ(line.work()(), 8);
  EXPECT_THAT(handed_over, testing::ElementsAre("--count", "many", "--help"));
}

TEST_F(CommandLineTest, WhatIsWrongTogetherIsAMistakeOfTheLine) {
  EXPECT_EQ(parse({"fit", "3", "left", "--fill"}),
            "program: a tile cannot be filled\nTry program fit --help.\n");
  EXPECT_EQ(code, 2);
}

TEST_F(CommandLineTest, TheOutlineHasWhatMayBeTyped) {
  const CommandOutline outline = line.outline();
  const CommandOutline& fit = outline.commands[1];
  EXPECT_EQ(fit.name, "fit");
  EXPECT_TRUE(fit.arguments[0].required);
  EXPECT_THAT(fit.arguments[1].words, testing::ElementsAre("left", "right"));
  EXPECT_EQ(fit.options.back().long_names, std::vector<std::string>{"fill"});
  EXPECT_FALSE(fit.options.back().takes_value);
  EXPECT_TRUE(outline.options.back().takes_value);
}

}  // namespace
}  // namespace sail
