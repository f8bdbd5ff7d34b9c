// A client's connection to a manager or a film server, with calls that wait for their answer. Owns
// its loop. Thread: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/hello.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/json.h"

namespace sail {

struct RpcClientOptions {
  Hello hello = {};                 // the proof in it is the client's to make: see wall_key.h
  std::optional<WallKey> key = {};  // to prove; nothing: key_for() the server
  int64_t timeout_ms = TcpConnection::kConnectTimeoutMs;  // to connect, and for the welcome
  // Whom people miss when nobody listens, and what they can do.
  std::string server = "manager";
  std::string advice = ": start one with `vitrail up WALL`";
  bool follow = false;  // a manager that stands by for another one says where that is: go there
  // What it says unasked.
  std::function<void(const std::string& method, const Json& params)> on_notification = {};
  // Asked now and then while a connection or an answer is waited for; true: give up, with
  // kUnavailable.
  std::function<bool()> interrupted = {};
};

class RpcClient {
 public:
  // kUnavailable: nobody listens there, or nobody answers in time. Else why it is not let in.
  static Result<std::unique_ptr<RpcClient>> connect(const Address& server,
                                                    RpcClientOptions options = {});
  RpcClient(const RpcClient&) = delete;
  RpcClient& operator=(const RpcClient&) = delete;

  // Runs the loop until the answer is here.
  Result<Json> call(std::string_view verb, const Json& params, int64_t timeout_ms = kCallTimeoutMs);
  // Runs the loop for that time, or until the server is gone: then its error.
  std::optional<Error> wait(int64_t ms);

  Loop& loop() { return loop_; }
  // For calls that nobody waits for: their answers come while another is, or in wait().
  RpcPeer& peer() { return *peer_; }
  // What the hello was answered with.
  const Json& welcome() const { return welcome_.answer; }
  // What was proved to it, and what the session's HTTP requests prove.
  const WallKey& key() const { return key_; }
  const std::string& session() const { return welcome_.session; }

 private:
  explicit RpcClient(RpcClientOptions options) : options_(std::move(options)) {}
  Result<void> reach(const Address& server);
  Result<void> say_hello();
  // kUnavailable: where it said to go. Nothing: nowhere.
  std::optional<Address> referred_to() const { return peer_ ? peer_->referred_to() : std::nullopt; }
  // False: interrupted.
  bool run_until(const std::function<bool()>& done);

  RpcClientOptions options_;
  Loop loop_;
  std::unique_ptr<RpcPeer> peer_;
  std::optional<Error> lost_;
  WallKey key_;
  Welcome welcome_;
};

}  // namespace sail
