// People with passwords at a manager: added, changed and removed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "sail/core/auth/people.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Role;
using testing::HasSubstr;
using testing::Not;

class UsersTest : public ManagerTest {
 protected:
  UsersTest() {
    options.key = {"", "open sesame, please"};
    options.state_folder = folder_.path();
  }
  // As the console makes it.
  static Json person(ScriptedPeer& admin, const std::string& name, const std::string& password) {
    const std::string salt = admin.expect("user_salt", {{"name", name}})["salt"];
    const sail::Verifier made = sail::verifier_of(sail::derive_key(password, salt));
    return {{"name", name}, {"stored_key", made.stored_key}, {"listener_key", made.listener_key}};
  }
  static void add(ScriptedPeer& admin, const std::string& name, const std::string& role,
                  const std::string& password) {
    Json params = person(admin, name, password);
    params["role"] = role;
    admin.expect("user_add", params);
  }
  std::unique_ptr<ScriptedPeer> sign_in(const std::string& name, const std::string& password) {
    auto peer = connect();
    const auto welcome = peer->hello(Role::kUi, name, 0, {"user/" + name, password});
    return welcome ? std::move(peer) : nullptr;
  }

  const sail::TempFolder folder_;
};

TEST_F(UsersTest, ArePeopleWithTheirRole) {
  start();
  const auto admin = ui();
  add(*admin, "ann", "operator", "correct horse");
  add(*admin, "bob", "viewer", "battery staple");
  const auto ann = sign_in("ann", "correct horse");
  const auto bob = sign_in("bob", "battery staple");
  ASSERT_TRUE(ann && bob);
  EXPECT_FALSE(sign_in("bob", "correct horse"));
  ann->expect("overlay");
  EXPECT_EQ(bob->call("overlay").error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(admin->expect("users")["users"],
            Json::parse(R"([{"name":"ann","role":"operator","sessions":1},
                            {"name":"bob","role":"viewer","sessions":1}])"));
  EXPECT_EQ(ann->call("users").error().code, ErrorCode::kUnauthorized);
}

TEST_F(UsersTest, WhoIsRemovedOrHasAnotherPasswordIsOutAtOnce) {
  start();
  const auto admin = ui();
  add(*admin, "ann", "viewer", "correct horse");
  add(*admin, "bob", "viewer", "battery staple");
  const auto ann = sign_in("ann", "correct horse");
  const auto bob = sign_in("bob", "battery staple");
  ASSERT_TRUE(ann && bob);
  admin->expect("user_password", person(*admin, "ann", "another one"));
  EXPECT_TRUE(ann->wait_closed());
  EXPECT_FALSE(sign_in("ann", "correct horse"));
  const auto again = sign_in("ann", "another one");
  ASSERT_TRUE(again);
  admin->expect("user_remove", {{"name", "ann"}});
  EXPECT_TRUE(again->wait_closed());
  EXPECT_FALSE(sign_in("ann", "another one"));
  bob->expect("list");
}

TEST_F(UsersTest, StayWhenTheManagerIsStartedAgain) {
  start();
  add(*ui(), "ann", "viewer", "correct horse");
  struct stat facts {};
  ASSERT_EQ(stat((folder_.path() / "people.json").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  fs_manager.reset();
  start();
  EXPECT_TRUE(sign_in("ann", "correct horse"));
}

TEST_F(UsersTest, ADamagedFileLetsNobodyInAndIsNotWrittenOver) {
  for (const char* damaged : {"", "{"}) {
    std::ofstream(folder_.path() / "people.json") << damaged;
    start();
    for (const char* name : {"ann", "nobody"}) {
      const auto refused =
          connect()->hello(Role::kUi, name, 0, {std::string("user/") + name, "correct horse"});
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
      EXPECT_THAT(refused.error().message, HasSubstr("people.json) is damaged"));
      EXPECT_THAT(refused.error().message, HasSubstr("restore it from a copy"));
      EXPECT_THAT(refused.error().message, Not(HasSubstr(folder_.path().string())));
    }
    const auto admin = ui();
    Json ann = person(*admin, "ann", "correct horse");
    ann["role"] = "viewer";
    const auto added = admin->call("user_add", ann);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::kConflict);
    EXPECT_THAT(added.error().message, HasSubstr("people.json"));
    EXPECT_EQ(admin->call("users").error().code, ErrorCode::kConflict) << "not an empty list";
    const Json health = admin->expect("list")["health"];
    const Json& last = health["problems"].back();
    EXPECT_EQ(last["cause"], "damaged") << "known from the start";
    EXPECT_THAT(last["sentence"].get<std::string>(), HasSubstr("people.json"));
    std::ifstream in(folder_.path() / "people.json");
    EXPECT_EQ((std::string(std::istreambuf_iterator<char>(in), {})), damaged);
    fs_manager.reset();
  }
}

TEST_F(UsersTest, NeedAKeyAndAPlace) {
  options.state_folder.clear();
  start();
  auto admin = ui();
  Json ann = person(*admin, "ann", "correct horse");
  ann["role"] = "viewer";
  EXPECT_EQ(admin->call("user_add", ann).error().code, ErrorCode::kIo);
  fs_manager.reset();
  options.state_folder = folder_.path();
  options.key = {};
  start();
  admin = ui();
  EXPECT_EQ(admin->call("user_add", ann).error().code, ErrorCode::kConflict);
}

// Names are not unique: anyone may use any name.
TEST_F(UsersTest, KeepTheirNameWhateverTheyCallThemselves) {
  options.player_program = FAKE_PROGRAM;
  start();
  const auto admin = ui();
  add(*admin, "paul", "presenter", "correct horse");
  add(*admin, "otto", "viewer", "battery staple");
  auto paul = connect();
  const auto welcome = paul->hello(Role::kUi, "otto", 0, {"user/paul", "correct horse"});
  ASSERT_TRUE(welcome);
  EXPECT_EQ((*welcome)["right"], "presenter");
  EXPECT_EQ((*welcome)["user"], "paul");
  paul->expect("subscribe");
  const Json window = paul->expect("play", {{"media", {"test:"}}})["window"];
  const Json state = admin->expect("list");
  EXPECT_EQ(state["history"]["entries"].back()["who"], "paul (otto)");
  EXPECT_EQ(state["windows"][0]["by"], "paul (otto)");
  EXPECT_EQ(state["clients"][0]["name"], "paul (otto)");
  EXPECT_EQ(state["clients"][0]["user"], "paul");
  EXPECT_EQ(state["clients"][0]["key"], "user/paul");
  auto eve = connect();
  const auto hers = eve->hello(Role::kUi, "otto", 0, key_named(options.key, "presenter/eve"));
  ASSERT_TRUE(hers);
  EXPECT_FALSE(hers->contains("user"));
  eve->expect("subscribe");
  const Json other = admin->expect("list")["clients"][1];
  EXPECT_EQ(other["name"], "otto (presenter/eve)");
  EXPECT_EQ(other["right"], "presenter");
  EXPECT_EQ(other["key"], "presenter/eve");
  end();
}

TEST_F(UsersTest, APresentersOwnWindowsGoByThePerson) {
  options.player_program = FAKE_PROGRAM;
  start();
  const auto admin = ui();
  add(*admin, "ann", "presenter", "correct horse");
  add(*admin, "bob", "presenter", "battery staple");
  const auto ann = sign_in("ann", "correct horse");
  const auto bob = sign_in("bob", "battery staple");
  ASSERT_TRUE(ann && bob);
  const Json window = ann->expect("play", {{"media", {"test:"}}})["window"];
  const Json there{{"window", window}, {"x", 1}, {"y", 2}};
  const auto refused = bob->call("move", there);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("'ann'"));
  ann->expect("move", there);
  end();
}

}  // namespace
}  // namespace manager
