#include "manager/programs/child_programs.h"

#include <gtest/gtest.h>

namespace manager {
namespace {

TEST(LastErrorTest, AreTheLastErrorOfTheLog) {
  EXPECT_EQ(last_error("12:00:00.123 warning bplay: slow\n"
                       "12:00:00.124 error   bplay: cannot open it: damaged: all\n"
                       "12:00:00.125 info    bplay: bye\n"
                       "[mov @ 0x55] something\n",
                       {}),
            "cannot open it: damaged: all");
  EXPECT_EQ(last_error("one\ntwo\n\n", {}), "two");
  EXPECT_EQ(last_error("cut", {}), "cut");
  EXPECT_EQ(last_error("----\nmpirun has lost the node\n----\n", {}), "mpirun has lost the node");
  EXPECT_EQ(last_error("失败\n----\n", {}), "失败");
  EXPECT_EQ(last_error("", {}), "");
  EXPECT_EQ(last_error("12:00:00.124 error   ", {}), "12:00:00.124 error   ");
}

TEST(LastErrorTest, AreFoundInJsonToo) {
  EXPECT_EQ(
      last_error(R"({"time":"2026-01-01T12:00:00.124+0000","level":"error","program":"bplay",)"
                 R"("message":"cannot open \"it\""})"
                 "\n"
                 R"({"time":"2026-01-01T12:00:00.125+0000","level":"info","program":"bplay",)"
                 R"("message":"bye"})"
                 "\n",
                 {}),
      "cannot open \"it\"");
  EXPECT_EQ(last_error(R"({"time":)", {}), R"({"time":)");
}

TEST(LastErrorTest, AreTheMistakeInACommandLine) {
  EXPECT_EQ(last_error("bplay: test: not a size: 99999x9\nTry bplay --help.\n", {}),
            "test: not a size: 99999x9");
  EXPECT_EQ(last_error("vitrail: no such option\nTry vitrail play --help.\n", {}),
            "no such option");
  EXPECT_EQ(last_error("something\nTry bplay --help.\n", {}), "something");
}

TEST(LastErrorTest, TellNeitherWhereFilesLieNorWhoMayOpenAnAddress) {
  EXPECT_EQ(last_error("/films/secret/a.mp4 is no film; \"/films/secret/a.mp4\" neither",
                       {"/films/secret/a.mp4"}),
            "a.mp4 is no film; \"a.mp4\" neither");
  EXPECT_EQ(last_error("cannot open rtsp://me:pass@word@camera/a@b: refused",
                       {"rtsp://me:pass@word@camera/a@b"}),
            "cannot open rtsp://me:…@camera/a@b: refused");
  EXPECT_EQ(last_error("cannot open http://host/a@b", {"http://host/a@b"}),
            "cannot open http://host/a@b");
}

TEST(LastErrorTest, ArePlainAndShort) {
  EXPECT_EQ(last_error("\x1b[31mred\xff", {}), "?[31mred?");
  EXPECT_EQ(last_error(std::string(10000, 'x'), {}).size(), 400u);
}

}  // namespace
}  // namespace manager
