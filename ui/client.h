// A UI client's connection to the manager, with calls that wait for their answer. Owns its loop.
// Thread: one at a time.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/wire/json.h"

namespace ui {

// $VITRAIL_MANAGER, else 127.0.0.1:7440, unless `given` names another.
sail::Result<sail::Address> manager_address(const std::string& given);

// Who somebody is to the others at the wall.
struct Person {
  std::string name = "vitrail";
  std::string colour;  // "#rrggbb"; empty: the manager's choice
};

class ControlClient {
 public:
  // Connects and says hello with the token for that manager (wall_token.h). kUnavailable: nobody
  // listens there, or nobody answers within timeout_ms.
  static sail::Result<std::unique_ptr<ControlClient>> connect(
      const sail::Address& manager, const Person& person = {},
      int64_t timeout_ms = sail::TcpConnection::kConnectTimeoutMs);

  // Runs the loop until the answer is here.
  sail::Result<sail::Json> call(std::string_view verb, const sail::Json& params,
                                int64_t timeout_ms = sail::kCallTimeoutMs);
  // Runs the loop for that time, or until the manager is gone: then its error.
  std::optional<sail::Error> wait(int64_t ms);

  sail::Loop& loop() { return loop_; }
  // What the manager answered to the hello.
  const sail::Json& welcome() const { return welcome_; }
  // What was said to it, "" for nothing.
  const std::string& token() const { return token_; }

 private:
  ControlClient() = default;

  sail::Loop loop_;
  std::unique_ptr<sail::RpcPeer> peer_;
  std::optional<sail::Error> lost_;
  sail::Json welcome_;
  std::string token_;
};

}  // namespace ui
