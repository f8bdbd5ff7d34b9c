// Log output on standard error: plain text, JSON, and for the journal.
#include "sail/core/base/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

// Redirects standard error to a file.
class LogTest : public testing::Test {
 protected:
  LogTest() : was_(dup(STDERR_FILENO)) {
    const int file = open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    dup2(file, STDERR_FILENO);
    close(file);
  }
  ~LogTest() override { restore(); }
  LogTest(const LogTest&) = delete;
  LogTest& operator=(const LogTest&) = delete;

  void restore() {
    if (was_ < 0) return;
    dup2(was_, STDERR_FILENO);
    close(was_);
    was_ = -1;
  }
  std::string said() {
    restore();
    std::ifstream file(name_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Device and inode of that file, in systemd's format.
  static std::string stream() {
    struct stat file {};
    fstat(STDERR_FILENO, &file);
    return fmt::format("{}:{}", file.st_dev, file.st_ino);
  }

 private:
  const TempFolder folder_;
  const std::string name_ = folder_.file("log");
  int was_;
};

TEST_F(LogTest, LinesForPeople) {
  Log("film", LogLevel::kInfo).warning("slow: {}", 7);
  EXPECT_THAT(said(), MatchesRegex("[0-9:.]+ warning film: slow: 7\n"));
}

TEST_F(LogTest, ObjectsForPrograms) {
  const test::EnvironmentVariable json("VITRAIL_LOG_FORMAT", "json");
  Log("fi\"lm", LogLevel::kInfo).error("a \"word\"\n\\ \x1b {}", "ü");
  const std::string line = said();
  EXPECT_THAT(line, testing::StartsWith(R"({"time":"2)"));
  EXPECT_THAT(line, testing::EndsWith(R"(","level":"error","program":"fi\"lm","message":)"
                                      R"("a \"word\"\u000a\\ \u001b ü"})"
                                      "\n"));
}

TEST_F(LogTest, TheJournalIsToldPriorities) {
  const test::EnvironmentVariable journal("JOURNAL_STREAM", stream());
  const Log log("film", LogLevel::kDebug);
  log.error("bad");
  log.warning("slow");
  log.info("well");
  log.debug("so");
  EXPECT_EQ(said(), "<3>film: bad\n<4>film: slow\n<6>film: well\n<7>film: so\n");
}

TEST_F(LogTest, AnotherStreamIsNotTheJournal) {
  const test::EnvironmentVariable journal("JOURNAL_STREAM", "1:1");
  Log("film", LogLevel::kInfo).info("well");
  EXPECT_THAT(said(), MatchesRegex("[0-9:.]+ info    film: well\n"));
}

TEST_F(LogTest, WhatIsRepeatedIsCounted) {
  const Log log("film", LogLevel::kInfo);
  for (int i = 0; i < 1000; ++i) log.warning("again");
  log.warning("another");
  const std::string lines = said();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
  EXPECT_THAT(lines, HasSubstr("999 duplicate messages"));
}

}  // namespace
}  // namespace sail
