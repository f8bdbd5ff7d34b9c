// A lasting connection to the manager: connects, says hello, keeps the link alive with pings, and
// after a loss tries again with growing pauses, saying so once in the log. For applications and
// receivers it also keeps wall time (LinkClock): asks for the manager's clock, some times at once
// after connecting and then with every heartbeat, and tells the manager how well it knows it.
//
// Where the manager names a standby, a loss is noticed sooner, and the two addresses are tried in
// turn, also after the manager has lost the standby: that one may rule by now. A standby's refusal
// names its manager, which is tried next. The link stays with no manager whose term is lower than
// one that it knows: that one's time is over, though it may not have heard of it. Thread: the
// loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/clock_line.h"
#include "sail/base/log.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace sail {

struct ManagerLinkTimes {
  int64_t first_pause_ms = 100;  // before trying again; doubles until the link is up
  int64_t longest_pause_ms = 500;
  int64_t hello_timeout_ms = kHelloTimeoutMs;
  int64_t heartbeat_ms = kHeartbeatMs;
  int64_t heartbeat_timeout_ms = kHeartbeatTimeoutMs;
  // It is a manager's own link to another one: it goes to no standby of that one, and keeps time.
  bool between_managers = false;
};

class ManagerLink {
 public:
  // All may destroy the link.
  struct Handlers {
    // The manager took the hello; `result` is its answer. Comes again after each reconnection.
    std::function<void(const Json& result)> on_connected;
    // Only between on_connected and on_lost.
    std::function<void(const std::string& method, const Json& params, RpcPeer::Reply reply)>
        on_request;
    // The link is down (was connected before); it tries again by itself.
    std::function<void(const Error&)> on_lost;
    // The manager refused the hello: trying again makes no sense. Nothing more comes. Refusals that
    // pass by themselves count as losses instead: kLimit, kUnavailable, kTimeout, kInternal, and
    // kConflict, kUnauthorized and kIo after a loss (our previous session may not be over yet for
    // the manager, another program has its port for a moment, or the key cannot be read).
    std::function<void(const Error&)> on_refused;
    // What is known of wall time now; it holds until this comes again, manager or not. settled: the
    // exchanges right after connecting are over.
    std::function<void(const ClockLine& line, bool settled)> on_clock = {};
    // Every heartbeat_ms while connected.
    std::function<void()> on_heartbeat = {};
  };
  // hello is asked for at each connection (a receiver's data port may change with the local
  // address). The proof in it is the link's to make: see hello.h.
  ManagerLink(Loop& loop, const Address& manager, std::function<Hello(const Address& local)> hello,
              Handlers handlers, const Log& log, const ManagerLinkTimes& times = {});
  ~ManagerLink();
  ManagerLink(const ManagerLink&) = delete;
  ManagerLink& operator=(const ManagerLink&) = delete;

  // Null while not connected (or before the hello was answered). Good until the next callback.
  RpcPeer* peer();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
