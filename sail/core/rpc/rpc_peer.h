// One end of a control connection: JSON-RPC requests, answers and notifications in both directions,
// with bounded queues. Thread: the loop's.
//
// Invalid JSON-RPC is answered with an error, and the session continues. A message over the limit,
// or more than kMaxControlQueue unsent bytes (a slow reader), ends the session with kLimit.
//
// On a server, a peer is a stranger until it is admitted. Invalid JSON-RPC from a stranger ends the
// session, so other protocols, such as an HTTP request, do not get beyond their first line.
// Strangers have a short timeout and a small quota, see PeerGroup, which also schedules the peers'
// messages.
//
// "ping" is answered here, with {}, and never reaches on_request: see keep_alive.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/core/rpc/peer_group.h"
#include "sail/core/socket/message_channel.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/rpc.h"

namespace sail {

class RpcPeer {
 public:
  // Answers a request, at once or later. Only the first call, of any copy, has an effect; never
  // calling is allowed. Does nothing after the session ended.
  using Reply = std::function<void(Result<Json>)>;
  using AnswerCallback = std::function<void(Result<Json>)>;
  struct Handlers {
    // All may destroy the peer. For notifications, on_request gets an empty Reply.
    std::function<void(const std::string& method, const Json& params, Reply reply)> on_request;
    // Called once with the reason when the session ends, but not when this object is destroyed.
    std::function<void(const Error&)> on_closed;
  };

  RpcPeer(Loop& loop, std::unique_ptr<MessageChannel> channel, Handlers handlers);
  RpcPeer(Loop& loop, std::unique_ptr<TcpConnection> connection, Handlers handlers);
  // For a server. The group must outlive this.
  RpcPeer(PeerGroup& group, std::unique_ptr<MessageChannel> channel, Handlers handlers);
  // Queued data is sent in the background for at most a second.
  ~RpcPeer();
  RpcPeer(const RpcPeer&) = delete;
  RpcPeer& operator=(const RpcPeer&) = delete;

  // admit() ends a stranger's limits. refuse() sends the error after the delay and then ends the
  // session; messages from the peer are ignored meanwhile. With an empty reply nothing is sent.
  void admit(PeerRank rank);
  void refuse(Reply reply, const Error& why, int64_t delay_ms = 0);
  // Extends the timeout of a stranger that proves a password, unless too many strangers have the
  // longer timeout (PeerGroup).
  void extend_timeout();
  // Errors sent from now on name the manager to ask instead.
  void refer_to(const Address& other);

  // `answer` is called once: with the result, the peer's error, kTimeout, or kUnavailable if the
  // session ended first. Never called after this object is destroyed.
  void call(std::string_view method, const Json& params, AnswerCallback answer,
            int64_t timeout_ms = kCallTimeoutMs);
  void notify(std::string_view method, const Json& params);
  // Send a line prepared for several peers with notification_line().
  void send_line(std::string_view line);
  void send_line(const SharedText& line);
  // Send the line unless more than kMaxDroppableQueue bytes are unsent. Return true if sent.
  bool offer_line(std::string_view line);
  bool offer_line(const SharedText& line);
  // Answers with a result whose JSON text, in parts, other peers get as well.
  static void answer(const Reply& reply, std::span<const SharedText> result);

  // Starts sending "ping" requests. Ends the session with kTimeout if nothing arrives from the peer
  // for timeout_ms of pinging. Off by default: a person who types requests into a raw connection
  // answers no pings.
  void keep_alive(int64_t every_ms = kHeartbeatMs, int64_t timeout_ms = kHeartbeatTimeoutMs);

  // Manager to ask instead, from the peer's last error; empty: none.
  std::optional<Address> referred_to() const;

  size_t unsent_bytes() const;
  // TcpConnection::binding() of the underlying TLS session; "" without TLS or after the end of the
  // session.
  std::string binding() const;
  // See MessageChannel.
  ProxiedUser person() const;
  // Valid also after the session has ended.
  Address local_address() const;
  Address peer_address() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
