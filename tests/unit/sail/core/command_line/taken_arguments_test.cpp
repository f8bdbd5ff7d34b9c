#include "sail/core/command_line/taken_arguments.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(TakenArguments, PasswordsLeaveTheArgumentsButNotTheCopies) {
  std::string program = "bplay";
  std::string url = "rtsp://ann:a-long-password@camera/door?token=secret";
  std::string short_one = "http://a:b@c/";
  std::string published = "rtmp://youtube/live/abcd-efgh";
  const std::vector<std::string> given{program, url, short_one, published};
  char* arguments[] = {program.data(), url.data(), short_one.data(), published.data(), nullptr};
  EXPECT_EQ(take_arguments(4, arguments), given);
  EXPECT_EQ(program, "bplay");
  EXPECT_EQ(std::string(arguments[1]).find("secret"), std::string::npos) << arguments[1];
  EXPECT_EQ(url.find("password"), std::string::npos) << url;
  EXPECT_TRUE(url.starts_with("rtsp://ann:")) << url;
  EXPECT_EQ(short_one.size(), given[2].size()) << "nothing is written behind the argument";
  EXPECT_EQ(published.find("abcd"), std::string::npos) << published;
  EXPECT_EQ(short_one.find(":b@"), std::string::npos) << short_one;
}

}  // namespace
}  // namespace sail
