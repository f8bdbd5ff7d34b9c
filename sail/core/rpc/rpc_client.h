// Blocking client for a manager or a film server: calls wait for their answers. Owns its loop. For
// one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/hello.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

struct RpcClientOptions {
  Hello hello = {};                 // the client adds the proof, see wall_key.h
  std::optional<WallKey> key = {};  // the key to prove; empty: key_for() the server
  int64_t timeout_ms = TcpConnection::kConnectTimeoutMs;  // for the connection, and for the welcome
  // For error messages: the missing server, and advice.
  std::string server = "manager";
  std::string advice = ": start one with `vitrail up WALL`";
  bool follow = false;  // follow a standby's reference to its manager
  // Receives notifications.
  std::function<void(const std::string& method, const Json& params)> on_notification = {};
  // Polled while waiting for a connection or an answer; true: give up with kUnavailable.
  std::function<bool()> interrupted = {};
};

class RpcClient {
 public:
  // kUnavailable: no connection, or interrupted. kTimeout: no answer to the hello in time.
  // kUnauthorized: the server has another key or does not support TLS. Otherwise the reason for
  // the refusal, or the key cannot be read.
  static Result<std::unique_ptr<RpcClient>> connect(const Address& server,
                                                    RpcClientOptions options = {});
  RpcClient(const RpcClient&) = delete;
  RpcClient& operator=(const RpcClient&) = delete;

  // Runs the loop until the answer arrives.
  Result<Json> call(std::string_view verb, const Json& params, int64_t timeout_ms = kCallTimeoutMs);
  // Runs the loop for this time, or until the connection is lost; then returns its error.
  std::optional<Error> wait(int64_t ms);

  Loop& loop() { return loop_; }
  // For asynchronous calls. Their answers arrive during call() or wait().
  RpcPeer& peer() { return *peer_; }
  // The answer to the hello.
  const Json& welcome() const { return welcome_.answer; }
  // The key that was proved, and the secret for the session's HTTP requests.
  const WallKey& key() const { return key_; }
  const std::string& session() const { return welcome_.session; }

 private:
  explicit RpcClient(RpcClientOptions options) : options_(std::move(options)) {}
  Result<void> reach(const Address& server);
  Result<void> start_handshake();
  // After kUnavailable: the manager to try instead; empty: none.
  std::optional<Address> referred_to() const { return peer_ ? peer_->referred_to() : std::nullopt; }
  // Returns false if interrupted.
  bool run_until(const std::function<bool()>& done);

  RpcClientOptions options_;
  Loop loop_;
  std::unique_ptr<RpcPeer> peer_;
  std::optional<Error> lost_;
  WallKey key_;
  Welcome welcome_;
};

}  // namespace sail
