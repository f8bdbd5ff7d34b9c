// Key proofs over TLS are bound to one session, so a man in the middle fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"
#include "tests/support/between.h"
#include "tests/unit/sail/core/rpc/service_test.h"

namespace sail {
namespace {

using testing::HasSubstr;

const WallKey kTlsKey{"", "0123456789abcdef"};

class TlsProofTest : public ServiceTest {
 protected:
  TlsProofTest() {
    start({.access = {.server = "manager", .key = kTlsKey}, .tls = TlsUse::kAlways});
  }

  void start(RpcService::Options options) {
    const auto clock = [](const RpcCall&, std::monostate) -> Result<Json> { return Json(0); };
    ServiceTest::start(
        std::move(options),
        {{.name = "clock", .ui = Right::kViewer, .run = with_arguments(no_arguments, clock)}});
  }
  std::unique_ptr<RpcPeer> connect(const Address& to, TlsUse use = TlsUse::kAlways) {
    return ServiceTest::connect(to, use);
  }
  // Sends a hello with a proof for another session, or without a binding.
  Result<Json> hello_bound_to(RpcPeer& peer, const std::string& binding) {
    ControlProof proof{kTlsKey, random_word(), "", binding};
    const auto reported = ask(peer, "challenge", to_json(Challenge{"", proof.peer_nonce}));
    EXPECT_TRUE(reported);
    proof.listener_nonce = message_from_json<ChallengeAnswer>(*reported)->nonce;
    Hello hello;
    hello.proof = proof.of_peer("ui");
    return ask(peer, "hello", to_json(hello));
  }
};

TEST_F(TlsProofTest, WhoHasTheKeyIsLetIn) {
  const auto peer = connect(service_->address());
  const auto welcome = prove(*peer, kTlsKey);
  ASSERT_TRUE(welcome) << welcome.error().message;
  EXPECT_EQ(welcome->session.size(), 64U);
  EXPECT_TRUE(ask(*peer, "clock", Json::object()));
}

TEST_F(TlsProofTest, WhoStandsBetweenIsLeftBeforeAnythingIsSaid) {
  const Between between(loop_, service_->address());
  const auto peer = connect(between.address());
  const auto refused = prove(*peer, kTlsKey);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(refused.error().message, HasSubstr("man in the middle"));
  EXPECT_THAT(between.heard(), HasSubstr("challenge"));
  EXPECT_THAT(between.heard(), testing::Not(HasSubstr("hello")));
}

TEST_F(TlsProofTest, AProofOfAnotherSessionIsRefused) {
  const auto other = connect(service_->address());
  for (const std::string& binding : {std::string(), other->binding()}) {
    const auto peer = connect(service_->address());
    const auto refused = hello_bound_to(*peer, binding);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  }
  const auto peer = connect(service_->address());
  EXPECT_TRUE(hello_bound_to(*peer, peer->binding()));
}

TEST_F(TlsProofTest, AnOldPeerReadsWhyItIsNotLetIn) {
  const auto peer = connect(service_->address(), TlsUse::kNever);
  Collector collector;
  std::unique_ptr<TcpConnection> plain;
  const auto guard = TcpConnection::connect(
      loop_, service_->address(), [&](auto connection) { plain = *std::move(connection); },
      {.tls = TlsUse::kNever});
  ASSERT_TRUE(run_until(loop_, [&] { return plain != nullptr; }));
  plain->start_reading(collector);
  plain->write_copy(as_bytes(request_line(1, "hello", to_json(Hello()))));
  ASSERT_TRUE(run_until(loop_, [&] { return collector.closed.has_value(); }));
  const Json reported = Json::parse(collector.text());
  EXPECT_EQ(reported["error"]["code"], 1001);
  EXPECT_THAT(reported["error"]["message"].get<std::string>(), HasSubstr("TLS 1.3"));
  EXPECT_TRUE(run_until(loop_, [&] { return service_->peers().size() == 1; }));  // the silent peer
}

TEST_F(TlsProofTest, WhoNeverFinishesItsHandshakeIsEnded) {
  start({.access = {.server = "manager", .key = kTlsKey}, .hello_ms = 20, .tls = TlsUse::kAlways});
  Collector collector;
  std::unique_ptr<TcpConnection> raw;
  const auto guard = TcpConnection::connect(loop_, service_->address(),
                                            [&](auto connection) { raw = *std::move(connection); },
                                            {.tls = TlsUse::kAsItComes});
  ASSERT_TRUE(run_until(loop_, [&] { return raw != nullptr; }));
  raw->start_reading(collector);
  raw->write_copy(as_bytes(std::string_view("\x16\x03\x01", 3)));
  EXPECT_TRUE(run_until(loop_, [&] { return collector.closed.has_value(); }));
  EXPECT_TRUE(service_->peers().empty());
}

}  // namespace
}  // namespace sail
