// Every verb by every right, and by roles that are no user's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "manager/peers.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Right;
using sail::Role;
using testing::HasSubstr;

class RightsTest : public ManagerTest {
 protected:
  RightsTest() {
    options.key = {"", "open sesame, please"};
    options.player_program = FAKE_PROGRAM;
    options.media = {folder_.path().string()};
  }
  std::unique_ptr<ScriptedPeer> with(const std::string& key_name, Role role = Role::kUi) {
    auto peer = connect();
    const auto welcome =
        peer->hello(role, role == Role::kReceiver ? "left" : "somebody",
                    role == Role::kReceiver ? 5001 : 0, key_named(options.key, key_name));
    EXPECT_TRUE(welcome) << key_name;
    return peer;
  }
  // All but the one that ends the manager.
  std::vector<const sail::RpcVerb*> verbs() const {
    std::vector<const sail::RpcVerb*> all;
    for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
      if (std::string_view(verb.name) != "shutdown") all.push_back(&verb);
    }
    return all;
  }
  static ErrorCode refusal(ScriptedPeer& peer, const char* verb) {
    const auto answer = peer.call(verb, {{"no such field", 1}});
    return answer ? ErrorCode::kInternal : answer.error().code;
  }

  const sail::TempFolder folder_;
};

TEST_F(RightsTest, EachVerbIsForItsRightAndThoseAbove) {
  start();
  const std::map<std::string, Right> users = {{"viewer", Right::kViewer},
                                              {"application/1", Right::kProgram},
                                              {"operator", Right::kOperator},
                                              {"", Right::kAdmin},
                                              {"admin/1", Right::kAdmin}};
  for (const auto& [key_name, right] : users) {
    const auto peer = with(key_name);
    for (const sail::RpcVerb* verb : verbs()) {
      const ErrorCode code = refusal(*peer, verb->name);
      if (!verb->ui) {
        EXPECT_EQ(code, ErrorCode::kInvalidRequest) << verb->name << " by " << key_name;
      } else {
        EXPECT_EQ(code == ErrorCode::kUnauthorized, right < *verb->ui)
            << verb->name << " by " << key_name;
        EXPECT_NE(code, ErrorCode::kInvalidRequest) << verb->name << " by " << key_name;
      }
    }
  }
  EXPECT_EQ(refusal(*with("operator"), "shutdown"), ErrorCode::kUnauthorized);
}

TEST_F(RightsTest, ProgramsAndReceiversHaveTheVerbsOfTheirRole) {
  start();
  const auto program = with("application/1", Role::kApplication);
  const auto left = with("receiver", Role::kReceiver);
  for (const sail::RpcVerb* verb : verbs()) {
    EXPECT_EQ(refusal(*program, verb->name) == ErrorCode::kInvalidRequest, !verb->application)
        << verb->name;
    EXPECT_EQ(refusal(*left, verb->name) == ErrorCode::kInvalidRequest, !verb->receiver)
        << verb->name;
  }
}

TEST_F(RightsTest, AKeyLetsInAsWhatItIsForOnly) {
  start();
  const std::map<std::string, std::vector<Role>> lets_in = {
      {"viewer", {Role::kUi}},
      {"operator", {Role::kUi, Role::kApplication}},
      {"application", {Role::kUi, Role::kApplication}},
      {"receiver", {Role::kReceiver}},
      {"metrics", {}},
      {"king", {}}};
  for (const auto& [key_name, roles] : lets_in) {
    for (const Role role : {Role::kUi, Role::kApplication, Role::kReceiver}) {
      const auto answer = connect()->hello(role, "left", role == Role::kReceiver ? 5001 : 0,
                                           key_named(options.key, key_name));
      EXPECT_EQ(answer.has_value(), std::ranges::count(roles, role) == 1)
          << key_name << " as " << role_name(role);
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
      }
      wait([&] { return !fs_manager->peers().receivers().find("left")->connected(); });
    }
  }
}

TEST_F(RightsTest, OperatorsPlaySourcesOnly) {
  const std::string film = folder_.write("film.mp4", "film");
  const sail::TempFolder elsewhere;
  const std::string other = elsewhere.write("film.mp4", "film");
  start();
  const auto person = with("operator");
  person->expect("play", {{"media", Json::array({film})}});
  person->expect("play", {{"media", Json::array({"test:"})}});
  for (const Json& media :
       {Json::array({other}), Json::array({film, other}), Json::array({folder_.file("../x.mp4")}),
        Json::array({"http://127.0.0.1:1/a.mp4"}), Json::array({"server://127.0.0.1:1/x"})}) {
    const auto answer = person->call("play", {{"media", media}});
    ASSERT_FALSE(answer) << media;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized) << media;
    EXPECT_THAT(answer.error().message, HasSubstr("'admin'"));
  }
  with("")->expect("play", {{"media", Json::array({other})}});
  fs_manager->shut_down();
  wait([&] { return ended; });
}

// Its lines are "| `right` | `verb` `verb` … |".
TEST_F(RightsTest, TheTableOfTheDocumentIsWhatTheManagerGoesBy) {
  start();
  std::map<std::string, std::string> documented;  // a verb's right
  std::ifstream in(COMMANDS_FILE);
  for (std::string line; std::getline(in, line);) {
    for (const Right right : {Right::kViewer, Right::kOperator, Right::kAdmin}) {
      const std::string begin = fmt::format("| `{}` | ", right_name(right));
      if (!line.starts_with(begin)) continue;
      std::stringstream words(line.substr(begin.size()));
      for (std::string word; words >> word;) {
        if (word.size() > 2) documented[word.substr(1, word.size() - 2)] = right_name(right);
      }
    }
  }
  std::map<std::string, std::string> actual;
  for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
    if (verb.ui) actual[verb.name] = right_name(*verb.ui);
  }
  EXPECT_EQ(documented, actual);
}

}  // namespace
}  // namespace manager
