#include "receiver/recorder/revoked_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "tests/support/temp_folder.h"

namespace receiver {
namespace {

class RevokedLinksTest : public testing::Test {
 protected:
  sail::Result<void> read(const std::string& text) {
    std::ofstream(file_, std::ios::trunc) << text;
    return links_.read();
  }

  const sail::TempFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "revoked";
  RevokedLinks links_{file_};
};

TEST_F(RevokedLinksTest, ALineIsALinkOrAKeyOrItsName) {
  ASSERT_TRUE(
      read("# left the project\r\n\r\n"
           "https://[::1]:7491/#key=watch/wall/until-1:secret\r\n"
           "watch/window-3/until-2:secret\n"
           "viewer/ann"));
  for (const char* name : {"watch/wall/until-1", "watch/window-3/until-2", "viewer/ann"}) {
    EXPECT_TRUE(links_.contains(name)) << name;
  }
  EXPECT_FALSE(links_.contains("watch/wall/until-2"));
  EXPECT_FALSE(links_.contains(""));
}

TEST_F(RevokedLinksTest, ALineThatRevokesNothingIsAMistakeAndKeepsTheFormerLinks) {
  ASSERT_TRUE(read("watch/wall/until-1\n"));
  for (const char* line : {"two words", "https://[::1]:7491/", "token: watch/wall/until-2:secret",
                           "https://[::1]:7491/#key=0123456789abcdef0123456789abcdef",
                           "0123456789abcdef0123456789abcdef", "watch/wall", "watch/wall/until-2 ",
                           "receiver", ":secret"}) {
    const auto answer = read(std::string("watch/wall/until-3\n") + line + '\n');
    ASSERT_FALSE(answer) << line;
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kBadData);
    EXPECT_THAT(answer.error().message, testing::HasSubstr("line 2"));
    EXPECT_THAT(answer.error().message, testing::Not(testing::HasSubstr("secret")));
    EXPECT_TRUE(links_.contains("watch/wall/until-1"));
    EXPECT_FALSE(links_.contains("watch/wall/until-3"));
  }
}

TEST_F(RevokedLinksTest, WhatCannotBeReadAgainIsAMistake) {
  EXPECT_EQ(links_.read().error().code, sail::ErrorCode::kNotFound);
  EXPECT_EQ(read(std::string(RevokedLinks::kMostBytes + 1, '\n')).error().code,
            sail::ErrorCode::kLimit);
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(links_.read().error().code, sail::ErrorCode::kInvalidParams) << "opening it blocks";
}

TEST(RevokedLinks, WithoutAFileNothingIsRevoked) {
  RevokedLinks links;
  ASSERT_TRUE(links.read());
  EXPECT_FALSE(links.contains("watch/wall/until-1"));
}

}  // namespace
}  // namespace receiver
