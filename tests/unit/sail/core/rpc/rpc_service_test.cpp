// Admission to a service, and answers of its table of verbs.
#include "sail/core/rpc/rpc_service.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "sail/core/base/secret.h"
#include "tests/unit/sail/core/rpc/service_test.h"

namespace sail {
namespace {

using testing::HasSubstr;

const WallKey kServiceKey{"", "0123456789abcdef"};

class RpcServiceTest : public ServiceTest {
 protected:
  void start(RpcService::Options options) {
    const auto late = [this](const RpcCall& call) { late_ = call.reply; };
    const auto twice = [](const RpcCall&, int64_t number) -> Result<Json> {
      return Json{{"twice", 2 * number}};
    };
    const auto number = [](JsonFields& fields) { return fields.integer("number", 0, 10); };
    ServiceTest::start(
        std::move(options),
        {{.name = "clock", .receiver = true, .run = with_arguments(no_arguments, answer_nothing)},
         {.name = "change",
          .ui = Right::kOperator,
          .run = with_arguments(no_arguments, answer_nothing)},
         {.name = "late", .ui = Right::kViewer, .run = late},
         {.name = "twice", .ui = Right::kViewer, .run = with_arguments(number, twice)}},
        [this](const ServicePeer& peer) {
          left_ = peer.id();
          fell_silent_ = peer.fell_silent();
        });
  }
  static Result<Json> answer_nothing(const RpcCall&, std::monostate) { return Json::object(); }

  Result<Json> hello(RpcPeer& peer, const Hello& hello = {}) {
    return ask(peer, "hello", to_json(hello));
  }
  static std::string mistake(const auto& answer) { return answer ? "" : answer.error().message; }

  RpcPeer::Reply late_;
  uint64_t left_ = 0;
  bool fell_silent_ = false;
};

TEST_F(RpcServiceTest, AWelcomeNamesProtocolAndVersion) {
  start({.access = {.server = "tester"}});
  const auto peer = connect();
  EXPECT_THAT(mistake(ask(*connect(), "twice")), HasSubstr("send hello before 'twice'"));
  EXPECT_EQ(*hello(*peer), (Json{{"protocol", kControlProtocol}, {"version", VITRAIL_VERSION}}));
  EXPECT_THAT(mistake(hello(*peer)), HasSubstr("already received"));
}

TEST_F(RpcServiceTest, WhoDoesNotBelongIsNotLetIn) {
  start({.access = {.server = "tester", .key = kServiceKey}, .max_peers = 1});
  EXPECT_EQ(hello(*connect()).error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(mistake(prove(*connect(), kServiceKey, {.protocol = 9})),
            "this tester speaks control protocol 3, not 9");
  EXPECT_EQ(mistake(prove(*connect(), kServiceKey, {.role = Role::kApplication})),
            "hello: this tester does not support the role 'application'");
  const auto first = connect();
  EXPECT_TRUE(prove(*first, kServiceKey));
  EXPECT_EQ(prove(*connect(), kServiceKey).error().code, ErrorCode::kLimit);
}

TEST_F(RpcServiceTest, ANamedKeyOpensWhatItIsFor) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  const auto viewer = connect();
  ASSERT_TRUE(prove(*viewer, key_named(kServiceKey, "viewer")));
  EXPECT_TRUE(ask(*viewer, "twice", {{"number", 4}}));
  EXPECT_EQ(
      mistake(ask(*viewer, "change")),
      "you are signed in as a viewer: you can view the wall, but not change it ('change' needs the "
      "role 'operator')");
  const auto other = connect();
  ASSERT_TRUE(prove(*other, key_named(kServiceKey, "operator")));
  EXPECT_TRUE(ask(*other, "change"));
  EXPECT_EQ(mistake(prove(*connect(), key_named(kServiceKey, "receiver"))),
            "the key 'receiver' does not allow the role 'ui'");
  EXPECT_EQ(
      mistake(prove(*connect(), key_named(kServiceKey, "viewer"),
                    {.role = Role::kReceiver, .name = "left", .data_port = 1, .codecs = {"dxt1"}})),
      "the key 'viewer' does not allow the role 'receiver'");
}

TEST_F(RpcServiceTest, ASessionEndsWithItsKey) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  const auto ending = connect();
  const std::string name = fmt::format("viewer/until-{}", std::time(nullptr) + 3);
  ASSERT_TRUE(prove(*ending, key_named(kServiceKey, name)));
  const auto staying = connect();
  ASSERT_TRUE(prove(*staying, key_named(kServiceKey, "viewer/until-99999999999")));
  EXPECT_TRUE(run_until(loop_, [this] { return left_ != 0; }));
  EXPECT_EQ(prove(*connect(), key_named(kServiceKey, name)).error().code, ErrorCode::kUnauthorized);
  EXPECT_TRUE(ask(*staying, "twice", {{"number", 4}}));
}

TEST_F(RpcServiceTest, AListenerThatDoesNotProveTheKeyIsLeft) {
  start({.access = {.server = "tester", .key = {"", "another of 16 letters"}}});
  EXPECT_THAT(mistake(prove(*connect(), kServiceKey)), HasSubstr("failed to prove"));
  start({.access = {.server = "tester"}});
  EXPECT_THAT(mistake(prove(*connect(), kServiceKey)), HasSubstr("has no key, but the client has"));
}

TEST_F(RpcServiceTest, AnExchangeThatWasOverheardIsOfNoUse) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  ControlProof proof{kServiceKey, random_word(), ""};
  const Json challenge{{"nonce", proof.peer_nonce}};
  const auto first = connect();
  const auto answer = ask(*first, "challenge", challenge);
  ASSERT_TRUE(answer);
  proof.listener_nonce = (*answer)["nonce"].get<std::string>();
  EXPECT_EQ((*answer)["proof"], proof.of_listener());
  const Hello overheard{.proof = proof.of_peer("ui")};
  ASSERT_TRUE(hello(*first, overheard));

  EXPECT_EQ(hello(*connect(), overheard).error().code, ErrorCode::kUnauthorized) << "no challenge";
  const auto second = connect();
  const auto another = ask(*second, "challenge", challenge);
  ASSERT_TRUE(another);
  EXPECT_NE((*another)["nonce"], (*answer)["nonce"]);
  EXPECT_EQ(hello(*second, overheard).error().code, ErrorCode::kUnauthorized);

  const auto mirror = connect();
  const auto own = ask(*mirror, "challenge", challenge);
  ASSERT_TRUE(own);
  EXPECT_EQ(hello(*mirror, {.proof = (*own)["proof"].get<std::string>()}).error().code,
            ErrorCode::kUnauthorized)
      << "the listener's proof sent back";
}

TEST_F(RpcServiceTest, AProofIsForOneRoleAndOneKey) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  for (const bool other_role : {false, true}) {
    const auto peer = connect();
    ControlProof proof{key_named(kServiceKey, "viewer"), random_word(), ""};
    const auto answer = ask(*peer, "challenge", {{"key", "viewer"}, {"nonce", proof.peer_nonce}});
    ASSERT_TRUE(answer);
    proof.listener_nonce = (*answer)["nonce"].get<std::string>();
    Hello wrong{.key = other_role ? "viewer" : "operator", .proof = proof.of_peer("ui")};
    if (other_role) wrong.role = Role::kApplication;
    EXPECT_EQ(hello(*peer, wrong).error().code, ErrorCode::kUnauthorized) << other_role;
  }
}

TEST_F(RpcServiceTest, HalfAndDoubleChallengesEndTheSession) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  for (const Json& wrong : {Json::object(), Json{{"nonce", "12"}}, Json{{"nonce", 7}},
                            Json{{"nonce", std::string(32, 'g')}},
                            Json{{"nonce", random_word()}, {"key", std::string(65, 'k')}}}) {
    const auto peer = connect();
    EXPECT_EQ(ask(*peer, "challenge", wrong).error().code, ErrorCode::kInvalidParams) << wrong;
    EXPECT_FALSE(ask(*peer, "hello"));
  }
  const auto twice = connect();
  ASSERT_TRUE(ask(*twice, "challenge", {{"nonce", random_word()}}));
  EXPECT_EQ(ask(*twice, "challenge", {{"nonce", random_word()}}).error().code,
            ErrorCode::kInvalidRequest);
}

TEST_F(RpcServiceTest, RequestsByHttpProveTheirSessionOnce) {
  start({.access = {.server = "tester", .key = kServiceKey}});
  const auto peer = connect();
  const auto welcome = prove(*peer, key_named(kServiceKey, "viewer"));
  ASSERT_TRUE(welcome);
  const uint64_t client = service_->peers().begin()->first;
  WebRequest request{.method = "GET", .path = "/preview", .authorization = "", .host = "127.0.0.1"};
  const auto judged = [&](uint64_t number, const std::string& path = "/preview") {
    request.authorization = request_authorization(welcome->session, "GET", path, client, number);
    return !service_->judge_request(request).wrong;
  };
  EXPECT_FALSE(judged(1, "/metrics"));
  EXPECT_TRUE(judged(1));
  EXPECT_FALSE(judged(1)) << "overheard and said again";
  EXPECT_TRUE(judged(2));
  request.least = Right::kOperator;
  EXPECT_FALSE(judged(3));
  request = {.method = "GET", .path = "/metrics", .authorization = "", .host = "127.0.0.1"};
  request.authorization = "Bearer " + key_text(key_named(kServiceKey, "metrics"));
  EXPECT_TRUE(service_->judge_request(request).wrong);
  request.bearer = "metrics";
  EXPECT_FALSE(service_->judge_request(request).wrong);
  request.authorization = "Bearer " + kServiceKey.secret;
  EXPECT_TRUE(service_->judge_request(request).wrong);
}

TEST_F(RpcServiceTest, VerbsCheckTheirArgumentsAndTheCallersRole) {
  start({.access = {.server = "tester"}});
  const auto peer = connect();
  ASSERT_TRUE(hello(*peer));
  EXPECT_EQ(*ask(*peer, "twice", {{"number", 4}}), (Json{{"twice", 8}}));
  EXPECT_THAT(mistake(ask(*peer, "twice", {{"number", 11}})), HasSubstr("'number'"));
  EXPECT_THAT(mistake(ask(*peer, "twice", {{"number", 4}, {"colour", "red"}})),
              HasSubstr("'colour'"));
  EXPECT_EQ(mistake(ask(*peer, "twcie")), "unknown verb 'twcie' (did you mean 'twice'?)");
  EXPECT_EQ(mistake(ask(*peer, "clokc")), "unknown verb 'clokc'") << "another role's";
  EXPECT_EQ(mistake(ask(*peer, "clock")),
            "the verb 'clock' is not available to this connection's role 'ui'");
}

TEST_F(RpcServiceTest, AnAnswerMayComeAfterItsSession) {
  testing::internal::CaptureStderr();
  start({.access = {.server = "tester"}});
  auto peer = connect();
  ASSERT_TRUE(hello(*peer, {.name = "somebody"}));
  peer->notify("twice", {{"number", 12}});
  peer->notify("twice", {{"number", 13}});
  peer->notify("late", Json::object());
  EXPECT_TRUE(run_until(loop_, [&] { return static_cast<bool>(late_); }));
  peer.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return left_ != 0; }));
  late_(fail(ErrorCode::kNotFound, "too late"));
  EXPECT_EQ(service_->find(left_), nullptr);
  EXPECT_EQ(service_->peers().size(), 0U);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("ui 'somebody' (127.0.0.1:"));
  EXPECT_EQ(log.find("notification"), log.rfind("notification")) << "only the first: " << log;
}

TEST_F(RpcServiceTest, WhoFellSilentIsToldFromWhoHasClosed) {
  start({.access = {.server = "tester"}});
  const Hello left{.role = Role::kReceiver, .name = "left", .data_port = 1, .codecs = {"dxt1"}};
  for (const bool silent : {true, false, true}) {
    auto peer = connect();
    ASSERT_TRUE(hello(*peer, left));
    // Too short to answer even the first ping.
    if (silent) service_->peers().begin()->second->rpc().keep_alive(1, 0);
    if (!silent) peer.reset();
    left_ = 0;
    EXPECT_TRUE(run_until(loop_, [&] { return left_ != 0; }));
    EXPECT_EQ(fell_silent_, silent);
  }
}

TEST_F(RpcServiceTest, WhoLeavesForSilenceHasFallenSilentToo) {
  start({.access = {.server = "tester"}});
  const Hello left{.role = Role::kReceiver, .name = "left", .data_port = 1, .codecs = {"dxt1"}};
  auto peer = connect();
  ASSERT_TRUE(hello(*peer, left));
  peer->keep_alive(1, 0);
  EXPECT_TRUE(run_until(loop_, [&] { return left_ != 0; }));
  EXPECT_TRUE(fell_silent_);
}

TEST_F(RpcServiceTest, APortThatIsTakenIsSaidSo) {
  start({.access = {.server = "tester"}});
  RpcService other(loop_,
                   {.access = {.server = "tester"}, .when_in_use = "another one may be running"},
                   {}, {}, log_);
  const auto refused = other.listen(service_->address());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is in use: another one may be running, or"));
}

}  // namespace
}  // namespace sail
