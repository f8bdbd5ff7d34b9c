#include "sail/core/rpc/rpc_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/auth/wall_key.h"
#include "sail/core/discovery/mdns.h"

namespace sail {
namespace {

constexpr int64_t kPollIntervalMs = 50;
constexpr int64_t kReferralMs = 1000;  // for the manager named by a standby
constexpr int kMdnsTries = 8;

// Returns true if a failed connection means that no program listens there. The user is then advised
// to start one.
bool is_absent(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kTimeout ||
         code == ErrorCode::kNotFound;
}

}  // namespace

Result<std::unique_ptr<RpcClient>> RpcClient::connect(const Address& server,
                                                      RpcClientOptions options) {
  const auto try_once = [&]() -> Result<std::unique_ptr<RpcClient>> {
    std::unique_ptr<RpcClient> client(new RpcClient(options));
    if (auto connected = client->reach(server); !connected) return connected.error();
    auto welcomed = client->start_handshake();
    if (welcomed) return client;
    const auto other = client->referred_to();
    if (!options.follow || !other) return welcomed.error();
    RpcClientOptions there = options;
    there.follow = false;
    there.key = client->key();  // only this key is proved to other servers
    there.timeout_ms = std::min(options.timeout_ms, kReferralMs);
    // A stopped manager accepts connections. The standby's refusal is more useful than a timeout.
    auto referred = connect(*other, std::move(there));
    const bool silent = !referred && (referred.error().code == ErrorCode::kUnavailable ||
                                      referred.error().code == ErrorCode::kTimeout);
    return silent ? welcomed.error() : std::move(referred);
  };
  // mDNS may find impostors beside the real manager.
  auto client = try_once();
  for (int i = 1; i < kMdnsTries && is_by_mdns(server); ++i) {
    if (client || client.error().code != ErrorCode::kUnauthorized) break;
    client = try_once();
  }
  return client;
}

Result<void> RpcClient::reach(const Address& server) {
  std::optional<Result<std::unique_ptr<TcpConnection>>> connected;
  const auto guard = TcpConnection::connect(loop_, server,
                                            [&](auto result) {
                                              connected = std::move(result);
                                              loop_.stop();
                                            },
                                            {.timeout_ms = options_.timeout_ms});
  const bool decided = run_until([&] { return connected.has_value(); });
  if (!decided || !*connected) {
    const Error why = decided ? connected->error() : fail(ErrorCode::kUnavailable, "interrupted");
    if (!is_absent(why.code)) return why;
    return fail(ErrorCode::kUnavailable,
                fmt::format("no {} at {} ({}){}", options_.server, address_text(server),
                            why.message, options_.advice));
  }
  peer_ = std::make_unique<RpcPeer>(
      loop_, std::move(**connected),
      RpcPeer::Handlers{
          .on_request =
              [this](const std::string& method, const Json& params, const RpcPeer::Reply&) {
                if (options_.on_notification) options_.on_notification(method, params);
              },
          .on_closed =
              [this](const Error& error) {
                lost_ = error;
                loop_.stop();
              }});
  auto key = options_.key ? Result<WallKey>(*options_.key) : key_for(peer_->peer_address());
  if (!key) return key.error();
  key_ = std::move(*key);
  return check_mdns_key(server, key_);
}

Result<void> RpcClient::start_handshake() {
  std::optional<Result<Welcome>> answer;
  sail::start_handshake(*peer_, key_, options_.hello, options_.timeout_ms,
                        [&](Result<Welcome> welcome) {
                          answer = std::move(welcome);
                          loop_.stop();
                        });
  if (!run_until([&] { return answer.has_value() || lost_; })) {
    peer_.reset();  // no more answers
    return fail(ErrorCode::kUnavailable, "interrupted");
  }
  if (!answer) return *lost_;
  if (!*answer) return answer->error();
  welcome_ = std::move(**answer);
  return {};
}

bool RpcClient::run_until(const std::function<bool()>& done) {
  Timer look(loop_);
  if (options_.interrupted) look.start(kPollIntervalMs, kPollIntervalMs, [this] { loop_.stop(); });
  while (!done()) {
    if (options_.interrupted && options_.interrupted()) return false;
    loop_.run();
  }
  return true;
}

Result<Json> RpcClient::call(std::string_view verb, const Json& params, int64_t timeout_ms) {
  if (lost_) return *lost_;
  // The answer may arrive after call() has returned.
  const auto answer = std::make_shared<std::optional<Result<Json>>>();
  peer_->call(
      verb, params,
      [this, answer](Result<Json> result) {
        *answer = std::move(result);
        loop_.stop();
      },
      timeout_ms);
  if (!run_until([&] { return answer->has_value(); })) {
    return fail(ErrorCode::kUnavailable, "interrupted");
  }
  return std::move(**answer);
}

std::optional<Error> RpcClient::wait(int64_t ms) {
  bool due = false;
  Timer timer(loop_);
  timer.start(ms, 0, [&] {
    due = true;
    loop_.stop();
  });
  while (!due && !lost_) loop_.run();
  return lost_;
}

}  // namespace sail
