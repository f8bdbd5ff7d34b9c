// One end of a control connection: JSON-RPC requests, answers and notifications both ways, with
// bounded queues. Thread: the loop's.
//
// Lines that are no JSON-RPC are answered with an error and the session goes on; a line over the
// limit, or an unsent queue over kMaxControlQueue (a peer that reads nothing), ends the session.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sail/base/log.h"
#include "sail/net/tcp.h"
#include "sail/wire/limits.h"
#include "sail/wire/rpc.h"

namespace sail {

class RpcPeer : private TcpReader {
 public:
  // Answers a request once, at once or later; a copy left unanswered at the end of the session is
  // fine. Answering after the session ended does nothing.
  using Reply = std::function<void(Result<Json>)>;
  using AnswerCallback = std::function<void(Result<Json>)>;
  struct Handlers {
    // All may destroy the peer. on_request has an empty Reply for notifications.
    std::function<void(const std::string& method, const Json& params, Reply reply)> on_request;
    // Once, when the session ended by itself (not by destroying this): why.
    std::function<void(const Error&)> on_closed;
  };

  RpcPeer(Loop& loop, std::unique_ptr<TcpConnection> connection, Handlers handlers);
  // Sends what is queued in the background for at most a second.
  ~RpcPeer() override;

  // `answer` comes once: the result, the peer's error, kTimeout, or kUnavailable when the session
  // ended first; never after this is destroyed.
  void call(std::string_view method, const Json& params, AnswerCallback answer,
            int64_t timeout_ms = kCallTimeoutMs);
  void notify(std::string_view method, const Json& params);
  // A line made once for many peers by notification_line().
  void send_line(std::string_view line);

  size_t unsent_bytes() const { return connection_->unsent_bytes(); }
  Address local_address() const { return connection_->local_address(); }
  Address peer_address() const { return connection_->peer_address(); }

 private:
  struct Call {
    AnswerCallback answer;
    std::unique_ptr<Timer> timeout;
  };
  std::span<uint8_t> read_buffer() override;
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override;
  void handle_line(std::string_view line);
  void end(const Error& error);

  Loop& loop_;
  std::unique_ptr<TcpConnection> connection_;
  Handlers handlers_;
  LineFramer framer_;
  std::array<uint8_t, 65536> buffer_;
  int64_t next_id_ = 1;
  std::map<int64_t, Call> calls_;
  std::shared_ptr<bool> alive_;  // false once destroyed: callbacks under way and Reply look at it
};

// A lasting connection to the manager: connects, says hello, and after a loss tries again with
// growing pauses (0.1 s doubling to 5 s), saying so once in the log.
class ManagerLink {
 public:
  struct Handlers {
    // The manager took the hello; `result` is its answer. Comes again after each reconnection.
    std::function<void(const Json& result)> on_connected;
    std::function<void(const std::string& method, const Json& params, RpcPeer::Reply reply)>
        on_request;
    // The link is down (was connected before); it tries again by itself.
    std::function<void(const Error&)> on_lost;
    // The manager refused the hello: trying again makes no sense. Nothing more comes.
    std::function<void(const Error&)> on_refused;
  };
  // hello is asked for at each connection (a receiver's data port may change with the local
  // address).
  ManagerLink(Loop& loop, const Address& manager, std::function<Json(const Address& local)> hello,
              Handlers handlers, const Log& log);
  ~ManagerLink();

  // Null while not connected (or before the hello was answered).
  RpcPeer* peer();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
