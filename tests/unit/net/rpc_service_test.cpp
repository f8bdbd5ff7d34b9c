// Who may join a service, and what its table of verbs answers.
#include "sail/net/rpc_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/net/tcp_support.h"

namespace sail {
namespace {

using testing::HasSubstr;

class RpcServiceTest : public testing::Test {
 protected:
  void start(RpcService::Options options) {
    const auto late = [this](const RpcCall& call) { late_ = call.reply; };
    const auto twice = [](const RpcCall&, int64_t number) -> Result<Json> {
      return Json{{"twice", 2 * number}};
    };
    const auto number = [](JsonFields& fields) { return fields.integer("number", 0, 10); };
    service_ = std::make_unique<RpcService>(
        loop_, std::move(options),
        std::vector<RpcVerb>{{.name = "clock",
                              .receiver = true,
                              .run = with_arguments(no_arguments, answer_nothing)},
                             {.name = "late", .ui = true, .run = late},
                             {.name = "twice", .ui = true, .run = with_arguments(number, twice)}},
        RpcService::Handlers{.on_hello = [](const ServicePeer&) { return Json::object(); },
                             .on_left = [this](const ServicePeer& peer) { left_ = peer.id(); }},
        log_);
    ASSERT_TRUE(service_->listen(kAnyPort));
  }
  static Result<Json> answer_nothing(const RpcCall&, std::monostate) { return Json::object(); }

  std::unique_ptr<RpcPeer> connect() {
    std::unique_ptr<RpcPeer> peer;
    const auto guard = TcpConnection::connect(loop_, service_->address(), [&](auto connection) {
      peer = std::make_unique<RpcPeer>(loop_, std::move(*connection), RpcPeer::Handlers{});
    });
    EXPECT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
    return peer;
  }
  Result<Json> ask(RpcPeer& peer, const char* verb, const Json& params = Json::object()) {
    std::optional<Result<Json>> answer;
    peer.call(verb, params, [&](Result<Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(fail(ErrorCode::kTimeout, "nothing came"));
  }
  Result<Json> hello(RpcPeer& peer, const Hello& hello = {}) {
    return ask(peer, "hello", to_json(hello));
  }
  static std::string mistake(const Result<Json>& answer) {
    return answer ? "" : answer.error().message;
  }

  Loop loop_;
  Log log_{"test", LogLevel::kWarning};
  RpcPeer::Reply late_;
  uint64_t left_ = 0;
  std::unique_ptr<RpcService> service_;
};

TEST_F(RpcServiceTest, AWelcomeNamesProtocolAndVersion) {
  start({.server = "tester"});
  const auto peer = connect();
  EXPECT_THAT(mistake(ask(*connect(), "twice")), HasSubstr("say hello before 'twice'"));
  EXPECT_EQ(*hello(*peer), (Json{{"protocol", kControlProtocol}, {"version", VITRAIL_VERSION}}));
  EXPECT_THAT(mistake(hello(*peer)), HasSubstr("said already"));
}

TEST_F(RpcServiceTest, WhoDoesNotBelongIsNotLetIn) {
  start({.server = "tester", .token = "open sesame", .max_peers = 1});
  Hello right{.token = "open sesame"};
  EXPECT_EQ(hello(*connect(), {.token = "wrong"}).error().code, ErrorCode::kUnauthorized);
  Hello future = right;
  future.protocol = 9;
  EXPECT_EQ(mistake(hello(*connect(), future)), "this tester speaks control protocol 2, not 9");
  Hello application = right;
  application.role = Role::kApplication;
  EXPECT_EQ(mistake(hello(*connect(), application)),
            "hello: this tester has nothing for the role 'application'");
  const auto first = connect();
  EXPECT_TRUE(hello(*first, right));
  EXPECT_EQ(hello(*connect(), right).error().code, ErrorCode::kLimit);
}

TEST_F(RpcServiceTest, VerbsCheckTheirArgumentsAndTheCallersRole) {
  start({.server = "tester"});
  const auto peer = connect();
  ASSERT_TRUE(hello(*peer));
  EXPECT_EQ(*ask(*peer, "twice", {{"number", 4}}), (Json{{"twice", 8}}));
  EXPECT_THAT(mistake(ask(*peer, "twice", {{"number", 11}})), HasSubstr("'number'"));
  EXPECT_THAT(mistake(ask(*peer, "twice", {{"number", 4}, {"colour", "red"}})),
              HasSubstr("'colour'"));
  EXPECT_EQ(mistake(ask(*peer, "twcie")), "there is no verb 'twcie' (did you mean 'twice'?)");
  EXPECT_EQ(mistake(ask(*peer, "clokc")), "there is no verb 'clokc'") << "another role's";
  EXPECT_EQ(mistake(ask(*peer, "clock")),
            "'clock' is no verb of the role 'ui', which this connection has");
}

TEST_F(RpcServiceTest, AnAnswerMayComeAfterItsSession) {
  testing::internal::CaptureStderr();
  start({.server = "tester"});
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

TEST_F(RpcServiceTest, APortThatIsTakenIsSaidSo) {
  start({.server = "tester"});
  RpcService other(loop_, {.server = "tester", .when_in_use = "another one may be running"}, {}, {},
                   log_);
  const auto refused = other.listen(service_->address());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is in use: another one may be running, or"));
}

}  // namespace
}  // namespace sail
