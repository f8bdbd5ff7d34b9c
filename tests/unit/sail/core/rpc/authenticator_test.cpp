#include "sail/core/rpc/authenticator.h"

#include <gtest/gtest.h>

#include <string>

#include "sail/core/auth/password.h"

namespace sail {
namespace {

const WallKey kWallKey{"", "0123456789abcdef0123456789abcdef"};
const std::string kNonce(32, '7');
const std::string kDerived(64, 'a');  // from ann's password
constexpr const char* kHost = "10.0.0.7";

class AuthenticatorTest : public testing::Test {
 protected:
  AuthenticatorTest() {
    EXPECT_TRUE(people_.add("ann", {Right::kPresenter, verifier_of(kDerived)}));
  }

  // A peer that proves the key of this name. proved: the role in the proof, if it differs from the
  // role in hello.
  bool joins(PeerProofs& peer, const std::string& name, Role role, const char* proved = nullptr) {
    const auto answer = door_.challenge(peer, {.key = name, .nonce = kNonce}, "");
    EXPECT_TRUE(answer);
    const ControlProof words{key_named(kWallKey, name), kNonce, answer->nonce};
    Hello hello{.role = role, .key = name};
    hello.proof = words.of_peer(proved != nullptr ? proved : role_name(role));
    return !door_.judge(peer, hello, {}, kHost, 0).wrong && door_.check_role(peer, hello);
  }
  // A peer without a proof, whom a proxy has signed in.
  static Hello proxied_hello() { return {.role = Role::kUi}; }

  WebRequest request_of(const PeerProofs& peer, uint64_t number) const {
    return {.method = "GET",
            .path = "/x",
            .authorization = request_authorization(peer.session, "GET", "/x", 1, number),
            .host = kHost};
  }

  People people_;
  Authenticator door_{{.server = "manager", .key = kWallKey, .people = &people_}};
};

TEST_F(AuthenticatorTest, AKeyOpensToTheRolesThatItIsFor) {
  PeerProofs operating;
  PeerProofs receiving;
  PeerProofs none;
  EXPECT_TRUE(joins(operating, "operator", Role::kUi));
  EXPECT_TRUE(joins(receiving, "receiver", Role::kReceiver));
  EXPECT_FALSE(joins(none, "viewer", Role::kReceiver));
  EXPECT_EQ(door_.right_of(operating, "operator"), Right::kOperator);
  EXPECT_FALSE(operating.session.empty());
}

TEST_F(AuthenticatorTest, AProofForAnotherRoleOrWithoutAChallengeIsWrong) {
  PeerProofs peer;
  EXPECT_FALSE(joins(peer, "operator", Role::kUi, "application"));
  EXPECT_TRUE(peer.session.empty());
  PeerProofs unasked;
  Hello hello{.role = Role::kUi, .key = "operator", .proof = std::string(64, '0')};
  EXPECT_TRUE(door_.judge(unasked, hello, {}, kHost, 0).wrong);
}

TEST_F(AuthenticatorTest, APasswordIsProvedAndTheListenerProvesThatItKnowsIt) {
  PeerProofs peer;
  const auto answer = door_.challenge(peer, {.key = "user/ann", .nonce = kNonce}, "");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->salt, people_.salt_of("user/ann"));
  EXPECT_TRUE(door_.takes_password_of("user/ann"));
  const ControlProof words{{"user/ann", ""}, kNonce, answer->nonce};
  const PersonProof proof = person_proof(words, kDerived, "ui");
  Hello hello{.role = Role::kUi, .key = "user/ann", .proof = proof.of_peer};
  EXPECT_FALSE(door_.judge(peer, hello, {}, kHost, 0).wrong);
  EXPECT_EQ(peer.person, "ann");
  EXPECT_EQ(peer.listener_proof, proof.of_listener);
  EXPECT_EQ(door_.right_of(peer, hello.key), Right::kPresenter);
}

TEST_F(AuthenticatorTest, AProxySignsInUsersThatTheWallKnows) {
  PeerProofs ann;
  Hello hello = proxied_hello();
  EXPECT_FALSE(door_.judge(ann, hello, {.name = "ann"}, kHost, 0).wrong);
  EXPECT_EQ(hello.key, "user/ann");
  EXPECT_FALSE(ann.session.empty());
  PeerProofs eve;
  hello = proxied_hello();
  EXPECT_TRUE(door_.judge(eve, hello, {.name = "eve"}, kHost, 0).wrong);

  Authenticator open(
      {.server = "manager", .key = kWallKey, .people = &people_, .proxied = Right::kViewer});
  PeerProofs guest;
  hello = proxied_hello();
  EXPECT_FALSE(open.judge(guest, hello, {.name = "eve"}, kHost, 0).wrong);
  EXPECT_EQ(open.right_of(guest, hello.key), Right::kViewer);
  EXPECT_EQ(open.right_behind("user/eve"), Right::kViewer);
}

TEST_F(AuthenticatorTest, TheHighestGroupThatTheProxyReportsDecides) {
  Authenticator door({.server = "manager",
                      .key = kWallKey,
                      .people = &people_,
                      .groups = {{"wall operators", Right::kOperator}, {"staff", Right::kViewer}}});
  const auto right_in = [&](const char* name, const char* groups) {
    PeerProofs peer;
    Hello hello = proxied_hello();
    const bool wrong = door.judge(peer, hello, {name, groups}, kHost, 0).wrong.has_value();
    return wrong ? Right::kNone : door.right_of(peer, hello.key);
  };
  EXPECT_EQ(right_in("eve", "staff, wall operators"), Right::kOperator);
  EXPECT_EQ(door.right_behind("user/eve"), Right::kOperator);
  using Groups = std::vector<std::string>;
  EXPECT_EQ(door.groups_behind("user/eve"), (Groups{"staff", "wall operators"}));
  EXPECT_EQ(right_in("eve", "other|staff"), Right::kViewer);
  EXPECT_EQ(door.groups_behind("user/eve"), (Groups{"other", "staff"})) << "also without a role";
  EXPECT_EQ(door.right_behind("user/eve"), Right::kViewer) << "the last sign-in decides";
  EXPECT_EQ(right_in("eve", ",staff, |"), Right::kViewer);
  EXPECT_EQ(door.groups_behind("user/eve"), (Groups{"staff"})) << "a group has a name";
  for (const char* none : {"", ",", "Staff", "staff2", "wall", "operators,|,", "admin"}) {
    EXPECT_EQ(right_in("eve", none), Right::kNone) << none;
  }
  EXPECT_EQ(door.right_behind("user/eve"), Right::kNone);
  EXPECT_EQ(door.groups_behind("user/eve"), Groups());
  EXPECT_EQ(right_in("ann", "wall operators"), Right::kPresenter)
      << "people of the wall keep theirs";
}

TEST_F(AuthenticatorTest, GroupsOfVeryManyUsersAreNotRemembered) {
  Authenticator door({.server = "manager",
                      .key = kWallKey,
                      .people = &people_,
                      .groups = {{"staff", Right::kViewer}}});
  constexpr int kUsers = 5000;
  int remembered = 0;
  for (int i = 0; i < kUsers; ++i) {
    PeerProofs peer;
    Hello hello = proxied_hello();
    EXPECT_FALSE(door.judge(peer, hello, {"u" + std::to_string(i), "staff"}, kHost, 0).wrong);
  }
  for (int i = 0; i < kUsers; ++i) {
    if (door.right_behind("user/u" + std::to_string(i)) != Right::kNone) ++remembered;
  }
  EXPECT_EQ(remembered, 4096);
}

TEST_F(AuthenticatorTest, PasswordsAreClosedForAReason) {
  Authenticator closed(
      {.server = "manager", .key = kWallKey, .people = &people_, .people_closed = "this is why"});
  EXPECT_FALSE(closed.takes_password_of("user/ann"));
  PeerProofs peer;
  Hello hello{.role = Role::kUi, .key = "user/ann", .proof = std::string(64, '0')};
  const auto judged = closed.judge(peer, hello, {}, kHost, 0);
  ASSERT_TRUE(judged.wrong);
  EXPECT_EQ(judged.wrong->code, ErrorCode::kConflict);
  EXPECT_EQ(judged.wrong->message, "this is why");
}

TEST_F(AuthenticatorTest, ARequestProvesItsSessionOnce) {
  PeerProofs peer;
  ASSERT_TRUE(joins(peer, "operator", Role::kUi));
  EXPECT_FALSE(door_.judge(request_of(peer, 1), &peer, 0).wrong);
  EXPECT_TRUE(door_.judge(request_of(peer, 1), &peer, 0).wrong) << "overheard";
  EXPECT_FALSE(door_.judge(request_of(peer, 2), &peer, 0).wrong);
  EXPECT_TRUE(door_.judge(request_of(peer, 3), nullptr, 0).wrong) << "the session has ended";
}

TEST_F(AuthenticatorTest, ABearerTokenIsTheNamedKey) {
  WebRequest request{
      .method = "GET", .path = "/metrics", .authorization = {}, .host = kHost, .bearer = "metrics"};
  request.authorization = "Bearer " + key_text(key_named(kWallKey, "metrics"));
  EXPECT_FALSE(door_.judge(request, nullptr, 0).wrong);
  request.authorization = "Bearer " + key_text(key_named(kWallKey, "viewer"));
  EXPECT_TRUE(door_.judge(request, nullptr, 0).wrong);
}

TEST_F(AuthenticatorTest, WithoutAKeyEverybodyIsWelcome) {
  Authenticator open({.server = "manager"});
  EXPECT_TRUE(open.allows_everybody());
  EXPECT_EQ(open.right_behind("whatever"), Right::kAdmin);
  PeerProofs peer;
  EXPECT_FALSE(open.challenge(peer, {.key = "operator", .nonce = kNonce}, ""));
  Hello hello{.role = Role::kReceiver};
  EXPECT_FALSE(open.judge(peer, hello, {}, kHost, 0).wrong);
  EXPECT_TRUE(open.check_role(peer, hello));
}

TEST_F(AuthenticatorTest, ABearerPresentsTheKeyOfARoleAndNoOther) {
  const auto judge = [this](const std::string& text) {
    return door_.judge_bearer(text, "127.0.0.1", 0);
  };
  const auto bearer = [](std::string_view name) {
    return "Bearer " + key_text(key_named(kWallKey, name));
  };
  EXPECT_TRUE(judge(bearer("viewer/until-1")).ended) << "a key of the wall, from 1970";
  EXPECT_FALSE(judge("Bearer viewer/until-1:" + std::string(64, '0')).ended) << "a guess";
  EXPECT_TRUE(judge(bearer("viewer/until-1")).judged.wrong);
  EXPECT_EQ(judge(bearer("operator/lobby")).key_name, "operator/lobby");
  for (const std::string& wrong : {std::string(), bearer(""), bearer("receiver"), bearer("metrics"),
                                   bearer("user/ann"), "Bearer operator:" + std::string(64, '0'),
                                   std::string("Bearer operator:"), "Basic " + bearer("viewer")}) {
    const auto judgement = judge(wrong);
    EXPECT_TRUE(judgement.judged.wrong) << wrong;
    EXPECT_EQ(judgement.key_name, "") << wrong;
  }
}

}  // namespace
}  // namespace sail
