// A peer controlled by the test, on the test's loop.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/auth/wall_key.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/hello_messages.h"

namespace manager {

class ScriptedPeer {
 public:
  struct Message {
    std::string method;
    sail::Json params;
  };

  // Runs the loop until connected.
  ScriptedPeer(sail::Loop& loop, const sail::Address& manager);

  // Runs the loop until the answer arrives.
  sail::Result<sail::Json> call(std::string_view method,
                                const sail::Json& params = sail::Json::object());
  // Does not wait. The pointer holds the answer once it has arrived.
  using Asked = std::shared_ptr<std::optional<sail::Result<sail::Json>>>;
  Asked ask(std::string_view method, const sail::Json& params);
  // Returns the answer; an error fails the test and returns null.
  sail::Json expect(std::string_view method, const sail::Json& params = sail::Json::object());
  void notify(std::string_view method, const sail::Json& params) { peer_->notify(method, params); }
  // Sends bytes that need not be JSON.
  void send(std::string_view bytes) { peer_->send_line(bytes); }
  sail::Result<sail::Json> hello(sail::Role role, const std::string& name, uint16_t data_port = 0,
                                 const sail::WallKey& key = {});
  sail::Result<sail::Json> hello(const sail::Hello& hello, const sail::WallKey& key);

  // Returns the manager's next message of this method after those taken before; skips others. Runs
  // the loop; a timeout fails the test.
  sail::Json next(std::string_view method);
  // Messages received and not taken.
  std::deque<Message> messages;
  // Answers to the manager's requests, by method; default: {}.
  std::map<std::string, sail::Json> answers;
  // Reason for the end of the session.
  std::optional<sail::Error> closed;
  bool wait_closed();

 private:
  sail::Loop& loop_;
  std::unique_ptr<sail::RpcPeer> peer_;
};

}  // namespace manager
