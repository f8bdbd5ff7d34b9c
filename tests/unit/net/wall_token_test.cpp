#include "sail/net/wall_token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "sail/net/manager_link.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/net/tcp_support.h"

namespace sail {
namespace {

class WallToken : public testing::Test {
 protected:
  const TempFolder folder_;
  const test::EnvironmentVariable state_{"XDG_STATE_HOME", folder_.file("")};
  const test::EnvironmentVariable none_{"VITRAIL_TOKEN", ""};
};

TEST_F(WallToken, IsSaidToTheOneItWasMadeForOnly) {
  ASSERT_TRUE(keep_token({"127.0.0.1", 7440}, "abc"));
  EXPECT_EQ(token_for({"127.0.0.1", 7440}), "abc");
  for (const Address& other : {Address{"127.0.0.1", 7441}, Address{"127.0.0.2", 7440},
                               Address{"::1", 7440}, Address{"192.0.2.1", 7440}}) {
    EXPECT_EQ(token_for(other), "") << address_text(other);
  }
  forget_token({"127.0.0.1", 7440});
  EXPECT_EQ(token_for({"127.0.0.1", 7440}), "");
}

TEST_F(WallToken, TheEnvironmentsGoesFirst) {
  ASSERT_TRUE(keep_token({"127.0.0.1", 7440}, "abc"));
  const test::EnvironmentVariable given("VITRAIL_TOKEN", "word");
  EXPECT_EQ(token_for({"127.0.0.1", 7440}), "word");
  EXPECT_EQ(token_for({"192.0.2.1", 7440}), "word");
  EXPECT_EQ(kept_token({"127.0.0.1", 7440}), "abc");
}

TEST_F(WallToken, NobodyElseReadsIt) {
  ASSERT_TRUE(keep_token({"127.0.0.1", 7440}, "abc"));
  const std::pair<const char*, mode_t> expected[] = {
      {"vitrail", 0700}, {"vitrail/tokens", 0700}, {"vitrail/tokens/127.0.0.1:7440", 0600}};
  for (const auto& [name, mode] : expected) {
    struct stat facts {};
    ASSERT_EQ(stat(folder_.file(name).c_str(), &facts), 0) << name;
    EXPECT_EQ(facts.st_mode & 0777U, mode) << name;
  }
}

TEST_F(WallToken, OfOneThatListensEverywhereIsFoundHere) {
  ASSERT_TRUE(keep_token({"0.0.0.0", 7440}, "abc"));
  EXPECT_EQ(token_for({"127.0.0.1", 7440}), "abc");
  ASSERT_TRUE(keep_token({"::", 7440}, "def"));
  EXPECT_EQ(token_for({"::1", 7440}), "def");
  EXPECT_FALSE(keep_token({"192.0.2.1", 7440}, "ghi"));
}

TEST_F(WallToken, WithoutOneNobodyElseReachesAServer) {
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "head"}) {
    const auto exposed = check_exposure({host, 7440}, "", false);
    ASSERT_FALSE(exposed) << host;
    EXPECT_EQ(exposed.error().code, ErrorCode::kUnauthorized);
    EXPECT_TRUE(check_exposure({host, 7440}, "abc", false));
    EXPECT_TRUE(check_exposure({host, 7440}, "", true));
  }
  for (const char* host : {"127.0.0.1", "::1", "localhost"}) {
    EXPECT_TRUE(check_exposure({host, 7440}, "", false)) << host;
  }
}

TEST_F(WallToken, NewOnesAreNotGuessed) {
  EXPECT_EQ(new_token().size(), 32U);
  EXPECT_NE(new_token(), new_token());
}

TEST_F(WallToken, TheLinkSaysIt) {
  Loop loop;
  std::string said = "nothing";
  std::vector<std::unique_ptr<RpcPeer>> peers;
  const auto listener = TcpListener::listen(loop, kAnyPort, [&](auto connection) {
                          peers.push_back(std::make_unique<RpcPeer>(
                              loop, std::move(connection),
                              RpcPeer::Handlers{[&](const std::string&, const Json& params,
                                                    const RpcPeer::Reply& reply) {
                                                  said = params["token"].get<std::string>();
                                                  reply(Json::object());
                                                },
                                                {}}));
                        }).value();
  ASSERT_TRUE(keep_token(listener->address(), "abc"));
  const ManagerLink link(
      loop, {"localhost", listener->address().port}, [](const Address&) { return Hello(); }, {},
      Log("test", LogLevel::kOff));
  ASSERT_TRUE(run_until(loop, [&] { return said != "nothing"; }));
  EXPECT_EQ(said, "abc");
}

}  // namespace
}  // namespace sail
