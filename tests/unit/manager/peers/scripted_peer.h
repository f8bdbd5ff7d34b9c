// A peer that does what the test says, on the test's own loop.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/auth/wall_key.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/control_messages.h"

namespace manager {

class ScriptedPeer {
 public:
  struct Message {
    std::string method;
    sail::Json params;
  };

  // Runs the loop until connected.
  ScriptedPeer(sail::Loop& loop, const sail::Address& manager);

  // Runs the loop until the answer is here.
  sail::Result<sail::Json> call(std::string_view method,
                                const sail::Json& params = sail::Json::object());
  // The same without waiting: the answer, once it has come.
  using Asked = std::shared_ptr<std::optional<sail::Result<sail::Json>>>;
  Asked ask(std::string_view method, const sail::Json& params);
  // The answer, or a failure of the test and null.
  sail::Json expect(std::string_view method, const sail::Json& params = sail::Json::object());
  void notify(std::string_view method, const sail::Json& params) { peer_->notify(method, params); }
  // Bytes that need not be JSON.
  void send(std::string_view bytes) { peer_->send_line(bytes); }
  sail::Result<sail::Json> hello(sail::Role role, const std::string& name, uint16_t data_port = 0,
                                 const sail::WallKey& key = {});
  sail::Result<sail::Json> hello(const sail::Hello& hello, const sail::WallKey& key);

  // The next message of this method that the manager sends, after those taken before; others are
  // passed over. Runs the loop; a failure of the test when none comes.
  sail::Json next(std::string_view method);
  // What came and was not taken.
  std::deque<Message> messages;
  // Why the session ended, once it has.
  std::optional<sail::Error> closed;
  bool wait_closed();

 private:
  sail::Loop& loop_;
  std::unique_ptr<sail::RpcPeer> peer_;
};

}  // namespace manager
