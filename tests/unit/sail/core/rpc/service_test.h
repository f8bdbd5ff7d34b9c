// A service on loopback, and peers that connect to it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sail/core/rpc/hello.h"
#include "sail/core/rpc/rpc_service.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {

class ServiceTest : public testing::Test {
 protected:
  void start(RpcService::Options options, std::vector<RpcVerb> verbs,
             std::function<void(ServicePeer&)> on_left = {}) {
    service_ = std::make_unique<RpcService>(
        loop_, std::move(options), std::move(verbs),
        RpcService::Handlers{.on_hello = [](const ServicePeer&) { return Json::object(); },
                             .on_left = std::move(on_left)},
        log_);
    ASSERT_TRUE(service_->listen(kAnyPort));
  }
  // While the members that its callbacks use still exist.
  void TearDown() override { service_.reset(); }

  std::unique_ptr<RpcPeer> connect(const Address& to, TlsUse use) {
    std::unique_ptr<RpcPeer> peer;
    const auto guard = TcpConnection::connect(
        loop_, to,
        [&](auto connection) {
          peer = std::make_unique<RpcPeer>(loop_, std::move(*connection), RpcPeer::Handlers{});
        },
        {.tls = use});
    EXPECT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
    return peer;
  }
  std::unique_ptr<RpcPeer> connect() { return connect(service_->address(), tls_use()); }

  Result<Json> ask(RpcPeer& peer, const char* verb, const Json& params = Json::object()) {
    std::optional<Result<Json>> answer;
    peer.call(verb, params, [&](Result<Json> result) { answer = std::move(result); });
    EXPECT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(fail(ErrorCode::kTimeout, "nothing came"));
  }
  Result<Welcome> prove(RpcPeer& peer, const WallKey& key, const Hello& hello = {}) {
    std::optional<Result<Welcome>> answer;
    start_handshake(peer, key, hello, kTestDeadlineMs,
                    [&](Result<Welcome> reported) { answer = std::move(reported); });
    EXPECT_TRUE(run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(fail(ErrorCode::kTimeout, "nothing came"));
  }

  Loop loop_;
  Log log_{"test", LogLevel::kWarning};
  std::unique_ptr<RpcService> service_;
};

}  // namespace sail
