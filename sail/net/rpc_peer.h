// One end of a control connection: JSON-RPC requests, answers and notifications both ways, with
// bounded queues. Thread: the loop's.
//
// Messages that are no JSON-RPC are answered with an error and the session goes on; one over the
// limit, or an unsent queue over kMaxControlQueue (a peer that reads nothing), ends the session
// with kLimit.
//
// At a server's end the peer is a stranger until it is admitted. A stranger's first message that is
// no JSON-RPC ends the session: what is not ours, such as a web page's request, never gets as far
// as a second line. It has little time and little to say, see PeerGroup, which also says when the
// messages of its peers are handled.
//
// "ping" is answered here, with {}, and never reaches on_request: see keep_alive.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/net/message_channel.h"
#include "sail/net/peer_group.h"
#include "sail/net/tcp.h"
#include "sail/wire/limits.h"
#include "sail/wire/rpc.h"

namespace sail {

class RpcPeer {
 public:
  // Answers a request once, at once or later; copies count as one, and leaving all of them
  // unanswered is fine. Answering after the session ended does nothing.
  using Reply = std::function<void(Result<Json>)>;
  using AnswerCallback = std::function<void(Result<Json>)>;
  struct Handlers {
    // All may destroy the peer. on_request has an empty Reply for notifications.
    std::function<void(const std::string& method, const Json& params, Reply reply)> on_request;
    // Once, when the session ended by itself (not by destroying this): why.
    std::function<void(const Error&)> on_closed;
  };

  RpcPeer(Loop& loop, std::unique_ptr<MessageChannel> channel, Handlers handlers);
  RpcPeer(Loop& loop, std::unique_ptr<TcpConnection> connection, Handlers handlers);
  // A server's end. The group must outlive this.
  RpcPeer(PeerGroup& group, std::unique_ptr<MessageChannel> channel, Handlers handlers);
  // Sends what is queued in the background for at most a second.
  ~RpcPeer();
  RpcPeer(const RpcPeer&) = delete;
  RpcPeer& operator=(const RpcPeer&) = delete;

  // A stranger is none any more; or it is told why not, after the delay, and the session ends with
  // that. Nothing more is heard of it meanwhile. An empty reply: it is not told.
  void admit(PeerRank rank);
  void refuse(Reply reply, const Error& why, int64_t delay_ms = 0);
  // A stranger that makes a proof of a password has longer, if not too many have (PeerGroup).
  void give_time();
  // Errors sent from now on name who is to be asked instead.
  void refer_to(const Address& other);

  // `answer` comes once: the result, the peer's error, kTimeout, or kUnavailable when the session
  // ended first; never after this is destroyed.
  void call(std::string_view method, const Json& params, AnswerCallback answer,
            int64_t timeout_ms = kCallTimeoutMs);
  void notify(std::string_view method, const Json& params);
  // A line made once for many peers by notification_line().
  void send_line(std::string_view line);
  // Sends it unless more than kMaxDroppableQueue waits to be sent already. Whether it did.
  bool offer_line(std::string_view line);

  // Sends "ping" requests from now on, and ends the session with kTimeout when nothing at all came
  // from the peer for timeout_ms while it was asked. Off at first: a person who types requests into
  // a bare connection answers no pings.
  void keep_alive(int64_t every_ms = kHeartbeatMs, int64_t timeout_ms = kHeartbeatTimeoutMs);

  // Who is to be asked instead, as the peer's last error said; nothing: nobody.
  std::optional<Address> referred_to() const;

  size_t unsent_bytes() const;
  // Of the TLS session that carries it; "" without one, or once it has ended.
  std::string binding() const;
  // See MessageChannel.
  std::string person() const;
  // These stay when the session has ended.
  Address local_address() const;
  Address peer_address() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
