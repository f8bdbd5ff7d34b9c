#include "sail/core/auth/wall_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

const WallKey kSameKey{"", "0123456789abcdef"};
const Address kHere{"127.0.0.1", 7440};

class WallKeys : public testing::Test {
 protected:
  static std::string found_for(const Address& peer) {
    const auto key = key_for(peer);
    return key ? key_text(*key) : key.error().message;
  }
  const TempFolder folder_;
  const test::EnvironmentVariable state_{"XDG_STATE_HOME", folder_.file("")};
  const test::EnvironmentVariable key_{"VITRAIL_KEY", ""};
  const test::EnvironmentVariable file_{"VITRAIL_KEY_FILE", ""};
};

TEST(WallKeyText, IsReadAsItIsWritten) {
  for (const char* text : {"0123456789abcdef", "viewer:0123456789abcdef", "open sesame, please",
                           "application/ab_c-1:0123456789abcdef", "receiver:"}) {
    const auto key = read_key(text);
    ASSERT_TRUE(key) << text;
    EXPECT_EQ(key_text(*key), text);
  }
  for (const std::string& text :
       {std::string(), std::string("short"), std::string(":"), std::string("viewer:short"),
        std::string("view er:0123456789abcdef"), std::string(257, 'x'),
        std::string(65, 'x') + ":0123456789abcdef"}) {
    EXPECT_FALSE(read_key(text)) << text;
  }
}

TEST(WallKeyText, NamedKeysAreMadeFromTheWalls) {
  const WallKey viewer = key_named(kSameKey, "viewer");
  EXPECT_EQ(viewer.secret.size(), 64U);
  EXPECT_EQ(key_text(viewer), key_text(key_named(kSameKey, "viewer")));
  EXPECT_NE(viewer.secret, key_named(kSameKey, "operator").secret);
  EXPECT_NE(viewer.secret, key_named({"", "0123456789abcdeF"}, "viewer").secret);
  EXPECT_EQ(key_text(key_named(kSameKey, "")), kSameKey.secret);
  EXPECT_EQ(key_text(key_named(WallKey(), "receiver")), "receiver:");
}

TEST(WallKeyText, TheNameSaysWhatAKeyOpens) {
  EXPECT_EQ(right_of(""), Right::kAdmin);
  EXPECT_EQ(right_of("admin/01ab"), Right::kAdmin);
  EXPECT_EQ(right_of("operator"), Right::kOperator);
  EXPECT_EQ(right_of("application/01ab"), Right::kProgram);
  EXPECT_EQ(right_of("presenter/ann"), Right::kPresenter);
  EXPECT_EQ(right_of("viewer"), Right::kViewer);
  for (const char* none : {"receiver", "metrics", "viewers", "/", "none", "Admin"}) {
    EXPECT_EQ(right_of(none), Right::kNone) << none;
  }
  EXPECT_TRUE(opens_to_receiver("receiver"));
  EXPECT_TRUE(opens_to_receiver(""));
  EXPECT_FALSE(opens_to_receiver("operator"));
  EXPECT_TRUE(opens_to_application("application"));
  EXPECT_TRUE(opens_to_application("operator"));
  EXPECT_TRUE(opens_to_application("presenter/ann"));
  EXPECT_FALSE(opens_to_application("viewer"));
  EXPECT_FALSE(opens_to_application("receiver"));
}

TEST(WallKeyText, AKeyMayEnd) {
  EXPECT_EQ(end_of_key("viewer/ann/until-1796040000"), 1'796'040'000);
  for (const char* none : {"", "viewer", "viewer/until-", "viewer/until-1x", "viewer/until--1",
                           "until-5", "viewer/until-5/ann", "viewer/until-99999999999999999999"}) {
    EXPECT_EQ(end_of_key(none), std::nullopt) << none;
  }
  EXPECT_EQ(right_of("operator/until-1"), Right::kNone);
  EXPECT_FALSE(opens_to_application("application/until-1"));
  EXPECT_EQ(right_of("operator/until-99999999999"), Right::kOperator);
}

TEST(WallKeyText, ALinkLetsViewersInToOneRecordingUntilItsEnd) {
  const std::string link = "watch/window-3/until-99999999999";
  EXPECT_TRUE(opens_to_viewer(link, "window-3"));
  EXPECT_EQ(right_of(link), Right::kNone) << "at a manager";
  EXPECT_FALSE(opens_to_application(link));
  EXPECT_FALSE(opens_to_receiver(link));
  for (const char* none : {"watch/window-3/until-1", "watch/window-3", "watch/until-99999999999",
                           "watch/wall/until-99999999999", "watch/window-3/x/until-99999999999",
                           "watch", "receiver", "metrics", "viewer/until-1"}) {
    EXPECT_FALSE(opens_to_viewer(none, "window-3")) << none;
  }
  for (const char* all : {"viewer", "viewer/ann/until-99999999999", "operator", "application/1"}) {
    EXPECT_TRUE(opens_to_viewer(all, "window-3")) << all;
  }
}

TEST(WallKeyText, ARightHasWhatThoseBelowItHave) {
  EXPECT_TRUE(includes(Right::kOperator, Right::kPresenter));
  EXPECT_TRUE(includes(Right::kOperator, Right::kProgram));
  EXPECT_TRUE(includes(Right::kPresenter, Right::kViewer));
  EXPECT_FALSE(includes(Right::kPresenter, Right::kProgram));
  EXPECT_FALSE(includes(Right::kProgram, Right::kPresenter));
}

TEST_F(WallKeys, AreKeptForOneAddress) {
  ASSERT_TRUE(save_key(kHere, kSameKey));
  EXPECT_EQ(found_for(kHere), kSameKey.secret);
  for (const Address& other : {Address{"127.0.0.1", 7441}, Address{"127.0.0.2", 7440},
                               Address{"::1", 7440}, Address{"192.0.2.1", 7440}}) {
    EXPECT_EQ(found_for(other), "") << address_text(other);
  }
  delete_key(kHere);
  EXPECT_EQ(found_for(kHere), "");
}

TEST_F(WallKeys, TheEnvironmentsGoFirst) {
  ASSERT_TRUE(save_key(kHere, kSameKey));
  ASSERT_TRUE(save_key({"127.0.0.1", 1}, {"viewer", "another of 16 letters"}));
  EXPECT_FALSE(is_key_in_environment());
  const test::EnvironmentVariable file("VITRAIL_KEY_FILE", key_file({"127.0.0.1", 1}).string());
  EXPECT_TRUE(is_key_in_environment());
  EXPECT_EQ(found_for(kHere), "viewer:another of 16 letters");
  const auto of_a_role = key_for_server(kHere);
  ASSERT_FALSE(of_a_role);
  EXPECT_THAT(of_a_role.error().message, testing::HasSubstr("'viewer'"));
  const test::EnvironmentVariable key("VITRAIL_KEY", "the environment's own");
  EXPECT_EQ(found_for({"192.0.2.1", 7440}), "the environment's own");
  EXPECT_TRUE(key_for_server(kHere));
}

TEST_F(WallKeys, NobodyElseReadsThem) {
  ASSERT_TRUE(save_key(kHere, kSameKey));
  const std::pair<const char*, mode_t> expected[] = {
      {"vitrail", 0700}, {"vitrail/keys", 0700}, {"vitrail/keys/127.0.0.1:7440", 0600}};
  for (const auto& [name, mode] : expected) {
    struct stat facts {};
    ASSERT_EQ(stat(folder_.file(name).c_str(), &facts), 0) << name;
    EXPECT_EQ(facts.st_mode & 0777U, mode) << name;
  }
  for (const mode_t mode : {0640, 0604, 0620}) {
    ASSERT_EQ(chmod(key_file(kHere).c_str(), mode), 0);
    const auto refused = key_for(kHere);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(refused.error().message,
                testing::HasSubstr("chmod 600 " + key_file(kHere).string()));
  }
}

// systemd's credentials have mode 0440 and an ACL.
TEST_F(WallKeys, TheGroupMayReadCredentialsOnly) {
  const std::string name = folder_.write("wall.key", kSameKey.secret + "\n");
  const test::EnvironmentVariable file("VITRAIL_KEY_FILE", name);
  ASSERT_EQ(chmod(name.c_str(), 0440), 0);
  EXPECT_FALSE(key_for(kHere)) << "not a credential";
  const test::EnvironmentVariable elsewhere("CREDENTIALS_DIRECTORY",
                                            (folder_.path() / "other").string());
  EXPECT_FALSE(key_for(kHere));
  const test::EnvironmentVariable credentials("CREDENTIALS_DIRECTORY", folder_.path().string());
  EXPECT_EQ(found_for(kHere), kSameKey.secret);
  ASSERT_EQ(chmod(name.c_str(), 0444), 0);
  EXPECT_FALSE(key_for(kHere)) << "everybody can read it";
}

TEST_F(WallKeys, AFileWithoutOneIsSaidSo) {
  const test::EnvironmentVariable missing("VITRAIL_KEY_FILE", folder_.file("missing"));
  EXPECT_THAT(found_for(kHere), testing::HasSubstr("No such file"));
  const std::string name = folder_.write("short", "word\n");
  ASSERT_EQ(chmod(name.c_str(), 0600), 0);
  const test::EnvironmentVariable too_short("VITRAIL_KEY_FILE", name);
  EXPECT_THAT(found_for(kHere), testing::HasSubstr("`vitrail key new`"));
}

TEST_F(WallKeys, OfOneThatListensEverywhereIsFoundHere) {
  ASSERT_TRUE(save_key({"0.0.0.0", 7440}, kSameKey));
  EXPECT_EQ(found_for(kHere), kSameKey.secret);
  ASSERT_TRUE(save_key({"::", 7440}, kSameKey));
  EXPECT_EQ(found_for({"::1", 7440}), kSameKey.secret);
  EXPECT_FALSE(save_key({"192.0.2.1", 7440}, kSameKey));
}

TEST_F(WallKeys, WithoutOneNobodyElseReachesAServer) {
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "head"}) {
    const auto exposed = check_exposure({host, 7440}, {}, false);
    ASSERT_FALSE(exposed) << host;
    EXPECT_EQ(exposed.error().code, ErrorCode::kUnauthorized);
    EXPECT_TRUE(check_exposure({host, 7440}, kSameKey, false));
    EXPECT_TRUE(check_exposure({host, 7440}, {}, true));
  }
  for (const char* host : {"127.0.0.1", "::1", "localhost"}) {
    EXPECT_TRUE(check_exposure({host, 7440}, {}, false)) << host;
  }
}

TEST_F(WallKeys, NewOnesAreNotGuessed) {
  EXPECT_EQ(new_key().secret.size(), 32U);
  EXPECT_NE(new_key().secret, new_key().secret);
}

}  // namespace
}  // namespace sail
