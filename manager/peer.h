// One peer's control connection: hello first, then the verbs of its role. Owned by Peers. Thread:
// the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/author.h"
#include "sail/base/log.h"
#include "sail/net/peer_group.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace manager {

// What a client that follows the state is told besides. All of it is told again soon, so that it
// may be left out for a client that is slow.
struct Wants {
  bool figures = false;
  bool pointers = false;
};

class Peer {
 public:
  // All may destroy the peer.
  struct Handlers {
    // Answered by welcome(), or refused: see RpcPeer::refuse().
    std::function<void(Peer&, const sail::Hello&, const sail::RpcPeer::Reply&)> on_hello;
    // Of one that is welcome. The reply is never empty.
    std::function<void(Peer&, const std::string& verb, const sail::Json& params,
                       const sail::RpcPeer::Reply&)>
        on_verb;
    std::function<void(Peer&, const sail::Error&)> on_closed;
  };
  // The group and the handlers outlive this. id: never 0, never used twice.
  Peer(sail::PeerGroup& group, const Handlers& handlers, uint64_t id,
       std::unique_ptr<sail::MessageChannel> channel, const sail::Log& log);

  uint64_t id() const { return id_; }
  // Nothing before the hello was taken.
  std::optional<sail::Role> role() const { return role_; }
  const std::string& name() const { return hello_.name; }
  const std::string& token() const { return hello_.token; }
  // "application 'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  sail::RpcPeer& rpc() { return rpc_; }
  void welcome(const sail::RpcPeer::Reply& reply, sail::Json welcome);

  // Of a UI client: a person at the wall, or a program.
  struct Client {
    std::string colour;          // "#rrggbb"
    bool announced = false;      // others hear of it
    std::optional<Wants> wants;  // it follows the state
  };
  const Client& client() const { return client_; }
  Client& client() { return client_; }
  // Whoever does what it asks for: its name, or what to call a client without one.
  Author author() const;

 private:
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  void on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply);

  const Handlers& handlers_;
  const uint64_t id_;
  sail::Log log_;
  sail::Hello hello_;
  std::optional<sail::Role> role_;
  Client client_;
  std::shared_ptr<bool> mistake_logged_ = std::make_shared<bool>(false);  // in a notification
  sail::RpcPeer rpc_;
};

}  // namespace manager
