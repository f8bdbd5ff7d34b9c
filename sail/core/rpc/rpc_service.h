// Control connections of a server: listens, authenticates peers, and dispatches their requests to a
// table of verbs. Used by the manager and the film server.
//
// A new peer is a stranger, with a short timeout, a small quota and a limited number of places
// (PeerGroup). Its first request must be "hello"; before that it may send one "challenge". The
// checks are, in this order: its key (Authenticator), its protocol version, whether its key allows
// the role, whether the role has verbs, the maximum number of peers with this role, and
// Handlers::on_hello. Then on_hello's answer is sent, with "protocol" and "version" added, and the
// peer has joined: it may use the verbs of its role. From then on, all peers except UI clients are
// sent pings; a person who types into a raw connection answers none.
//
//   RpcService service(loop, {.access = {.server = "film server", .key = key}},
//                      {{.name = "pause", .ui = Right::kProgram,
//                        .run = with_arguments(read_film, [&](const RpcCall&, uint32_t film) {
//                          return pause(film);  // Result<Json>
//                        })}},
//                      {.on_hello = [](ServicePeer&) { return Json::object(); }}, log);
//   if (auto listening = service.listen({"0.0.0.0", 7450}); !listening) return listening.error();
//
// Thread: the loop's. No handler and no verb may destroy the service.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/auth/key_guard.h"
#include "sail/core/auth/people.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/authenticator.h"
#include "sail/core/rpc/peer_group.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/rpc/service_peer.h"
#include "sail/core/rpc/verb_table.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

class RpcService {
 public:
  struct Options {
    Authenticator::Options access;       // accepted keys, passwords and proxies
    std::string when_in_use = {};        // hint in the error for a port in use
    int64_t hello_ms = kHelloTimeoutMs;  // timeout for the hello
    size_t max_peers = kMaxPeers;        // limit for each role; no limit for receivers
    size_t max_unauthenticated = kMaxUnauthenticated;
    TlsUse tls = tls_use();  // see listening_tls()
  };
  struct Handlers {
    // Returns the answer to a valid hello, or the reason for refusing. The peer has no role yet.
    std::function<Result<Json>(ServicePeer&)> on_hello;
    // Called after the answer was sent.
    std::function<void(ServicePeer&)> on_joined = {};
    // Called for a joined peer when it leaves. find() does not return it any more; it is destroyed
    // afterwards.
    std::function<void(ServicePeer&)> on_left = {};
    VerbNoting on_noted = {};
    VerbAdmission on_admission = {};
  };
  RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
             const Log& log);
  RpcService(const RpcService&) = delete;
  RpcService& operator=(const RpcService&) = delete;

  // As TcpListener::listen(), with a helpful message if the port is in use.
  Result<void> listen(const Address& at);
  // As listen(), for a service that is created later and outlives the listener.
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     const Options& options,
                                                     const std::function<RpcService&()>& service);
  // Only valid after listen().
  Address address() const { return listener_->address(); }
  // Adds a peer from another listener, or reports that a descriptor was missing for one.
  void accept(std::unique_ptr<MessageChannel> channel);
  void note_descriptors_exhausted(const Error& why);
  // Adds a UI client that has proved the key of this name already, and lets it join without a
  // hello. `reply` gets its welcome, or the error with which its session ends.
  void accept_proven(std::unique_ptr<MessageChannel> channel, const std::string& key_name,
                     const std::string& name, const RpcPeer::Reply& reply);

  const std::vector<RpcVerb>& verbs() const { return verbs_.all(); }
  // Null: there is none.
  const RpcVerb* find_verb(std::string_view name) const { return verbs_.find(name); }
  // Refused peers and HTTP requests since the start.
  struct Refused {
    uint64_t unproven = 0;  // no key, a wrong key, or a key for another purpose
    uint64_t limited = 0;   // too many peers, or too many wrong keys
    uint64_t other = 0;
  };
  const Refused& refused() const { return refused_; }
  bool allows_everybody() const { return authenticator_.allows_everybody(); }
  // Current right of the holder of this key, connected or not.
  Right right_behind(const std::string& key_name) const {
    return authenticator_.right_behind(key_name);
  }
  // See Authenticator.
  std::vector<std::string> groups_behind(const std::string& key_name) const {
    return authenticator_.groups_behind(key_name);
  }
  // Checks an HTTP request: it must prove that it belongs to a peer's session, or present the key
  // named by `bearer`. kInvalidRequest: the peer's right is insufficient.
  KeyGuard::Judgement judge_request(const WebRequest& request);
  // See Authenticator::judge_bearer().
  Authenticator::BearerJudgement judge_bearer(std::string_view authorization,
                                              const std::string& host);
  // Null if the peer is gone.
  ServicePeer* find(uint64_t id);
  // By id, strangers included.
  const std::map<uint64_t, std::shared_ptr<ServicePeer>>& peers() const { return peers_; }
  // Destroys the peer as if it had disconnected; does nothing if it is gone. A peer may end itself
  // during a call.
  void end(uint64_t id, std::string_view why);
  // Destroys all peers without calling on_left.
  void clear() { peers_.clear(); }

 private:
  ServicePeer& add(std::unique_ptr<MessageChannel> channel);
  void on_closed(uint64_t id, const Error& error);
  // Ends the sessions whose key has ended.
  void end_keys();
  void on_request(ServicePeer& peer, const std::string& method, const Json& params,
                  const RpcPeer::Reply& reply);
  // The error states why there is no challenge.
  Result<Json> challenge(ServicePeer& peer, const Json& params) const;
  void on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply);
  // The peer has proved its key.
  void join(ServicePeer& peer, const RpcPeer::Reply& reply);
  void refuse(ServicePeer& peer, const RpcPeer::Reply& reply, const Error& why,
              int64_t delay_ms = 0);
  void count(const Error& refusal);
  Result<void> check_hello(const ServicePeer& peer) const;
  // For notifications, which get no answer.
  RpcPeer::Reply log_first_mistake(const ServicePeer& peer, const std::string& method) const;

  const Options options_;
  const VerbTable verbs_;
  const Handlers handlers_;
  const Log log_;
  RateLimitedLog rate_limited_log_;
  Timer timer_;  // flushes rate_limited_log_, ends sessions of keys with an end
  Authenticator authenticator_;
  Refused refused_;
  PeerGroup group_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::shared_ptr<ServicePeer>> peers_;
  std::unique_ptr<TcpListener> listener_;
};

}  // namespace sail
