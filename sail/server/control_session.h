// One peer's control connection: hello first, then verbs. Owned by the FilmServer, which a session
// outlives it. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace server {

class FilmServer;

class ControlSession {
 public:
  // id: never 0, never used twice.
  ControlSession(FilmServer& server, sail::PeerGroup& group, uint64_t id,
                 std::unique_ptr<sail::TcpConnection> connection);

  uint64_t id() const { return id_; }
  // Has said a good hello.
  bool is_welcome() const { return welcome_; }
  // "'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  sail::RpcPeer& peer() { return peer_; }

 private:
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  void on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply);

  FilmServer& server_;
  const uint64_t id_;
  std::string name_;
  bool welcome_ = false;
  sail::RpcPeer peer_;
};

}  // namespace server
