// Persistent connection to the manager. It connects, sends the hello, keeps the session alive with
// pings, and reconnects after a loss with growing pauses, with one log message per loss. For
// applications and receivers it also maintains wall time (LinkClock): it reads the manager's clock
// several times after connecting and then with every heartbeat, and reports its accuracy.
//
// If the manager has a standby, losses are detected sooner, and known addresses are tried in turn.
// The standby's address is kept when the manager reports that its standby is gone, because the
// standby may have taken over. A standby refuses the hello and names its manager, which is tried
// next. The link leaves a manager whose term is lower than the highest known term: that manager is
// fenced, though it may not know it yet. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/time/clock_line.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

struct ManagerLinkTimes {
  int64_t first_pause_ms = 100;  // before reconnecting; doubles until the link is up
  int64_t longest_pause_ms = 500;
  int64_t hello_timeout_ms = kHelloTimeoutMs;
  int64_t heartbeat_ms = kHeartbeatMs;
  int64_t heartbeat_timeout_ms = kHeartbeatTimeoutMs;
  // A manager's own link to another manager: ignores that manager's standby, but maintains wall
  // time.
  bool between_managers = false;
  std::optional<WallKey> key = {};  // the key to prove; empty: key_for() the manager
};

class ManagerLink {
 public:
  // All handlers may destroy the link.
  struct Handlers {
    // The manager accepted the hello with `result`. Called after each reconnection.
    std::function<void(const Json& result)> on_connected;
    // Called only between on_connected and on_lost.
    std::function<void(const std::string& method, const Json& params, RpcPeer::Reply reply)>
        on_request;
    // A connected link was lost; it reconnects automatically.
    std::function<void(const Error&)> on_lost;
    // The manager refused the hello permanently; the link gives up. Temporary refusals count as
    // losses instead: kLimit, kUnavailable, kTimeout and kInternal; after a loss or with an mDNS
    // address also kConflict, kUnauthorized and kIo. (Our previous session may still be open,
    // another program may briefly have the port, or the key may be unreadable.)
    std::function<void(const Error&)> on_refused;
    // The current wall clock, valid until the next call, connected or not. exchanged: this session
    // had an exchange; those that follow at once improve the bound.
    std::function<void(const ClockLine& line, bool exchanged)> on_clock = {};
    // Every heartbeat_ms while connected.
    std::function<void()> on_heartbeat = {};
  };
  // `hello` is called for each connection, since a receiver's data port may change with the local
  // address. The link adds the proof, see hello.h.
  ManagerLink(Loop& loop, const Address& manager, std::function<Hello(const Address& local)> hello,
              Handlers handlers, const Log& log, const ManagerLinkTimes& times = {});
  ~ManagerLink();
  ManagerLink(const ManagerLink&) = delete;
  ManagerLink& operator=(const ManagerLink&) = delete;

  // Null while not connected or before the hello was answered. Valid until the next callback.
  RpcPeer* peer();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// For UI clients, which accept no requests: returns a Handlers::on_request that answers them with
// an error, and passes on all calls.
inline auto only_notifications(
    std::function<void(const std::string& method, const Json& params)> handler) {
  return [handler = std::move(handler)](const std::string& method, const Json& params,
                                        const RpcPeer::Reply& reply) {
    if (reply) {
      reply(fail(ErrorCode::kUnknownMethod,
                 "unknown method '" + method + "': a UI client accepts no requests"));
    }
    handler(method, params);
  };
}

}  // namespace sail
