// One peer's control connection: hello first, then the commands of its role. The FsManager owns it
// and outlives it. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace manager {

class FsManager;

class Session {
 public:
  // id: never 0, never used twice.
  Session(FsManager& manager, sail::PeerGroup& group, uint64_t id,
          std::unique_ptr<sail::MessageChannel> channel);

  uint64_t id() const { return id_; }
  // Nothing before the hello was taken.
  std::optional<sail::Role> role() const { return role_; }
  const std::string& name() const { return hello_.name; }
  const std::string& token() const { return hello_.token; }
  // "application 'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  sail::RpcPeer& peer() { return peer_; }

  // The answer to a good hello. Others are refused: see RpcPeer::refuse().
  void welcome(const sail::RpcPeer::Reply& reply, sail::Json welcome);

 private:
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  void on_hello(const sail::Json& params, const sail::RpcPeer::Reply& reply);

  FsManager& manager_;
  uint64_t id_;
  sail::Hello hello_;
  std::optional<sail::Role> role_;
  bool mistake_logged_ = false;
  sail::RpcPeer peer_;
};

}  // namespace manager
