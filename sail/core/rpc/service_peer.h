// One peer of an RpcService: its connection, what it proved, its role and its right. Owned by the
// service. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/rpc/authenticator.h"
#include "sail/core/rpc/peer_group.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

class ServicePeer {
 public:
  // id: never 0, never used twice. The group must outlive this.
  ServicePeer(uint64_t id, PeerGroup& group, std::unique_ptr<MessageChannel> channel,
              RpcPeer::Handlers handlers)
      : id_(id), rpc_(group, std::move(channel), std::move(handlers)) {}

  uint64_t id() const { return id_; }
  // Empty until the peer has joined.
  std::optional<Role> role() const { return role_; }
  // As received; empty for a stranger that sent none.
  const Hello& hello() const { return hello_; }
  const std::string& name() const { return hello_.name; }
  // Name of the proved key; unverified if the service has no key.
  const std::string& key_name() const { return hello_.key; }
  // User name, if the peer proved a password or was signed in by a trusted proxy; else empty.
  const std::string& person() const { return proofs_.person; }
  // Groups that the trusted proxy reports for this user.
  std::vector<std::string> groups() const { return groups_in(proofs_.groups); }
  // Replaces name(), e.g. by a display name for a user.
  void set_name(std::string name) { hello_.name = std::move(name); }
  // Right of a UI client; everything is allowed if the service has no key.
  Right right() const { return right_; }
  // The peer was disconnected by the liveness timeout.
  bool fell_silent() const { return fell_silent_; }
  // "application 'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  RpcPeer& rpc() { return rpc_; }

 private:
  friend class RpcService;

  const uint64_t id_;
  Hello hello_;
  std::optional<Role> role_;
  Right right_ = Right::kNone;
  PeerProofs proofs_;
  bool mistake_logged_ = false;  // an error in a notification was logged
  bool fell_silent_ = false;
  RpcPeer rpc_;
};

}  // namespace sail
